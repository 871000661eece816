/** SQL reads of organizations. */
import type { Sport } from '../../../schema/sports.ts';
import { reviewCountMax } from '../../../schema/review-counts.ts';
import { hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readList } from '../../../platform/lists/list.ts';
import { type Sort, sortBy } from '../../../platform/lists/page.ts';
import { findByName } from '../../../platform/lists/names.ts';
import { distanceMeters, isNear, nearOf } from '../../../platform/lists/near.ts';
import { isRankable, likeness, matchesWords } from '../../../platform/lists/search.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { moderationReasonsOf, type ModerationReasons } from '../../../platform/writes/moderation-reason.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import type {
  NameMatch,
  OrganizationSort,
  QueryOrganizationsArgs,
  QueryOrganizationsByNameArgs,
} from '../generated/resolvers.ts';
import { organizationResource, organizations, type OrganizationPage, type OrganizationRow } from './rows.ts';
import { isOrganizationVisible, publishedOrganization } from './visibility.ts';

const sorts: Readonly<Record<Exclude<OrganizationSort, 'RELEVANCE' | 'DISTANCE_ASC'>, Sort<OrganizationRow>>> = {
  CREATED_AT_DESC: sortBy(organizations, 'createdAt', 'timestamptz', 'desc'),
  CREATED_AT_ASC: sortBy(organizations, 'createdAt', 'timestamptz', 'asc'),
  NAME_ASC: sortBy(organizations, 'name', 'text', 'asc'),
  NAME_DESC: sortBy(organizations, 'name', 'text', 'desc'),
  UPDATED_AT_ASC: sortBy(organizations, 'updatedAt', 'timestamptz', 'asc'),
  UPDATED_AT_DESC: sortBy(organizations, 'updatedAt', 'timestamptz', 'desc'),
};

type ListedRow = OrganizationRow & { readonly relevance?: number; readonly distance?: number };

const position = sql`organization.position`;

/** The order of a list, and the columns that it needs. */
function orderOf({ filter, sort }: QueryOrganizationsArgs): { readonly sort: Sort<ListedRow>; readonly columns: Sql } {
  const q = filter?.q ?? '';
  const near = nearOf(filter ?? {}, sort === 'DISTANCE_ASC');
  const requested = sort ?? (near ? 'DISTANCE_ASC' : 'RELEVANCE');
  if (near && requested === 'DISTANCE_ASC') {
    const column = distanceMeters(position, near);
    return {
      sort: { column, type: 'int', direction: 'asc', value: (row) => row.distance },
      columns: sql`${organizations.columns}, ${column} as distance`,
    };
  }
  if (requested !== 'RELEVANCE' && requested !== 'DISTANCE_ASC')
    return { sort: sorts[requested], columns: organizations.columns };
  if (!isRankable(q)) return { sort: sorts.CREATED_AT_DESC, columns: organizations.columns };
  const column = likeness(sql`organization.folded_name`, q);
  return {
    sort: { column, type: 'real', direction: 'desc', value: (row) => row.relevance },
    columns: sql`${organizations.columns}, ${column} as relevance`,
  };
}

/** Lists return public rows. With `mine` they return the viewer's own rows in any status. */
function visibleInLists(viewer: Viewer, mine: boolean | null | undefined): Sql {
  if (mine) return sql`organization.account_id = ${requireAccount(viewer)}`;
  return hasFullAccess(viewer) ? sql`true` : publishedOrganization;
}

function conditions(viewer: Viewer, filter: NonNullable<QueryOrganizationsArgs['filter']>): Sql[] {
  const where = [visibleInLists(viewer, filter.mine)];
  if (filter.q) where.push(matchesWords(sql`organization.search`, filter.q));
  if (filter.type) where.push(sql`organization.type = any(${filter.type})`);
  if (filter.country) where.push(sql`organization.country = any(${filter.country})`);
  if (filter.city) where.push(sql`platform.fold(organization.city) = platform.fold(${filter.city})`);
  const near = nearOf(filter);
  if (near) where.push(isNear(position, near));
  if (filter.sport) where.push(sql`organization.sports && ${filter.sport}`);
  if (viewer.sport) where.push(sql`organization.sports @> ${[viewer.sport]}`);
  if (filter.level) where.push(sql`organization.level = any(${filter.level})`);
  if (typeof filter.verified === 'boolean') where.push(sql`organization.verified = ${filter.verified}`);
  if (filter.verification) where.push(oneOf(sql`organization.verification_status`, filter.verification));
  if (filter.status) where.push(oneOf(sql`organization.status`, filter.status));
  return where;
}

