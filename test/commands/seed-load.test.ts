/** Demo data in a database: both APIs return it, and seeding is all or nothing. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { seedDemoData } from '../../commands/demo/load.ts';
import { createDemoData } from '../../commands/demo/demo-data.ts';
import { areaRole } from '../../platform/database/roles.ts';
import { areas, type Area } from '../../schema/areas.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';

const athletes = 300;
const today = '2026-10-15';

const urlsOf = (database: ClonedDatabase) =>
  Object.fromEntries(areas.map((area) => [area, database.urlAs(areaRole(area))])) as Record<Area, string>;

async function queryRows(database: ClonedDatabase, statement: string, values: unknown[] = []): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement, values)).rows;
  } finally {
    await client.end();
  }
}

let platform: TestPlatform;
let progress: number[];
beforeAll(async () => {
  platform = await openTestPlatform();
  progress = [];
  await seedDemoData({
    areaUrls: urlsOf(platform.database),
    ownerUrl: platform.database.ownerUrl,
    athletes,
    today,
    onProgress: (done) => progress.push(done),
  });
  // the matches of the demo's seasons are counted first; then the area's projection creates the prospects
  await platform.settled();
  await platform.maintain();
});
afterAll(() => platform.close());

const idOfAthlete = ({ athlete }: { readonly athlete: { readonly id: string } }): string => athlete.id;

test('every list of the public API has data', async () => {
  const lists = [
    '/athletes',
    '/organizations',
    '/organizations/teams',
    '/organizations/memberships',
    '/competitions',
    '/competitions/seasons',
    '/opportunities',
    '/scouting/prospects',
    '/athletes/statistics',
  ];
  for (const path of lists) {
    const { status, body } = await platform.anonymous.get(path);
    expect({ path, status, rows: body.data?.length > 0 }).toEqual({ path, status: 200, rows: true });
  }
});

test('scouting projects all public athletes as prospects, and scores them by cohort', async () => {
  const [counts] = await queryRows(
    platform.database,
    `select (select count(*)::int from scouting.prospect) as prospects,
      (select count(*)::int from scouting.prospect where standings <> '[]') as scored,
      (select count(*)::int from scouting.projection_sweep) as sweeps, (select count(*)::int from scouting.cohort_due) as due,
      (select count(*)::int from athletes.athlete
       where status = 'ACTIVE' and visibility = 'PUBLIC' and adult_from <= current_date) as shown`,
  );
  const { prospects, scored, shown: visible, ...left } = counts as Record<string, number>;
  expect(left).toEqual({ sweeps: 0, due: 0 });
  expect(prospects).toBe(visible);
  expect(scored).toBeGreaterThan(30);
  const emerging = (await platform.anonymous.get('/scouting/prospects?emerging=true')).body.data;
  expect(emerging.length).toBeGreaterThan(0);
});

test('athletes are found by organization, through the projection, and by their DEMO id', async () => {
  const [{ organization_id: organizationId }] = (await queryRows(
    platform.database,
    `select m.organization_id from athletes.membership m join athletes.athlete a on a.id = m.athlete_id
     where a.status = 'ACTIVE' and a.visibility = 'PUBLIC' and m.status = 'ACTIVE' limit 1`,
  )) as [{ organization_id: string }];
  const { body } = await platform.anonymous.get(`/athletes?organizationId=${organizationId}`);
  expect(body.data.length).toBeGreaterThan(0);
  const found = await platform.anonymous.get('/organizations?externalId=DEMO:organization-1');
  expect(found.body.data).toHaveLength(1);
});

test('names are normalized like those written through the API', async () => {
  const wrong = await queryRows(
    platform.database,
    `select display_name from athletes.athlete where search <> platform.fold(concat_ws(' ', display_name, given_name, family_name, known_as))
     union all select name from organizations.organization where search <> platform.fold(concat_ws(' ', name, short_name))
     union all select name from competitions.competition where search <> platform.fold(concat_ws(' ', name, code))
     union all select name from organizations.team where search <> platform.fold(name)
     union all select title from opportunities.opportunity where search <> platform.fold(title)`,
  );
  expect(wrong).toEqual([]);
});

test('one account without a key owns the data, and progress ends at the last athlete', async () => {
  const { account } = createDemoData({ seed: 'demo', athletes, today });
  const owners = await queryRows(
    platform.database,
    `select account_id from athletes.athlete union select account_id from organizations.organization union select account_id from organizations.team
     union select account_id from organizations.membership union select account_id from competitions.season union select account_id from opportunities.opportunity`,
  );
  expect(owners).toEqual([{ account_id: account.id }]);
  expect(await queryRows(platform.database, 'select name from accounts.account where id = $1', [account.id])).toEqual([
    { name: 'Demo data' },
  ]);
  expect(await queryRows(platform.database, 'select from accounts.api_key where account_id = $1', [account.id])).toEqual([]);
  expect(progress.at(-1)).toBe(athletes);
});

test('both parties can read private data: applications with their history, shortlists with reports, contact requests', async () => {
  const [owner, scout] = [await platform.account({ account: 'Demo data' }), await platform.account({ account: 'Demo scouts' })];
  const { body } = await owner.get('/opportunities/applications?limit=100&status=ENROLLED,ACCEPTED,OFFERED,REJECTED');
  expect(body.data.length).toBeGreaterThan(0);
  for (const { id } of body.data) {
    const { history, status, athlete, opportunity } = (await owner.get(`/opportunities/applications/${id}`)).body;
    expect(history.slice(-2)).toMatchObject([{ action: expect.any(String) }, { action: 'submit', status: 'SUBMITTED' }]);
    expect({ last: history[0].status, isVisible: athlete !== null && opportunity !== null }).toEqual({
      last: status,
      isVisible: true,
    });
  }
  const lists = (await scout.get('/scouting/shortlists')).body.data;
  expect(lists.length).toBeGreaterThan(2);
  const entries = await Promise.all(
    lists.map(({ id }: { id: string }) => scout.get(`/scouting/shortlists/${id}/entries?limit=100`)),
  );
  expect(entries.flatMap((response) => response.body.data).every(({ athlete }) => athlete !== null)).toBe(true);
  const sides = [
    await scout.get('/scouting/contact-requests?side=SENDER'),
    await owner.get('/scouting/contact-requests?side=OWNER'),
  ];
  for (const side of sides) expect(side.body.data.length).toBeGreaterThan(0);
});

test('saved searches of both accounts have matches that their lists find, and report none of the loaded data as new', async () => {
  const scout = await platform.account({ account: 'Demo scouts' });
  const searches = (await scout.get('/saved-searches')).body.data;
  expect(new Set(searches.map(({ kind }: { kind: string }) => kind))).toEqual(
    new Set(['ATHLETES', 'PROSPECTS', 'OPPORTUNITIES']),
  );
  const matched = searches.filter(({ lastMatchedAt }: { lastMatchedAt: string | null }) => lastMatchedAt !== null);
  expect(matched.length).toBeGreaterThan(0);
  for (const { id, filter, lastMatchedAt, createdAt } of matched) {
    const { data: matches } = (await scout.get(`/saved-searches/${id}/matches?limit=100`)).body;
    expect(matches[0].matchedAt).toBe(lastMatchedAt);
    expect(matches.at(-1).matchedAt > createdAt && lastMatchedAt < `${today}T00:00:00.001Z`).toBe(true);
    const query = new URLSearchParams({ limit: '100', ...filter.athletes, ids: matches.map(idOfAthlete).join() });
    expect((await scout.get(`/athletes?${query.toString()}`)).body.data).toHaveLength(matches.length);
  }
  const shortlist = await scout.get(`/scouting/shortlists/${matched[0].shortlistId}?include=savedSearches`);
  expect(shortlist.body.savedSearches).toMatchObject([{ name: matched[0].name }]);
  const owner = await platform.account({ account: 'Demo data' });
  expect((await owner.get('/saved-searches')).body.data).toMatchObject([{ paused: true, lastMatchedAt: null }]);
});

test('a second seeding is rejected', async () => {
  await expect(seedDemoData({ areaUrls: urlsOf(platform.database), athletes: 10, seed: 'other' })).rejects.toThrow(
    'There is demo data already',
  );
});

test('a seeding that fails leaves nothing in any area', async () => {
  const database = await cloneDatabase();
  try {
    const [squad] = createDemoData({ seed: 'demo', athletes: 100, today }).squads();
    await queryRows(database, 'insert into athletes.organization_account values ($1, gen_random_uuid(), false)', [
      squad?.organization.id,
    ]);
    await expect(seedDemoData({ areaUrls: urlsOf(database), athletes: 100 })).rejects.toThrow(/organization_account/);
    expect(
      await queryRows(
        database,
        'select id from organizations.organization union all select id from athletes.athlete union all select id from accounts.account',
      ),
    ).toEqual([]);
  } finally {
    await database.drop();
  }
});

test('a seeding that was killed between two commits is finished by the next one', async () => {
  const database = await cloneDatabase();
  try {
    const load = (day = today) => seedDemoData({ areaUrls: urlsOf(database), athletes: 100, today: day });
    await load();
    await queryRows(database, 'delete from accounts.account');
    for (const area of ['accounts', 'scouting']) await queryRows(database, `delete from ${area}.idempotency`);
    await queryRows(database, 'delete from scouting.projection_sweep');
    await queryRows(database, 'truncate scouting.shortlist, scouting.contact_request cascade');
    // on the next day the interrupted demo data is still finished
    await load('2026-10-16');
    const [counts] = await queryRows(
      database,
      `select (select count(*)::int from accounts.account) as accounts, (select count(*)::int from athletes.athlete) as athletes,
       (select count(*)::int from scouting.projection_sweep) as sweeps,
       (select distinct convert_from(fingerprint, 'UTF8') from scouting.idempotency) as day`,
    );
    expect(counts).toEqual({ accounts: 2, athletes: 100, sweeps: 2, day: today });
    await expect(load()).rejects.toThrow('There is demo data already');
  } finally {
    await database.drop();
  }
});
