/** Memberships: the SQL of their reads. Writes: membership-writes.ts. */
import type { Viewer } from '../../../schema/viewer.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { readList } from '../../../platform/lists/list.ts';
import { readPage, type Page, sortBy } from '../../../platform/lists/page.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { requireAccount, type Resource, type ResourceRow } from '../../../platform/writes/resource.ts';
import { inOrder, table } from '../../../platform/database/table.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import type {
  MembershipRole,
  MembershipStatus,
  MembershipType,
  PersonType,
  QueryMembershipsArgs,
  QueryOrganizationMembersArgs,
  Sport,
} from '../resolvers.generated.ts';
import {
  agreedStates,
  publishedMembership,
  visibleAthlete,
  visibleMembershipIds,
  visibleMemberships,
  isParty,
} from '../organizations/visibility.ts';

export interface MembershipRow extends ResourceRow {
  readonly personAccountId: string | null;
  readonly status: MembershipStatus;
  readonly personType: PersonType;
  readonly athleteId: string | null;
  readonly personName: string | null;
  readonly organizationId: string | null;
  readonly teamId: string | null;
  readonly sport: Sport | null;
  readonly role: MembershipRole;
  readonly type: MembershipType;
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly contractUntil: string | null;
  readonly shirtNumber: number | null;
  readonly positions: string[];
  /** Whether everybody sees it. */
  readonly published: boolean;
}

export type MembershipPage = Page<MembershipRow>;

const memberships = table<MembershipRow>('membership', {
  id: 'plain',
  accountId: 'plain',
  personAccountId: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  status: 'plain',
  personType: 'plain',
  athleteId: 'plain',
  personName: 'plain',
  organizationId: 'plain',
  teamId: 'plain',
  sport: 'plain',
  role: 'plain',
  type: 'plain',
  startDate: 'plain',
  endDate: 'plain',
  contractUntil: 'plain',
  shirtNumber: 'plain',
  positions: 'plain',
  published: publishedMembership,
});

const inForce: readonly MembershipStatus[] = ['ACTIVE', 'ON_LOAN'];

export const membershipResource: Resource<MembershipRow> = {
  type: 'membership',
  table: memberships,
  created: 'membership.created',
  updated: 'membership.updated',
  required: ['role', 'positions'],
  isPublic: (row) => row.published,
  hasRegistryIds: false,
};

const newest = sortBy(memberships, 'createdAt', 'timestamptz', 'desc');

/** In force on a day: begun, not over, and agreed by both sides. */
function asOf(day: string | null | undefined): Sql {
  const on = day ? sql`${day}::date` : sql`current_date`;
  const states = day ? agreedStates : inForce;
  return sql`membership.status = any(${[...states]}) and (membership.start_date is null or membership.start_date <= ${on})
    and (membership.end_date is null or membership.end_date >= ${on})`;
}

function ofSport(viewer: Viewer): Sql[] {
  return viewer.sport ? [sql`(membership.sport is null or membership.sport = ${viewer.sport})`] : [];
}

function conditions(viewer: Viewer, filter: NonNullable<QueryMembershipsArgs['filter']>): Sql[] {
  const where = [filter.mine ? isParty(requireAccount(viewer)) : visibleMemberships(viewer), ...ofSport(viewer)];
  if (filter.athleteId) where.push(sql`membership.athlete_id = ${filter.athleteId} and ${visibleAthlete(viewer)}`);
  if (filter.organizationId) where.push(sql`membership.organization_id = ${filter.organizationId}`);
  if (filter.teamId) where.push(sql`membership.team_id = ${filter.teamId}`);
  if (filter.role) where.push(sql`membership.role = any(${filter.role})`);
  if (filter.status) where.push(sql`membership.status = any(${filter.status})`);
  else if (!filter.mine && !filter.updatedSince && !filter.externalId) where.push(sql`membership.status = any(${[...inForce]})`);
  return where;
}

/** Reads of memberships over the area's database. */
export function createMembershipReads({ database, cursors }: AreaServices) {
  const read = (ids: readonly string[], queryable: Queryable = database): Promise<MembershipRow[]> =>
    queryable.query<MembershipRow>(
      sql`/* memberships.byIds */ select ${memberships.columns} from membership where id = any(${[...ids]}::uuid[])`,
    );

  const byId: BatchRead<string, MembershipRow | null> = async (ids, { viewer }) => {
    const rows = await database.query<MembershipRow>(
      sql`/* memberships.byIds */ select ${memberships.columns} from membership where id = any(${[...ids]}::uuid[]) and ${visibleMemberships(viewer)}`,
    );
    return inOrder(ids, rows, (row) => row.id);
  };

  const externalIds: BatchRead<string, ExternalId[]> = (ids, { viewer }) =>
    externalIdsOf(database, 'membership', ids, visibleMembershipIds(viewer));
  const nested =
    (owner: 'organization_id' | 'team_id'): BatchRead<PageKey, MembershipPage> =>
    (keys, { viewer }) =>
      readPages(
        database,
        cursors,
        {
          name: `memberships.by_${owner}`,
          columns: memberships.columns,
          table: 'membership',
          owner,
          where: [asOf(null), visibleMemberships(viewer), ...ofSport(viewer)],
          sort: newest,
        },
        keys,
      );

  /** Whom athletes play for now, whoever may see it. */
  function organizationsOf(athleteIds: readonly string[]): Promise<{ id: string; organizationIds: string[] }[]> {
    return database.query(sql`/* memberships.organizationsOf */
      select athlete_id as id, array_agg(distinct organization_id) as "organizationIds" from membership
      where athlete_id = any(${[...athleteIds]}::uuid[]) and status in ('ACTIVE', 'ON_LOAN') and organization_id is not null group by athlete_id`);
  }

  return {
    byId,
    externalIds,
    read,
    organizationsOf,
    pagesOfOrganizations: nested('organization_id'),
    pagesOfTeams: nested('team_id'),
    list({ viewer }: Context, args: QueryMembershipsArgs): Promise<MembershipPage> {
      const where = conditions(viewer, args.filter ?? {});
      const list = {
        name: 'memberships.list',
        resource: membershipResource,
        where,
        sort: newest,
        visibleIds: visibleMembershipIds(viewer),
      };
      return readList({ database, cursors }, list, viewer, args);
    },
    /** Members of one organization, on a day. */
    ofOrganization({ viewer }: Context, args: QueryOrganizationMembersArgs): Promise<MembershipPage> {
      const { asOf: day, teamId, role } = args.filter ?? {};
      const where = [
        sql`membership.organization_id = ${args.organizationId}`,
        asOf(day),
        visibleMemberships(viewer),
        ...ofSport(viewer),
      ];
      if (teamId) where.push(sql`membership.team_id = ${teamId}`);
      if (role) where.push(sql`membership.role = any(${role})`);
      const list = {
        name: 'memberships.ofOrganization',
        columns: memberships.columns,
        from: sql`membership`,
        id: sql`membership.id`,
        where,
        sort: newest,
      };
      return readPage(
        database,
        cursors,
        { ...list, filter: [args.organizationId, args.filter ?? null, viewer.sport] },
        { first: args.first ?? 20, after: args.after },
      );
    },
  };
}

export type MembershipReads = ReturnType<typeof createMembershipReads>;
