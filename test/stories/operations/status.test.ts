/** The public status: checks of components, incidents of administrators, the page and its feed. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { AdministratorClient } from '../../administrator.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
let administrator: AdministratorClient;
beforeAll(async () => {
  // a platform that has not checked its components yet
  platform = await openTestPlatform({ isolated: true });
  administrator = await platform.administrator('ADMIN');
});
afterAll(() => platform.close());

const asOwner = async (text: string, values: unknown[] = []): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: platform.database.ownerUrl });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
};

const create = 'mutation ($input: CreateIncidentInput!) { createIncident(input: $input) { id version status resolvedAt } }';
const addUpdate =
  'mutation ($id: ID!, $input: IncidentUpdateInput!) { addIncidentUpdate(id: $id, input: $input) { id version status resolvedAt updates { status text } } }';
const update =
  'mutation ($id: ID!, $input: UpdateIncidentInput!) { updateIncident(id: $id, input: $input, ifMatch: "*") { id title impact components } }';

const outage = {
  title: 'Search <b>is</b> slow',
  impact: 'DEGRADED',
  components: ['ATHLETES', 'SCOUTING'],
  text: 'We look into slow searches.\n\nWrites are not affected.',
};

const statusOf = async (component: string): Promise<{ status: string; availabilityPercent: number | null; days: object[] }> => {
  const { body } = await platform.anonymous.get('/status');
  return body.components.find(({ name }: { name: string }) => name === component);
};

/** Stores checks of a component on a day. */
const checked = (component: string, day: string, checks: number, failed: number) =>
  asOwner(
    `insert into accounts.component_day (component, day, checks, degraded, failed) values ($1, $2, $3, 0, $4)
     on conflict (component, day) do update set checks = excluded.checks, failed = excluded.failed`,
    [component, day, checks, failed],
  );

const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

test('components are checked by the relay, and a component without a recent check is unknown', async () => {
  await platform.maintain();
  await eventually(async () => expect((await platform.anonymous.get('/status')).body.checkedAt).not.toBeNull());
  const { status, body } = await platform.anonymous.get('/status');
  expect(status).toBe(200);
  expect(body.components.map(({ name }: { name: string }) => name)).toEqual([
    'ATHLETES',
    'COMPETITIONS',
    'SCOUTING',
    'OPPORTUNITIES',
    'ORGANIZATIONS',
    'ACCOUNTS',
    'EVENTS',
  ]);
  // a check on a busy machine may be slow
  await asOwner(`update accounts.component set status = 'UP'`);
  expect((await platform.anonymous.get('/status')).body.status).toBe('OPERATIONAL');
  expect(await statusOf('ATHLETES')).toMatchObject({
    status: 'OPERATIONAL',
    availabilityPercent: 100,
    days: [{ failedChecks: 0 }],
  });
  await asOwner(`update accounts.component set checked_at = now() - interval '4 minutes' where name = 'ATHLETES'`);
  expect(await statusOf('ATHLETES')).toMatchObject({ status: 'UNKNOWN' });
  expect((await platform.anonymous.get('/status')).body.status).toBe('UNKNOWN');
  await asOwner(`update accounts.component set checked_at = now(), status = 'DOWN' where name = 'ATHLETES'`);
  expect((await platform.anonymous.get('/status')).body).toMatchObject({ status: 'OUTAGE' });
  await asOwner(`update accounts.component set status = 'UP' where name = 'ATHLETES'`);
});

test('the availability counts the checks of 90 days and is never rounded up to 100 %', async () => {
  await asOwner(`delete from accounts.component_day where component = 'SCOUTING'`);
  await checked('SCOUTING', dayBefore(1), 1440, 1);
  await checked('SCOUTING', dayBefore(2), 99_999, 0);
  await checked('SCOUTING', dayBefore(95), 1440, 1440);
  expect(await statusOf('SCOUTING')).toMatchObject({
    availabilityPercent: 99.99,
    days: [
      { day: dayBefore(2), availabilityPercent: 100 },
      { day: dayBefore(1), availabilityPercent: 99.93, checks: 1440, failedChecks: 1 },
    ],
  });
});

test('an incident affects the status of its components until it is resolved', async () => {
  const { data } = await administrator.run(create, { input: outage });
  const { id } = data.createIncident;
  expect(data.createIncident).toMatchObject({ status: 'INVESTIGATING', resolvedAt: null });
  expect(await statusOf('SCOUTING')).toMatchObject({ status: 'DEGRADED' });
  expect(await statusOf('EVENTS')).toMatchObject({ status: 'OPERATIONAL' });
  const changed = await administrator.run(update, { id, input: { impact: 'OUTAGE', components: ['SCOUTING'] } });
  expect(changed.data.updateIncident).toMatchObject({ title: outage.title, impact: 'OUTAGE', components: ['SCOUTING'] });
  expect(await statusOf('SCOUTING')).toMatchObject({ status: 'OUTAGE' });
  expect(await statusOf('ATHLETES')).toMatchObject({ status: 'OPERATIONAL' });
  const resolved = await administrator.run(addUpdate, { id, input: { status: 'RESOLVED', text: 'An index was missing.' } });
  expect(resolved.data.addIncidentUpdate).toMatchObject({
    status: 'RESOLVED',
    resolvedAt: expect.any(String),
    updates: [
      { status: 'RESOLVED', text: 'An index was missing.' },
      { status: 'INVESTIGATING', text: outage.text },
    ],
  });
  expect(await statusOf('SCOUTING')).toMatchObject({ status: 'OPERATIONAL' });
  expect((await platform.anonymous.get(`/status/incidents/${id}`)).body).toMatchObject({ id, status: 'RESOLVED' });
  expect((await platform.anonymous.get('/status/incidents?open=true')).body.data).toEqual([]);
  expect((await platform.anonymous.get('/status/incidents?component=SCOUTING')).body.data).toMatchObject([{ id }]);
  expect((await platform.anonymous.get('/status/incidents?component=EVENTS')).body.data).toEqual([]);
});

