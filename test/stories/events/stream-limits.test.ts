/** Event streams of clients that read slowly, of old positions and small quotas, and the comments between events. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { openText } from './event-source.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform({ streams: { heartbeatMs: 50, bufferedBytesMax: 4_096, lifeMs: 3_600_000 } });
});
afterAll(() => platform.close());

const organization = (name: string, aliases: readonly string[] = []) => ({
  name,
  type: 'CLUB',
  status: 'ACTIVE',
  country: 'DE',
  sports: ['FOOTBALL'],
  aliases,
  externalIds: [{ scheme: 'TEST', value: name }],
});

async function owner(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: platform.database.ownerUrl });
  await client.connect();
  return client;
}

/** Positions and names of the events of a text. */
const eventsOf = (text: string) =>
  [...text.matchAll(/^id: (.+)\nevent: .+\ndata: (.+)$/gm)].map(([, id = '', data = '']) => ({ id, data }));

test('comments keep an idle stream open, and its headers keep proxies from buffering it', async () => {
  const account = await platform.account();
  // the events of the account and its key
  await platform.settled();
  const stream = await openText(platform, account.key);
  expect(await stream.until((text) => text.split(': heartbeat').length > 3)).toMatch(
    /^retry: 3000\nid: \S+\n\n(?:: heartbeat\n\n)+$/,
  );
  expect(Object.fromEntries(stream.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'private, no-store, no-transform',
    'x-accel-buffering': 'no',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
  });
  await stream.close();
});

test('a client that stops reading is disconnected and resumes after its last event, without loss', async () => {
  const account = await platform.account({ account: 'Slow' });
  const stream = await openText(platform, account.key, '?type=organization.created');
  await stream.until((text) => text.includes('id: '));
  const names: string[] = [];
  // 3 MB: more than the buffers of the operating system hold
  for (let batch = 0; batch < 5; batch += 1) {
    const items = Array.from({ length: 100 }, (_, index) => {
      const name = `Club ${batch}-${String(index).padStart(2, '0')}`;
      return organization(
        name,
        Array.from({ length: 50 }, (__, alias) => `${name} ${alias} ${'x'.repeat(100)}`),
      );
    });
    names.push(...items.map(({ name }) => name));
    const written = await account.post('/organizations/batch', { items });
    expect(written.body).toMatchObject({ summary: { created: 100 } });
  }
  await platform.settled();
  const received = eventsOf(await stream.rest());
  expect(stream.text()).toMatch(/\nretry: \d+\n: the client reads more slowly than events happen\n\n$/);
  const again = await openText(platform, account.key, '?type=organization.created', {
    'last-event-id': received.at(-1)?.id ?? '',
  });
  const resumed = eventsOf(await again.until((text) => text.includes(`"name":"${names.at(-1) ?? ''}"`)));
  await again.close();
  const named = [...received, ...resumed].map(({ data }) => JSON.parse(data).data.representation.name);
  expect(named).toEqual(names);
});

test('earlier events cost as much as those of GET /events, later ones nothing', async () => {
  await platform.plan('twenty', { burstPerMinute: 1_000, perDay: 20, perMonth: 20 });
  const writer = await platform.account({ account: 'Writer' });
  const reader = await platform.account({ account: 'Reader', plan: 'twenty' });
  const used = async () => (await reader.get('/usage')).body.day.used;
  await writer.post('/organizations/batch', { items: Array.from({ length: 60 }, (_, index) => organization(`Paid ${index}`)) });
  await platform.settled();
  const live = await openText(platform, reader.key, '?type=organization.created');
  await writer.post('/organizations', organization('Unpaid'));
  await live.until((text) => text.includes('Unpaid'));
  await live.close();
  await eventually(async () => expect(await used()).toBe(1));
  // 561 and more earlier events cost more than the 19 units that are left
  const all = await openText(platform, reader.key, '?since=2020-01-01T00:00:00Z&type=organization.created');
  const text = await all.rest();
  expect(text).toContain(': the quota does not allow further earlier events');
  expect(eventsOf(text).length).toBeLessThanOrEqual(20 * 20);
  expect(eventsOf(text).length).toBeGreaterThan(200);
});

test('a position whose next events were deleted is rejected as for GET /events', async () => {
  const account = await platform.account({ account: 'Old' });
  const { body } = await account.get('/events?limit=1');
  const client = await owner();
  await client.query('delete from accounts.event where sequence < (select max(sequence) from accounts.event)');
  await client.end();
  const rejected = await account.get('/events/stream', { 'last-event-id': body.page.resumeCursor });
  expect(rejected.body).toMatchObject({ status: 400, code: 'cursor_invalid' });
});

test('all streams of a visibility class and filter share one query per event', async () => {
  const account = await platform.account({ account: 'Shared' });
  const streams = await Promise.all(
    Array.from({ length: 20 }, () => openText(platform, account.key, '?type=organization.created')),
  );
  for (const stream of streams) await stream.until((text) => text.includes('id: '));
  platform.statements();
  await account.post('/organizations', organization('Once'));
  for (const stream of streams) await stream.until((text) => text.includes('"Once"'));
  const texts = new Set(streams.map((stream) => eventsOf(stream.text()).at(-1)?.data));
  expect(texts.size).toBe(1);
  const read = platform.statements('projections').filter((name) => name === 'events.byIds');
  expect(read).toHaveLength(1);
  for (const stream of streams) await stream.close();
});
