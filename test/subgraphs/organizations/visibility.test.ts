/** Predicates of rows and SQL conditions agree on the visibility of organizations, teams and memberships, for every status and viewer. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, sql, type Database, type Sql } from '../../../platform/database/database.ts';
import { areaRole } from '../../../platform/database/roles.ts';
import { ANONYMOUS, SYSTEM, type Viewer } from '../../../schema/viewer.ts';
import {
  isPublic,
  isRowVisible,
  isOrganizationVisible,
  publishedMembership,
  publishedOrganization,
  publishedTeam,
  visibleMemberships,
  visibleTeams,
} from '../../../subgraphs/organizations/organizations/visibility.ts';
import { cloneDatabase, type ClonedDatabase } from '../../database.ts';

const owner = '00000000-0000-4000-8000-000000000001';
const agent = '00000000-0000-4000-8000-000000000002';
const other = '00000000-0000-4000-8000-000000000003';
const visible = '00000000-0000-4000-8000-000000000004';
const hidden = '00000000-0000-4000-8000-000000000005';

const key = (accountId: string): Viewer => ({ ...ANONYMOUS, kind: 'KEY', accountId });
const viewers: readonly Viewer[] = [ANONYMOUS, key(owner), key(agent), key(other), SYSTEM, { ...SYSTEM, kind: 'ADMINISTRATOR' }];
const organizationStates = ['DRAFT', 'ACTIVE', 'SUSPENDED', 'CLOSED'] as const;
const agreed = ['ACTIVE', 'ON_LOAN', 'ENDED'];

let clone: ClonedDatabase;
let database: Database;
beforeAll(async () => {
  clone = await cloneDatabase();
  database = openDatabase({ url: clone.urlAs(areaRole('organizations')), name: 'test-organizations' });
  const statements: readonly Sql[] = [
    sql`insert into public_athlete values (${visible})`,
    sql`insert into organization (account_id, status, type, name, country, sports, search)
      select ${owner}, status, 'CLUB', status, 'DE', '{FOOTBALL}', '' from unnest(${[...organizationStates]}::text[]) status`,
    sql`insert into team (account_id, name, sport, category, age_group, organization_id, search)
      select ${owner}, name, 'FOOTBALL', 'MEN', 'SENIOR', id, '' from organization`,
    sql`insert into membership (account_id, person_account_id, status, person_type, athlete_id, organization_id, role, type, start_date)
      select ${owner}, ${agent}, s, 'ATHLETE', athlete, o.id, 'PLAYER', 'TRIAL', date '2020-01-01' + day::int from organization o,
        unnest('{INVITED,REQUESTED,ACTIVE,ON_LOAN,ENDED,DECLINED}'::text[]) with ordinality as each(s, day), unnest(array[${visible}, ${hidden}, null]::uuid[]) athlete`,
  ];
  for (const statement of statements) await database.query(statement);
});
afterAll(async () => {
  await database.close();
  await clone.drop();
});

interface VisibilityRow {
  readonly state: (typeof organizationStates)[number];
  readonly status: string;
  readonly athleteId: string | null;
  readonly published: boolean;
  readonly visible: boolean;
}

test('of organizations', async () => {
  const rows = await database.query<{ status: VisibilityRow['state']; published: boolean }>(
    sql`select status, ${publishedOrganization} as published from organization`,
  );
  expect(rows).toHaveLength(organizationStates.length);
  for (const { status, published } of rows) {
    expect([status, published]).toEqual([status, isPublic({ status })]);
    for (const viewer of viewers)
      expect(isOrganizationVisible(viewer, { status, accountId: owner })).toBe(
        isRowVisible(viewer, { published, accountId: owner }),
      );
  }
});

test.each(viewers.map((viewer) => [`${viewer.kind} ${viewer.accountId ?? ''}`, viewer] as const))(
  'of teams, for %s',
  async (_, viewer) => {
    const rows =
      await database.query<VisibilityRow>(sql`select o.status as state, ${publishedTeam} as published, ${visibleTeams(viewer)} as visible
    from team join organization o on o.id = team.organization_id`);
    expect(rows).toHaveLength(organizationStates.length);
    for (const { state, published, visible } of rows) {
      expect([state, published]).toEqual([state, isPublic({ status: state })]);
      expect([state, visible]).toEqual([state, isOrganizationVisible(viewer, { status: state, accountId: owner })]);
      expect(visible).toBe(isRowVisible(viewer, { published, accountId: owner }));
    }
  },
);

test.each(viewers.map((viewer) => [`${viewer.kind} ${viewer.accountId ?? ''}`, viewer] as const))(
  'of memberships, for %s',
  async (_, viewer) => {
    const rows = await database.query<VisibilityRow>(sql`select o.status as state, membership.status, athlete_id as "athleteId",
    ${publishedMembership} as published, ${visibleMemberships(viewer)} as visible from membership join organization o on o.id = membership.organization_id`);
    expect(rows).toHaveLength(organizationStates.length * 6 * 3);
    for (const row of rows) {
      const published = isPublic({ status: row.state }) && agreed.includes(row.status) && row.athleteId !== hidden;
      const isSide = [owner, agent].includes(viewer.accountId ?? '');
      const everything = viewer.kind === 'SYSTEM' || viewer.kind === 'ADMINISTRATOR';
      expect(row).toEqual({ ...row, published, visible: published || isSide || everything });
    }
  },
);
