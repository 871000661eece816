/** Lists of athletes use indexes on large tables, for every filter and combination, with frequent and rare values. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase, sql, type Database, type Sql } from '../../../platform/database/database.ts';
import { areaRole } from '../../../platform/database/roles.ts';
import { ANONYMOUS, SYSTEM, type Viewer } from '../../../schema/viewer.ts';
import type { QueryAthletesArgs } from '../../../subgraphs/athletes/generated/resolvers.ts';
import { createAthleteReads } from '../../../subgraphs/athletes/athletes/reads.ts';
import { createDiscovery } from '../../../subgraphs/athletes/discovery/reads.ts';
import { createSuggestions } from '../../../subgraphs/athletes/discovery/suggestions.ts';
import type { Context } from '../../../subgraphs/runtime/subgraph.ts';
import { cloneDatabase, type ClonedDatabase } from '../../database.ts';
import { scannedBy, scannedByRead } from '../../plans.ts';

const rows = 50_000;
const account = '00000000-0000-4000-8000-000000000001';
const organization = '00000000-0000-4000-8000-000000000002';

let clone: ClonedDatabase;
let database: Database;
beforeAll(async () => {
  clone = await cloneDatabase();
  const owner = openDatabase({ url: clone.ownerUrl, name: 'test-owner', poolSize: 1, statementTimeoutMs: 120_000 });
  await owner.transaction(async (transaction) => {
    await transaction.query(sql`/* test.room */ set local search_path = athletes`);
    for (const statement of population) await transaction.query(statement);
  });
  // statistics of all rows: whether a rare value is sampled is chance, and plans depend on it
  await owner.query(sql`/* test.sample */ set default_statistics_target = 200`);
  await owner.query(sql`/* test.analyze */ analyze`);
  await owner.close();
  database = openDatabase({ url: clone.urlAs(areaRole('athletes')), name: 'test-athletes' });
});
afterAll(async () => {
  await database.close();
  await clone.drop();
});

/** Values of every kind are frequent, rare or absent. */
const population: readonly Sql[] = [
  sql`/* test.athletes */ insert into athlete (account_id, created_at, updated_at, status, display_name, date_of_birth, adult_from, sex, nationalities,
      residence, sports, sport_codes, availability, visibility, verification, height_cm, dominant_foot, dominant_hand, languages, search)
    select case when n % 5000 = 0 then ${account}::uuid else gen_random_uuid() end, now() - n * interval '1 minute', now() - n * interval '1 minute',
      case when n % 20 = 0 then 'DRAFT' else 'ACTIVE' end, 'Athlete ' || md5(n::text), date '2004-01-01' - n % 9000, date '2022-01-01' - n % 9000,
      case when n % 9973 = 0 then 'UNSPECIFIED' when n % 2 = 0 then 'FEMALE' else 'MALE' end,
      case when n % 9973 = 0 then array['NR'] else array[(array['DE', 'FR', 'BR', 'NG', 'US'])[1 + n % 5]] end,
      jsonb_build_object('country', case when n % 9973 = 0 then 'NR' else (array['DE', 'FR', 'BR', 'NG', 'US'])[1 + n % 5] end),
      '[]', array[case when n % 9973 = 0 then 'COMBAT' else (array['FOOTBALL', 'TENNIS', 'ATHLETICS'])[1 + n % 3] end],
      jsonb_build_object('openToOpportunities', n % 9973 = 0, 'types', case when n % 9973 = 0 then '["TRIAL"]'::jsonb else '["SHOWCASE"]' end), case when n % 10 = 1 then 'ORGANIZATIONS' else 'PUBLIC' end,
      jsonb_build_object('status', case when n % 9973 = 0 then 'VERIFIED' else 'UNVERIFIED' end),
      case when n % 9973 = 0 then 215 else 160 + n % 30 end, case when n % 9973 = 0 then 'BOTH' when n % 4 = 0 then 'LEFT' else 'RIGHT' end,
      case when n % 9973 = 0 then 'BOTH' when n % 9 = 0 then 'LEFT' else 'RIGHT' end, array[case when n % 9973 = 0 then 'is' else 'en' end], 'athlete ' || md5(n::text)
    from generate_series(1, ${rows}::int) n`,
  sql`/* test.sports */ insert into athlete_sport (athlete_id, sport, discipline, positions, level)
    select id, sport_codes[1], case sport_codes[1] when 'FOOTBALL' then 'ASSOCIATION' when 'COMBAT' then 'JUDO' end,
      case sport_codes[1] when 'FOOTBALL' then array['LB'] when 'COMBAT' then array['SW'] else '{}' end,
      case when sport_codes[1] = 'COMBAT' then 'INTERNATIONAL' when sex = 'MALE' then 'NATIONAL' else 'REGIONAL' end from athlete`,
  sql`/* test.members */ insert into membership (id, version, athlete_id, organization_id, status, type, contract_until)
    select gen_random_uuid(), 1, id, case when sex = 'UNSPECIFIED' then ${organization}::uuid else gen_random_uuid() end, 'ACTIVE', 'PERMANENT',
      case when sex = 'UNSPECIFIED' then date '2026-12-31' else date '2027-06-30' + (height_cm || ' days')::interval end from athlete where height_cm <> 171`,
  sql`/* test.contracts */ update athlete_sport set contract_until = earliest_contract(athlete_id)`,
  sql`/* test.ids */ insert into external_id (resource_type, account_id, scheme, value, resource_id) select 'athlete', account_id, 'TEST', id::text, id from athlete`,
  sql`/* test.holders */ insert into organization_account (organization_id, account_id, verified) values (${organization}, ${account}, true)`,
];

const big = ['athlete', 'athlete_sport', 'membership', 'external_id', 'name_key'];

/** The large tables that the statements of a read scan sequentially. */
async function wholeBy(read: Parameters<typeof scannedByRead>[1]): Promise<string[]> {
  return (await scannedByRead(database, read)).filter((name) => big.includes(name));
}

const contextOf = (viewer: Viewer) => ({ viewer, notes: {} }) as Context;

/** The large tables that the statements of a list scan sequentially. */
function readWhole(viewer: Viewer, args: Partial<QueryAthletesArgs>): Promise<string[]> {
  return wholeBy((services) =>
    createAthleteReads(services).list(contextOf(viewer), { first: 20, sort: 'CREATED_AT_DESC', ...args }),
  );
}

const holder: Viewer = { ...ANONYMOUS, kind: 'KEY', accountId: account };
const keyViewer: Viewer = { ...ANONYMOUS, kind: 'KEY', accountId: organization };
const viewers = [
  ['anybody', ANONYMOUS],
  ['a key', keyViewer],
  ['a key with a verified organization', holder],
  ['a host of one sport', { ...ANONYMOUS, sport: 'COMBAT' }],
] as const;

const filters: readonly NonNullable<QueryAthletesArgs['filter']>[] = [
  {},
  { q: 'athlete' },
  { q: 'c4ca42' },
  { ids: [account] },
  { heightCmMin: 165 },
  { heightCmMin: 200 },
  { heightCmMax: 100 },
  { dominantFoot: ['LEFT'] },
  { dominantFoot: ['BOTH'] },
  { dominantHand: ['BOTH'] },
  { language: ['en'] },
  { language: ['is'] },
  { language: ['xx'] },
  { availableFor: ['TRIAL'] },
  { availableFor: ['SCHOLARSHIP'] },
  { freeAgent: true },
  { freeAgent: false },
  { contractUntil: '2027-01-01' },
  { contractUntil: '2020-01-01' },
  { contractUntil: '2030-01-01' },
  { contractUntil: '2027-01-01', sport: ['FOOTBALL'], level: ['NATIONAL'] },
  { contractUntil: '2030-01-01', sport: ['FOOTBALL'], level: ['NATIONAL'] },
  { sport: ['FOOTBALL'], heightCmMin: 185, dominantFoot: ['LEFT'] },
  { sport: ['FOOTBALL'] },
  { sport: ['COMBAT'] },
  { sport: ['CYCLING'] },
  { discipline: ['ASSOCIATION'] },
  { discipline: ['JUDO'] },
  { discipline: ['TAEKWONDO'] },
  { position: ['LB'] },
  { position: ['SW'] },
  { position: ['FIXO'] },
  { level: ['NATIONAL'] },
  { level: ['INTERNATIONAL'] },
  { level: ['SCHOOL'] },
  { sex: ['FEMALE'] },
  { sex: ['UNSPECIFIED'] },
  { nationality: ['DE'] },
  { nationality: ['NR'] },
  { nationality: ['NR', 'TV'] },
  { nationality: ['AQ'] },
  { country: ['DE'] },
  { country: ['NR'] },
  { country: ['AQ'] },
  { ageMin: 18 },
  { ageMin: 100 },
  { ageMax: 30 },
  { ageMax: 3 },
  { organizationId: [organization] },
  { organizationId: [account] },
  { organizationId: [organization, account] },
  { openToOpportunities: true },
  { openToOpportunities: false },
  { verified: true },
  { verified: false },
  { externalId: 'TEST:none' },
  { updatedSince: new Date().toISOString() },
  { updatedSince: '2020-01-01T00:00:00Z' },
];

/** Combinations of frequent values, of frequent and rare ones, and of values that never occur together. */
const combinations: readonly NonNullable<QueryAthletesArgs['filter']>[] = [
  { sport: ['FOOTBALL'], country: ['DE'] },
  { sport: ['FOOTBALL'], position: ['LB'], level: ['NATIONAL'] },
  { sport: ['FOOTBALL'], position: ['SW'], level: ['NATIONAL'] },
  { sport: ['FOOTBALL'], discipline: ['FUTSAL'] },
  { sport: ['TENNIS'], sex: ['FEMALE'], ageMin: 18, ageMax: 21 },
  { nationality: ['DE'], openToOpportunities: true },
  { nationality: ['NR'], openToOpportunities: false },
  { country: ['BR'], ageMax: 3 },
  { verified: true, level: ['REGIONAL'] },
  { organizationId: [organization], sex: ['UNSPECIFIED'] },
  { q: 'athlete', country: ['NR'] },
  { q: 'c4ca42', sport: ['FOOTBALL'] },
];

describe.each(viewers)('for %s', (_, viewer) => {
  test.each(combinations.map((filter) => [JSON.stringify(filter), filter] as const))(
    '%s, by name and by age',
    async (_text, filter) => {
      expect(await readWhole(viewer, { filter })).toEqual([]);
      expect(await readWhole(viewer, { filter, sort: 'NAME_ASC' })).toEqual([]);
    },
  );

  test.each(filters.map((filter) => [JSON.stringify(filter), filter] as const))('%s', async (_text, filter) => {
    expect(await readWhole(viewer, { filter })).toEqual([]);
  });

  test.each(['CREATED_AT_DESC', 'CREATED_AT_ASC', 'NAME_ASC', 'NAME_DESC', 'UPDATED_AT_ASC', 'UPDATED_AT_DESC'] as const)(
    'sorted by %s',
    async (sort) => {
      expect(await readWhole(viewer, { sort })).toEqual([]);
    },
  );
});

describe.each(viewers)('suggestions for %s', (_, viewer) => {
  test.each(['a', 'at', 'athlete', 'athlete c4', 'c4 athlete', 'c', 'c4ca42', 'never', '大'])('%s', async (q) => {
    for (const sport of [null, ['FOOTBALL'], ['CYCLING']] as const)
      expect(await wholeBy((services) => createSuggestions(services)(contextOf(viewer), { q, first: 10, sport }))).toEqual([]);
  });
});

test.each(['newlyVerified', 'openToOpportunities'] as const)('for the curated list %s', async (section) => {
  for (const sport of [null, 'FOOTBALL', 'COMBAT', 'CYCLING'] as const)
    for (const [, viewer] of viewers)
      expect(
        await wholeBy((services) =>
          createDiscovery(services).curated(contextOf(viewer), { sport }, section, 5, sql`athlete.id, athlete.adult_from`),
        ),
      ).toEqual([]);
});

test.each(['PENDING', 'UNVERIFIED'] as const)('for moderators, of %s athletes', async (verification) => {
  const filter: NonNullable<QueryAthletesArgs['filter']> = { status: ['ACTIVE'], verification: [verification] };
  expect(await readWhole(SYSTEM, { filter, sort: 'CREATED_AT_ASC' })).toEqual([]);
});

test('for lists with mine, in every order', async () => {
  for (const sort of ['CREATED_AT_DESC', 'NAME_ASC', 'UPDATED_AT_DESC'] as const) {
    expect(await readWhole(holder, { filter: { mine: true }, sort })).toEqual([]);
  }
});

test('a sequential scan is detected', async () => {
  const statement = sql`/* test.scan */ select * from athlete where weight_class = 'none'`;
  expect(await scannedBy(database, statement)).toEqual(['athlete']);
});
