/** Partners that synchronize with updatedSince miss nothing, however long a concurrent transaction takes. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult } from '../organizations/clubs.ts';
import { consent, createMinor, verifiedAccount } from '../athletes/minors-fixture.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';

let platform: TestPlatform;
let owner: Client;
let other: Client;
let moderator: Client;
let lock: pg.Client;

beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Owner' });
  other = await platform.account({ account: 'Other' });
  moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  lock = new pg.Client({ connectionString: platform.database.ownerUrl });
  await lock.connect();
});
afterAll(async () => {
  await lock.end();
  await platform.close();
});

const club = (value: string, city: string) => ({
  type: 'CLUB',
  name: `Club ${value}`,
  country: 'NO',
  city,
  sports: ['FOOTBALL'],
  externalIds: [{ scheme: 'OWN', value }],
  status: 'ACTIVE',
});

async function waitingFor(statement: string): Promise<boolean> {
  // Within a transaction PostgreSQL returns the activity as of the first read.
  await lock.query('select pg_stat_clear_snapshot()');
  const { rowCount } = await lock.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1",
    [`%/* ${statement} */%`],
  );
  return rowCount === 1;
}

test('a change that is committed late is on the next page', async () => {
  const { body: locked } = await owner.post('/organizations', club('2', 'Oslo'));
  await platform.settled();
  const since = new Date(Date.parse(locked.updatedAt) + 1).toISOString();
  const read = async (from: string): Promise<{ names: string[]; updatedUntil: string }> => {
    const { body } = await platform.anonymous.send(`/organizations?updatedSince=${from}&limit=100`, {});
    const names: string[] = body.data.map(({ name, city }: { name: string; city: string }) => `${name} ${city}`);
    return { names, updatedUntil: body.page.updatedUntil };
  };

  // The batch creates the first club, and then waits for the row of the second.
  await lock.query('begin');
  await lock.query('select from organizations.organization where id = $1 for update', [locked.id]);
  const batch = owner.post('/organizations/batch', { items: [club('1', 'Bergen'), club('2', 'Bergen')] });
  await eventually(async () => expect(await waitingFor('organization.lock')).toBe(true));
  const { body: quick } = await other.post('/organizations', club('3', 'Bodø'));
  const during = await read(since);
  expect(during.names).toEqual([]);
  expect(Date.parse(during.updatedUntil)).toBeLessThanOrEqual(Date.parse(quick.updatedAt));

  await lock.query('commit');
  expect((await batch).body.summary).toMatchObject({ created: 1, updated: 1 });
  await platform.settled();
  await eventually(async () => {
    const after = await read(during.updatedUntil);
    expect(after.names.toSorted()).toEqual(['Club 1 Bergen', 'Club 2 Bergen', 'Club 3 Bodø']);
    expect(await read(after.updatedUntil)).toMatchObject({ names: [] });
  });
});

test('only the last page has the synchronization time', async () => {
  const since = new Date(Date.now() - 60_000).toISOString();
  await platform.settled();
  const { body: first } = await platform.anonymous.get(`/organizations?updatedSince=${since}&limit=1`);
  expect(first.page).toMatchObject({ hasMore: true, updatedUntil: null });
  expect((await platform.anonymous.get('/organizations')).body.page).toMatchObject({ updatedUntil: null });
});

test('a future time is rejected by both APIs, and none is returned', async () => {
  const inSeconds = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
  expect(await owner.get('/organizations?updatedSince=2099-01-01T00:00:00Z')).toMatchObject({
    status: 400,
    body: { code: 'parameter_invalid', errors: [{ parameter: 'updatedSince' }] },
  });
  const list = `query ($since: DateTime) { athletes(filter: { updatedSince: $since }) { pageInfo { updatedUntil } } }`;
  expect((await owner.graphql(list, { since: inSeconds(3600) })).body.errors).toMatchObject([
    { extensions: { code: 'parameter_invalid', errors: [{ parameter: 'updatedSince' }] } },
  ]);
  const { status, body } = await owner.get(`/organizations?updatedSince=${inSeconds(30)}`);
  expect(status).toBe(200);
  expect(Date.parse(body.page.updatedUntil)).toBeLessThanOrEqual(Date.now());
});

test('statistics of an athlete appear and disappear with the profile, and those of a minor are never disclosed', async () => {
  const guarded = await verifiedAccount(platform, moderator, 'Guarded', { officer: true });
  const report = async (by: Client, athleteId: string): Promise<string> => {
    const numbers = { scope: 'CAREER', sport: 'FOOTBALL', source: 'PROVIDER', metrics: [{ key: 'goals', value: 7 }] };
    const { status, body } = await by.post('/athletes/statistics', { athleteId, ...numbers });
    expect({ status, body }).toMatchObject({ status: 201 });
    return body.id;
  };
  const step = async (by: Client, id: string, verb: string) =>
    expect((await by.post(`/athletes/${id}/${verb}`, {})).status).toBe(200);
  const change = async (id: string, body: object) =>
    expect((await owner.patch(`/athletes/${id}`, body, { 'if-match': '*' })).status).toBe(200);
  const reported = async (since: string) => {
    const { body } = await platform.anonymous.get(`/athletes/statistics?updatedSince=${since}&limit=100`);
    const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);
    return { updated: ids(body.data), deleted: ids(body.tombstones), until: body.page.updatedUntil as string };
  };
  const { id } = await createAthlete(owner, { dateOfBirth: bornFor(22, 50) });
  const row = await report(owner, id);
  const minor = await createMinor(guarded, ['PROFILE']);
  const minorRow = await report(guarded, minor);
  const { body: consents } = await guarded.get(`/athletes/${minor}/consents`);
  let since = (await reported('2000-01-01T00:00:00Z')).until;
  /** Synchronizes again later, from the last position. */
  const expectReported = async (expected: 'updated' | 'deleted') => {
    await eventually(async () => {
      const now = await reported(since);
      expect(now).toMatchObject({ updated: [], deleted: [], [expected]: [row] });
      since = now.until;
    });
  };
  await step(owner, id, 'activate');
  await expectReported('updated');
  await change(id, { visibility: 'PRIVATE' });
  await expectReported('deleted');
  await change(id, { visibility: 'PUBLIC' });
  await expectReported('updated');
  await step(moderator, id, 'suspend');
  await expectReported('deleted');
  await step(moderator, id, 'reinstate');
  await expectReported('updated');
  await change(id, { dateOfBirth: bornFor(15, 50) });
  await expectReported('deleted');

  await guarded.post(`/athletes/${minor}/consents/${consents.data[0].id}/withdraw`, {});
  await consent(guarded, minor, ['PROFILE']);
  await step(guarded, minor, 'activate');
  const last = await createAdult(owner);
  const lastRow = await report(owner, last.id);
  await step(owner, last.id, 'deactivate');
  await eventually(async () => expect((await reported(since)).deleted).toContain(lastRow));
  const all = await reported('2000-01-01T00:00:00Z');
  expect([...all.updated, ...all.deleted]).not.toContain(minorRow);
});

test.each([
  ['/athletes', 'organization', 'GET /organizations'],
  ['/athletes', 'team', 'GET /organizations/teams'],
  ['/organizations', 'teams', 'GET /organizations/teams'],
  ['/competitions', 'seasons', 'GET /competitions/seasons'],
  ['/athletes/statistics', 'percentiles', 'without `updatedSince`'],
])('%s rejects updatedSince with the joined member %s and names %s instead', async (path, member, instead) => {
  const since = 'updatedSince=2026-01-01T00:00:00Z';
  for (const parameter of ['include', 'fields']) {
    const { status, body } = await owner.get(`${path}?${since}&${parameter}=${member}`);
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { code: 'parameter_invalid', errors: [{ parameter, code: 'not_synchronized' }] },
    });
    expect(body.errors[0].detail).toContain(instead);
    expect((await owner.get(`${path}?${parameter}=${member}`)).status).toBe(200);
  }
  expect((await owner.get(`${path}?${since}&fields=id`)).status).toBe(200);
});