test('maintenance affects its components from its planned start to its planned end', async () => {
  const at = (minutes: number): string => new Date(Date.now() + minutes * 60_000).toISOString();
  const input = {
    ...outage,
    title: 'Upgrade',
    impact: 'MAINTENANCE',
    components: ['EVENTS'],
    startedAt: at(60),
    endsAt: at(120),
  };
  const { data } = await administrator.run(create, { input });
  const { id } = data.createIncident;
  expect(data.createIncident).toMatchObject({ status: 'SCHEDULED' });
  expect(await statusOf('EVENTS')).toMatchObject({ status: 'OPERATIONAL' });
  await administrator.run(update, { id, input: { startedAt: at(-1) } });
  expect(await statusOf('EVENTS')).toMatchObject({ status: 'MAINTENANCE' });
  await asOwner(
    `update accounts.incident set started_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' where id = $1`,
    [id],
  );
  expect(await statusOf('EVENTS')).toMatchObject({ status: 'OPERATIONAL' });
  await administrator.run(addUpdate, { id, input: { status: 'RESOLVED', text: 'Done.' } });
});

test.each([
  ['maintenance without an end', { impact: 'MAINTENANCE' }, '/endsAt'],
  ['an outage with an end', { endsAt: '2100-01-01T00:00:00Z' }, '/endsAt'],
  ['a scheduled outage', { status: 'SCHEDULED' }, '/status'],
  ['an end before the start', { impact: 'MAINTENANCE', endsAt: '2020-01-01T00:00:00Z' }, '/endsAt'],
])('%s is rejected', async (_, members, pointer) => {
  const { errors } = await administrator.run(create, { input: { ...outage, ...members } });
  expect(errors[0].extensions).toMatchObject({ code: 'validation_failed', errors: [{ pointer }] });
});

test.each(['\u0001', '\uFFFE', '\uFFFF'])('a text with %j, which XML does not allow, is rejected', async (character) => {
  const { errors } = await administrator.run(create, { input: { ...outage, text: `before${character}after` } });
  expect(errors[0].extensions).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/text' }] });
  const { errors: ofTitle } = await administrator.run(create, { input: { ...outage, title: `before${character}after` } });
  expect(ofTitle[0].extensions.code).toMatch(/^(?:validation_failed|parameter_invalid)$/);
});

test('the feed drops characters of stored texts that XML does not allow', async () => {
  const { data } = await administrator.run(create, { input: { ...outage, title: 'Stored before' } });
  const { id } = data.createIncident;
  await asOwner(`update accounts.incident set title = $2 where id = $1`, [id, 'Stored\u0001\uFFFE before']);
  await administrator.run(addUpdate, { id, input: { status: 'RESOLVED', text: 'Done.' } });
  const read = async () => (await fetch(new URL('/status.atom', platform.restUrl))).text();
  await eventually(async () => expect(await read()).toContain('<title>Stored before</title>'));
  const feed = await read();
  for (const character of ['\u0001', '\uFFFE']) expect(feed.includes(character)).toBe(false);
});

test('only administrators with the right to administer write incidents', async () => {
  const viewer = await platform.administrator('VIEWER');
  expect((await viewer.run(create, { input: outage })).errors[0].extensions).toMatchObject({ code: 'insufficient_scope' });
  const key = await platform.account();
  const { body } = await key.graphql(create, { input: outage });
  expect(body.errors[0].message).toContain('CreateIncidentInput');
});

test('the page and its feed show the components and the incidents, and escape their texts', async () => {
  const page = await fetch(new URL('/status', platform.restUrl));
  expect(page.status).toBe(200);
  const html = await page.text();
  expect(html).toContain('Events and webhooks');
  expect(html).toContain('Search &lt;b&gt;is&lt;/b&gt; slow');
  expect(html).not.toContain('<b>is</b>');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  const feed = await fetch(new URL('/status.atom', platform.restUrl));
  expect(feed.headers.get('content-type')).toContain('application/atom+xml');
  expect(await feed.text()).toContain('<title>Search &lt;b&gt;is&lt;/b&gt; slow</title>');
});

test('reads of the status do not count against the quota', async () => {
  const { headers } = await platform.anonymous.get('/status');
  const { headers: later } = await platform.anonymous.get('/status');
  expect(later.get('x-ratelimit-remaining')).toBe(headers.get('x-ratelimit-remaining'));
});
