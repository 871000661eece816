/** Partners who synchronize by updatedSince lose nothing, however long somebody else's transaction takes. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Client } from '../client.ts';
import { eventually } from '../eventually.ts';
import { openWorld, type World } from '../world.ts';

let world: World;
let owner: Client;
let other: Client;
let lock: pg.Client;

beforeAll(async () => {
  world = await openWorld();
  owner = await world.account({ account: 'Owner' });
  other = await world.account({ account: 'Other' });
  lock = new pg.Client({ connectionString: world.database.ownerUrl });
  await lock.connect();
});
afterAll(async () => {
  await lock.end();
  await world.close();
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
  // Within a transaction PostgreSQL shows the activity as it was first asked for.
  await lock.query('select pg_stat_clear_snapshot()');
  const { rowCount } = await lock.query(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1",
    [`/* ${statement} */%`],
  );
  return rowCount === 1;
}

test('a change that is committed late is told by the page that is asked for next', async () => {
  const { body: locked } = await owner.post('/organizations', club('2', 'Oslo'));
  await world.settled();
  const since = new Date(Date.parse(locked.updatedAt) + 1).toISOString();
  const read = async (from: string): Promise<{ names: string[]; updatedUntil: string }> => {
    const { body } = await world.anonymous.get(`/organizations?updatedSince=${from}&limit=100`);
    const names: string[] = body.data.map(({ name, city }: { name: string; city: string }) => `${name} ${city}`);
    return { names, updatedUntil: body.page.updatedUntil };
  };

  // The batch makes the first club, and then waits for the row of the second.
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
  await world.settled();
  await eventually(async () => {
    const after = await read(during.updatedUntil);
    expect(after.names.toSorted()).toEqual(['Club 1 Bergen', 'Club 2 Bergen', 'Club 3 Bodø']);
    expect(await read(after.updatedUntil)).toMatchObject({ names: [] });
  });
});

test('only the last page says until when all was told', async () => {
  const since = new Date(Date.now() - 60_000).toISOString();
  await world.settled();
  const { body: first } = await world.anonymous.get(`/organizations?updatedSince=${since}&limit=1`);
  expect(first.page).toMatchObject({ hasMore: true, updatedUntil: null });
  expect((await world.anonymous.get('/organizations')).body.page).toMatchObject({ updatedUntil: null });
});

test('a time in the future is refused at both doors, and none is told', async () => {
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
