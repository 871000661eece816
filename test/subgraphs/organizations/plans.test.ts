/** Lists of organizations, teams, memberships and transfers use indexes on large tables, for every filter, with frequent and rare values. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase, sql, type Database, type Sql } from '../../../platform/database/database.ts';
import { areaRole } from '../../../platform/database/roles.ts';
import { ANONYMOUS, SYSTEM, type Viewer } from '../../../schema/viewer.ts';
import type {
  MembershipFilter,
  OrganizationFilter,
  TeamFilter,
  TransferFilter,
} from '../../../subgraphs/organizations/generated/resolvers.ts';
import { createMembershipReads } from '../../../subgraphs/organizations/memberships/reads.ts';
import { createOrganizationReads } from '../../../subgraphs/organizations/organizations/reads.ts';
import { createTeamReads } from '../../../subgraphs/organizations/teams/reads.ts';
import { createTransferReads } from '../../../subgraphs/organizations/transfers/reads.ts';
import type { AreaServices, Context } from '../../../subgraphs/runtime/subgraph.ts';
import { cloneDatabase, type ClonedDatabase } from '../../database.ts';
import { scannedBy, scannedByRead } from '../../plans.ts';

const rows = 50_000;
const account = '00000000-0000-4000-8000-000000000001';
const unknownId = '00000000-0000-4000-8000-000000000002';

let clone: ClonedDatabase;
let database: Database;
let organizationId: string;
let teamId: string;
beforeAll(async () => {
  clone = await cloneDatabase();
  const owner = openDatabase({ url: clone.ownerUrl, name: 'test-owner', poolSize: 1, statementTimeoutMs: 120_000 });
  await owner.transaction(async (transaction) => {
    await transaction.query(sql`/* test.room */ set local search_path = organizations, platform`);
    for (const statement of population) await transaction.query(statement);
  });
  // as after autovacuum: every search reads the pending entries of a trigram index
  await owner.query(sql`/* test.vacuum */ vacuum analyze`);
  await owner.close();
  database = openDatabase({ url: clone.urlAs(areaRole('organizations')), name: 'test-organizations' });
  const [row] = await database.query<{ teamId: string; organizationId: string }>(
    sql`/* test.team */ select id as "teamId", organization_id as "organizationId" from team where organization_id is not null limit 1`,
  );
  ({ teamId, organizationId } = row ?? { teamId: unknownId, organizationId: unknownId });
});
afterAll(async () => {
  await database.close();
  await clone.drop();
});

/** Values of every kind are frequent, rare or absent. */
const population: readonly Sql[] = [
  sql`/* test.organizations */ insert into organization (account_id, created_at, updated_at, status, type, name, country, city, coordinates, sports, level, verification, search)
    select case when n % 5000 = 0 then ${account}::uuid else gen_random_uuid() end, now() - n * interval '1 minute', now() - n * interval '1 minute',
      case when n % 20 = 0 then 'DRAFT' else 'ACTIVE' end, case when n % 9973 = 0 then 'RECRUITER' else 'CLUB' end, 'Club ' || md5(n::text),
      case when n % 9973 = 0 then 'NR' else (array['DE', 'FR', 'BR'])[1 + n % 3] end,
      case when n % 9973 = 0 then 'Ulm' else 'City ' || n % 300 end,
      jsonb_build_object('latitude', n % 170 - 85, 'longitude', n * 7 % 360 - 180),
      array[case when n % 9973 = 0 then 'COMBAT' else (array['FOOTBALL', 'TENNIS'])[1 + n % 2] end],
      case when n % 9973 = 0 then 'INTERNATIONAL' else 'REGIONAL' end,
      jsonb_build_object('status', case when n % 9973 = 0 then 'VERIFIED' else 'UNVERIFIED' end), 'club ' || md5(n::text)
    from generate_series(1, ${rows}::int) n`,
  sql`/* test.teams */ insert into team (account_id, created_at, updated_at, name, sport, category, age_group, organization_id, country, search)
    select account_id, created_at, updated_at, name, sports[1], case type when 'CLUB' then 'MEN' else 'MIXED' end,
      case type when 'CLUB' then 'SENIOR' else 'MASTERS' end, case type when 'CLUB' then id end, case type when 'CLUB' then null else 'NR' end, search
    from organization`,
  sql`/* test.athletes */ insert into public_athlete select gen_random_uuid() from generate_series(1, ${rows}::int)`,
  sql`/* test.memberships */ insert into membership (account_id, person_account_id, created_at, updated_at, status, person_type, athlete_id, organization_id, team_id, role, type)
    select t.account_id, t.account_id, t.created_at, t.updated_at, case t.age_group when 'MASTERS' then 'ON_LOAN' else (array['ACTIVE', 'ENDED'])[1 + n % 2] end,
      'ATHLETE', athlete_id, organization_id, t.id, case t.age_group when 'MASTERS' then 'SCOUT' else 'PLAYER' end, 'TRIAL'
    from (select *, row_number() over (order by id) as n from team) t join (select athlete_id, row_number() over () as n from public_athlete) a using (n)`,
  sql`/* test.transfers */ insert into transfer (account_id, from_account_id, person_account_id, created_at, updated_at, status, type, date, athlete_id, sport, from_organization_id, from_team_id, to_organization_id, to_team_id, to_membership_id)
    select m.account_id, m.account_id, m.account_id, m.created_at, m.updated_at, case when m.status = 'ON_LOAN' then 'PENDING' else 'COMPLETED' end,
      case when m.role = 'SCOUT' then 'RETIREMENT' when m.status = 'ENDED' then 'PERMANENT' else 'LOAN' end, current_date - (row_number() over (order by m.id))::int % 5000, m.athlete_id,
      case when m.role = 'SCOUT' then 'COMBAT' else 'FOOTBALL' end, m.organization_id, m.team_id, m.organization_id, m.team_id, m.id
    from membership m`,
  sql`/* test.ids */ insert into external_id (resource_type, account_id, scheme, value, resource_id)
    select 'organization', account_id, 'TEST', id::text, id from organization union all
    select 'team', account_id, 'TEST', id::text, id from team union all
    select 'membership', account_id, 'TEST', id::text, id from membership union all
    select 'transfer', account_id, 'TEST', id::text, id from transfer`,
];

const big = ['organization', 'team', 'membership', 'transfer', 'external_id', 'public_athlete'];
const side: Viewer = { ...ANONYMOUS, kind: 'KEY', accountId: account };
const viewers = [
  ['anybody', ANONYMOUS],
  ['a key', side],
  ['a host of one sport', { ...ANONYMOUS, sport: 'COMBAT' }],
] as const;

async function readWhole(
  viewer: Viewer,
  read: (services: AreaServices, context: Context) => Promise<unknown>,
): Promise<string[]> {
  const scanned = await scannedByRead(database, (services) => read(services, { viewer, notes: {} } as Context));
  return scanned.filter((name) => big.includes(name));
}

const named = <Filter>(filters: readonly Filter[]) => filters.map((filter) => [JSON.stringify(filter), filter] as const);
const common = [
  {},
  { externalId: 'TEST:none' },
  { updatedSince: '2020-01-01T00:00:00Z' },
  { updatedSince: new Date().toISOString() },
];
const searches = [{ q: 'club' }, { q: 'c4ca42' }, { q: 'zq' }, { q: 'cl' }, { q: 'x' }];

const organizationFilters: readonly OrganizationFilter[] = [
  ...common,
  // without a word of every name: ranking all rows by similarity reads all of them
  ...searches.filter(({ q }) => q !== 'club'),
  ...(['CLUB', 'RECRUITER', 'ACADEMY'] as const).map((type) => ({ type: [type] })),
  ...['DE', 'NR', 'AQ'].map((country) => ({ country: [country] })),
  ...(['FOOTBALL', 'COMBAT', 'CYCLING'] as const).map((sport) => ({ sport: [sport] })),
  ...(['REGIONAL', 'INTERNATIONAL', 'SCHOOL'] as const).map((level) => ({ level: [level] })),
  { city: 'Ulm' },
  { city: 'City 7' },
  { near: '52.5,13.4' },
  { near: '0,-180', radiusKm: 500 },
  ...[true, false].map((verified) => ({ verified })),
  ...(['UNVERIFIED', 'PENDING', 'VERIFIED'] as const).map((verification) => ({ verification: [verification] })),
];
const teamFilters: readonly TeamFilter[] = [
  ...common,
  ...searches,
  { country: ['NR'] },
  { country: ['AQ'] },
  { organizationId: [unknownId] },
  { organizationId: [unknownId, account] },
  ...(['FOOTBALL', 'COMBAT', 'CYCLING'] as const).map((sport) => ({ sport: [sport] })),
  ...(['MEN', 'MIXED', 'WOMEN'] as const).map((category) => ({ category: [category] })),
  ...(['SENIOR', 'MASTERS', 'U12'] as const).map((ageGroup) => ({ ageGroup: [ageGroup] })),
];
const membershipFilters: readonly MembershipFilter[] = [
  ...common,
  { organizationId: [unknownId] },
  { organizationId: [unknownId, account] },
  { teamId: [unknownId] },
  { teamId: [unknownId, account] },
  { athleteId: [unknownId, account] },
  ...(['PLAYER', 'SCOUT', 'ADMIN'] as const).map((role) => ({ role: [role] })),
  ...(['ACTIVE', 'ON_LOAN', 'DECLINED'] as const).map((status) => ({ status: [status] })),
];

const transferFilters: readonly TransferFilter[] = [
  ...common,
  { athleteId: [unknownId] },
  { athleteId: [unknownId, account] },
  { organizationId: [unknownId] },
  { organizationId: [unknownId, account] },
  { organizationId: [unknownId], direction: 'IN' },
  { teamId: [unknownId], direction: 'OUT' },
  { teamId: [unknownId, account] },
  { dateFrom: '2999-01-01' },
  { dateTo: '1900-01-01' },
  { dateFrom: '2020-01-01', dateTo: '2020-02-01' },
  { onLoan: true },
  { onLoan: true, organizationId: [unknownId] },
  ...(['LOAN', 'RETIREMENT', 'YOUTH_PROMOTION'] as const).map((type) => ({ type: [type] })),
  ...(['FOOTBALL', 'COMBAT', 'CYCLING'] as const).map((sport) => ({ sport: [sport] })),
  ...(['COMPLETED', 'PENDING', 'CANCELLED'] as const).map((status) => ({ status: [status] })),
];

test.each(['PENDING', 'UNVERIFIED'] as const)(
  'organizations that are %s are listed for moderators, oldest first',
  async (each) => {
    const filter: OrganizationFilter = { status: ['ACTIVE'], verification: [each] };
    const args = { first: 20, filter, sort: 'CREATED_AT_ASC' } as const;
    const read = readWhole(SYSTEM, (services, context) => createOrganizationReads(services).list(context, args));
    expect(await read).toEqual([]);
  },
);

describe.each(viewers)('for %s', (_, viewer) => {
  test.each(named(organizationFilters))('organizations by %s', async (_text, filter) => {
    expect(
      await readWhole(viewer, (services, context) => createOrganizationReads(services).list(context, { first: 20, filter })),
    ).toEqual([]);
  });
  test.each(['CREATED_AT_ASC', 'NAME_ASC', 'NAME_DESC', 'UPDATED_AT_ASC', 'UPDATED_AT_DESC'] as const)(
    'organizations sorted by %s',
    async (sort) => {
      expect(
        await readWhole(viewer, (services, context) => createOrganizationReads(services).list(context, { first: 20, sort })),
      ).toEqual([]);
    },
  );
  test.each(named(teamFilters))('teams by %s', async (_text, filter) => {
    const args = { first: 20, filter, sort: 'NAME_ASC' } as const;
    expect(await readWhole(viewer, (services, context) => createTeamReads(services).list(context, args))).toEqual([]);
  });
  test.each(named(membershipFilters))('memberships by %s', async (_text, filter) => {
    expect(
      await readWhole(viewer, (services, context) => createMembershipReads(services).list(context, { first: 20, filter })),
    ).toEqual([]);
  });
  test.each(named(transferFilters))('transfers by %s', async (_text, filter) => {
    expect(
      await readWhole(viewer, (services, context) => createTransferReads(services).list(context, { first: 20, filter })),
    ).toEqual([]);
  });
  test('for members of an organization, on any day, in any role or team', async () => {
    for (const filter of [{}, { asOf: '2020-01-01' }, { teamId }, { role: ['SCOUT' as const] }])
      expect(
        await readWhole(viewer, (services, context) =>
          createMembershipReads(services).ofOrganization(context, { organizationId, first: 20, filter }),
        ),
      ).toEqual([]);
  });
});

test('for lists with mine', async () => {
  const args = { first: 20, filter: { mine: true } };
  expect(await readWhole(side, (services, context) => createOrganizationReads(services).list(context, args))).toEqual([]);
  expect(
    await readWhole(side, (services, context) => createTeamReads(services).list(context, { ...args, sort: 'NAME_ASC' })),
  ).toEqual([]);
  expect(await readWhole(side, (services, context) => createMembershipReads(services).list(context, args))).toEqual([]);
  expect(await readWhole(side, (services, context) => createTransferReads(services).list(context, args))).toEqual([]);
});

test('a sequential scan is detected', async () => {
  expect(await scannedBy(database, sql`/* test.scan */ select * from membership where shirt_number = 1`)).toEqual(['membership']);
});
