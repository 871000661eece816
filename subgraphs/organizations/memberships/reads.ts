/** SQL reads of memberships. */
import type { Viewer } from '../../../schema/viewer.ts';
import { join, sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readList } from '../../../platform/lists/list.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { readPage, sortBy } from '../../../platform/lists/page.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import {
  agreedStates,
  isParty,
  publishedOrganization,
  visibleAthlete,
  visiblePartyIds,
  visibleMemberships,
} from '../organizations/visibility.ts';
import type {
  AthleteOrganizations,
  MembershipStatus,
  QueryMembershipsArgs,
  QueryOrganizationMembersArgs,
} from '../generated/resolvers.ts';
import { administratorReads, membershipResource, memberships, type MembershipPage, type MembershipRow } from './rows.ts';

const currentStates: readonly MembershipStatus[] = ['ACTIVE', 'ON_LOAN'];

const newest = sortBy(memberships, 'createdAt', 'timestamptz', 'desc');

/** Memberships in force on a day, or today. On a past day, memberships that ended later count too. */
function inForceOn(day: string | null | undefined): Sql {
  const on = day ? sql`${day}::date` : sql`current_date`;
  const states = day ? agreedStates : currentStates;
  return sql`membership.status = any(${[...states]}) and (membership.start_date is null or membership.start_date <= ${on})
    and (membership.end_date is null or membership.end_date >= ${on})`;
}

function ofHostSport({ sport }: Viewer): Sql[] {
  return sport ? [sql`(membership.sport is null or membership.sport = ${sport})`] : [];
}

function conditions(viewer: Viewer, filter: NonNullable<QueryMembershipsArgs['filter']>): Sql[] {
  const where = [filter.mine ? isParty(requireAccount(viewer)) : visibleMemberships(viewer), ...ofHostSport(viewer)];
  if (filter.athleteId) where.push(oneOf(sql`membership.athlete_id`, filter.athleteId), visibleAthlete(viewer));
  if (filter.organizationId) where.push(oneOf(sql`membership.organization_id`, filter.organizationId));
  if (filter.teamId) where.push(oneOf(sql`membership.team_id`, filter.teamId));
  if (filter.role) where.push(sql`membership.role = any(${filter.role})`);
  if (filter.status) where.push(sql`membership.status = any(${filter.status})`);
  else if (!filter.mine && !filter.updatedSince && !filter.externalId)
    where.push(sql`membership.status = any(${[...currentStates]})`);
  return where;
}

/** Creates the lists of memberships. */
function createLists({ database, cursors }: AreaServices) {
  const nested =
    (owner: 'organization_id' | 'team_id'): BatchRead<PageKey, MembershipPage> =>
    async (keys, context) => {
      const { viewer } = context;
      const list = {
        name: `memberships.by_${owner}`,
        columns: memberships.columns,
        table: 'membership',
        owner,
        where: [inForceOn(null), visibleMemberships(viewer), ...ofHostSport(viewer)],
        sort: newest,
      };
      return administratorReads.pages(context, await readPages(database, cursors, list, keys));
    };

  return {
    pagesOfOrganizations: nested('organization_id'),
    pagesOfTeams: nested('team_id'),
    async list(context: Context, args: QueryMembershipsArgs): Promise<MembershipPage> {
      const { viewer } = context;
      const list = {
        name: 'memberships.list',
        resource: membershipResource,
        where: conditions(viewer, args.filter ?? {}),
        sort: newest,
        visibleIds: visiblePartyIds(viewer, 'membership'),
      };
      return administratorReads.page(context, await readList({ database, cursors }, list, viewer, args));
    },
    /** Members of an organization on a day. */
    async ofOrganization(context: Context, args: QueryOrganizationMembersArgs): Promise<MembershipPage> {
      const { viewer } = context;
      const { asOf, teamId, role } = args.filter ?? {};
      const where = [
        sql`membership.organization_id = ${args.organizationId}`,
        inForceOn(asOf),
        visibleMemberships(viewer),
        ...ofHostSport(viewer),
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
        filter: [args.organizationId, args.filter ?? null, viewer.sport],
      };
      const page = await readPage(database, cursors, list, { first: args.first ?? 20, after: args.after });
      return administratorReads.page(context, page);
    },
  };
}

/** Creates the reads of memberships. */
export function createMembershipReads(services: AreaServices) {
  const { database } = services;
  const read = (ids: readonly string[], queryable: Queryable = database): Promise<MembershipRow[]> =>
    queryable.query<MembershipRow>(
      sql`/* memberships.byIds */ select ${memberships.columns} from membership where id = any(${[...ids]}::uuid[])`,
      'PAGE',
    );

  /** By id, in the requested order. Null for memberships that the viewer cannot read. */
  const byId: BatchRead<string, MembershipRow | null> = async (ids, context) => {
    const { viewer } = context;
    const where = join([sql`id = any(${[...ids]}::uuid[])`, visibleMemberships(viewer), ...ofHostSport(viewer)], ' and ');
    const rows = await database.query<MembershipRow>(
      sql`/* memberships.byIds */ select ${memberships.columns} from membership where ${where}`,
      'PAGE',
    );
    return inOrder(ids, await administratorReads.rows(context, rows), (row) => row.id);
  };

  const externalIds: BatchRead<string, ExternalId[]> = (ids, { viewer }) =>
    externalIdsOf(database, 'membership', ids, visiblePartyIds(viewer, 'membership'));

  /** The current organizations of athletes without regard to a viewer, and the terms of memberships that everyone can read. */
  function organizationsOf(athleteIds: readonly string[]): Promise<AthleteOrganizations[]> {
    return database.query(sql`/* memberships.organizationsOf */
      select athlete_id as id, coalesce(array_agg(distinct organization_id) filter (where organization_id is not null), '{}') as "organizationIds",
        coalesce(jsonb_agg(jsonb_build_object('startDate', start_date, 'endDate', end_date, 'contractUntil', contract_until) order by membership.id)
          filter (where organization_id is null or organization.status is not null), '[]') as terms
      from membership left join organization on organization.id = organization_id and ${publishedOrganization}
      where athlete_id = any(${[...athleteIds]}::uuid[]) and membership.status in ('ACTIVE', 'ON_LOAN') group by athlete_id`);
  }

  return { byId, externalIds, read, organizationsOf, ...createLists(services) };
}

export type MembershipReads = ReturnType<typeof createMembershipReads>;