/** An organization that a search found. */
type FoundOrganization = NameMatch & Pick<OrganizationRow, 'imageId' | 'logoUrl'>;

/** Creates the reads of organizations. */
export function createOrganizationReads({ database, cursors }: AreaServices) {
  const read = (
    ids: readonly string[],
    queryable: Queryable = database,
    columns = organizations.columns,
    sport: Sport | null = null,
  ): Promise<OrganizationRow[]> =>
    queryable.query<OrganizationRow>(
      sql`/* organizations.byIds */ select ${columns} from organization where id = any(${[...ids]}::uuid[])
        and ${sport === null ? sql`true` : sql`organization.sports @> ${[sport]}`}`,
      'PAGE',
    );

  const visibleById =
    (columns: Sql): BatchRead<string, OrganizationRow | null> =>
    async (ids, { viewer }) => {
      const rows = await read(ids, database, columns, viewer.sport);
      return inOrder(
        ids,
        rows.filter((row) => isOrganizationVisible(viewer, row)),
        (row) => row.id,
      );
    };

  /** By id, in the requested order. Null for organizations that the viewer cannot read. */
  const byId = visibleById(organizations.columns);
  const readsOfColumns = new WeakMap<Sql, typeof byId>([[organizations.columns, byId]]);

  /** The same with some of the columns: one batch for each object of columns. */
  function byIdWith(columns: Sql): typeof byId {
    const made = readsOfColumns.get(columns) ?? visibleById(columns);
    readsOfColumns.set(columns, made);
    return made;
  }

  /** By id in any status, for responses to moderators, who read what they decide on. */
  const byIdForModeration: BatchRead<string, OrganizationRow | null> = async (ids) =>
    inOrder(ids, await read(ids), (row) => row.id);

  const externalIds: BatchRead<string, ExternalId[]> = (ids) => externalIdsOf(database, 'organization', ids);

  const moderationReasons: BatchRead<string, ModerationReasons> = (ids) => moderationReasonsOf(database, 'organization', ids);

  return {
    byId,
    byIdWith,
    moderationReasons,
    byIdForModeration,
    externalIds,
    read,
    /** Public organizations by name, best match first. */
    byName({ viewer }: Context, { sport, ...search }: QueryOrganizationsByNameArgs): Promise<FoundOrganization[]> {
      const where = [publishedOrganization];
      if (viewer.sport) where.push(sql`organization.sports @> ${[viewer.sport]}`);
      if (sport) where.push(sql`organization.sports && ${[...sport]}`);
      return findByName(
        database,
        {
          table: 'organization',
          name: sql`organization.name`,
          otherNames: sql`array_remove(array[organization.short_name, organization.legal_name], null) || organization.aliases`,
          columns: [
            sql`organization.short_name as "shortName"`,
            sql`organization.image_id as "imageId"`,
            sql`organization.logo_url as "logoUrl"`,
          ],
          sports: sql`organization.sports`,
          where,
        },
        search,
      );
    },
    /** The organizations that wait for a moderator, at most `reviewCountMax`. The statuses are literals, to match the partial index. */
    async countForReview(): Promise<number> {
      const [row] = await database.query<{ count: number }>(sql`/* organizations.countForReview */
        select count(*)::int as count from (select from organization where status = 'ACTIVE'
          and verification_status in ('PENDING', 'UNVERIFIED') limit ${reviewCountMax}) waiting`);
      return row?.count ?? 0;
    },
    list({ viewer }: Context, args: QueryOrganizationsArgs): Promise<OrganizationPage> {
      const where = conditions(viewer, args.filter ?? {});
      const list = { name: 'organizations.list', resource: organizationResource, where, ...orderOf(args), order: args.sort };
      return readList<ListedRow>({ database, cursors }, list, viewer, args);
    },
  };
}

export type OrganizationReads = ReturnType<typeof createOrganizationReads>;
