/** Reads competitions from the database. */
import { hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { readList, type ListServices } from '../../../platform/lists/list.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { type Sort, sortBy } from '../../../platform/lists/page.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { findByName, localizedNames } from '../../../platform/lists/names.ts';
import { matchesWords } from '../../../platform/lists/search.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { isOrganizationVisible, fetchOrganizationOwners } from '../../clients/organization-owners.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type { CompetitionSort, QueryCompetitionsArgs, QueryCompetitionsByNameArgs, NameMatch } from '../generated/resolvers.ts';
import { isVisible } from '../visibility.ts';
import { relegationsMax } from './promotion.ts';
import { competitionResource, type CompetitionPage, type CompetitionRow } from './rows.ts';

const competitions = competitionResource.table;

const sorts: Readonly<Record<CompetitionSort, Sort<CompetitionRow>>> = {
  CREATED_AT_DESC: sortBy(competitions, 'createdAt', 'timestamptz', 'desc'),
  CREATED_AT_ASC: sortBy(competitions, 'createdAt', 'timestamptz', 'asc'),
  NAME_ASC: sortBy(competitions, 'name', 'text', 'asc'),
  NAME_DESC: sortBy(competitions, 'name', 'text', 'desc'),
  UPDATED_AT_ASC: sortBy(competitions, 'updatedAt', 'timestamptz', 'asc'),
};

/** Lists contain public rows. With `mine` they contain the viewer's own rows in any state. */
function visible(viewer: Viewer, mine: boolean | null | undefined): Sql {
  if (mine) return sql`competition.account_id = ${requireAccount(viewer)}`;
  return hasFullAccess(viewer) ? sql`true` : sql`competition.status in ('PUBLISHED', 'ARCHIVED')`;
}

type Filter = NonNullable<QueryCompetitionsArgs['filter']>;

function conditions(viewer: Viewer, filter: Filter): Sql[] {
  const where = [visible(viewer, filter.mine)];
  if (viewer.sport) where.push(sql`competition.sport = ${viewer.sport}`);
  if (filter.q) where.push(matchesWords(sql`competition.search`, filter.q));
  if (filter.sport) where.push(sql`competition.sport = any(${filter.sport})`);
  if (filter.type) where.push(sql`competition.type = any(${filter.type})`);
  if (filter.category) where.push(sql`competition.category = any(${filter.category})`);
  if (filter.ageGroup) where.push(sql`competition.age_group = any(${filter.ageGroup})`);
  if (filter.level) where.push(sql`competition.level = any(${filter.level})`);
  if (filter.country) where.push(sql`competition.country = any(${filter.country})`);
  if (filter.organizerId) where.push(oneOf(sql`competition.organizer_id`, filter.organizerId));
  if (filter.status) where.push(sql`competition.status = any(${filter.status})`);
  return where;
}

/** The filter without organizers that the viewer cannot read: they match nothing, like unknown IDs. */
async function visibleFilter({ graph, viewer }: Context, filter: Filter): Promise<Filter> {
  const { organizerId } = filter;
  if (!organizerId || hasFullAccess(viewer)) return filter;
  const owners = await fetchOrganizationOwners(graph, organizerId);
  return { ...filter, organizerId: organizerId.filter((id) => isOrganizationVisible(owners.get(id), viewer.accountId)) };
}

/** A competition that a search found. */
type FoundCompetition = NameMatch & Pick<CompetitionRow, 'imageId'>;

/** Creates the reads of competitions. */
export function createCompetitionReads({ database, cursors }: ListServices) {
  const read = (ids: readonly string[], queryable: Queryable = database): Promise<CompetitionRow[]> =>
    queryable.query<CompetitionRow>(
      sql`/* competitions.byIds */ select ${competitions.columns} from competition where id = any(${[...ids]}::uuid[])`,
      'PAGE',
    );

  /** By id, in the order of the keys; null where the viewer cannot read the competition. */
  const byId: BatchRead<string, CompetitionRow | null> = async (ids, { viewer }) => {
    const rows = (await read(ids)).filter((row) => isVisible(viewer, { ...row, published: competitionResource.isPublic(row) }));
    return inOrder(ids, rows, (row) => row.id);
  };

  const externalIds: BatchRead<string, ExternalId[]> = (ids) => externalIdsOf(database, 'competition', ids);

  /** A page of competitions for each organizer, in one statement: public ones and the viewer's own. */
  const pagesOfOrganizers: BatchRead<PageKey, CompetitionPage> = (keys, { viewer }) => {
    const listed = visible(viewer, false);
    const where = [viewer.accountId === null ? listed : sql`(${listed} or competition.account_id = ${viewer.accountId})`];
    if (viewer.sport) where.push(sql`competition.sport = ${viewer.sport}`);
    const list = {
      name: 'competitions.ofOrganizers',
      columns: competitions.columns,
      table: 'competition',
      owner: 'organizer_id',
    };
    return readPages(database, cursors, { ...list, where, sort: sorts.CREATED_AT_DESC }, keys);
  };

  /** The competitions that promote to each one, by name. */
  const relegations: BatchRead<string, CompetitionRow[]> = async (ids, { viewer }) => {
    const rows =
      await database.query<CompetitionRow>(sql`/* competitions.relegations */ select ${competitions.columns} from competition
      where promotes_to_id = any(${[...ids]}::uuid[]) order by name, id`);
    const shown = rows.filter((row) => isVisible(viewer, { ...row, published: competitionResource.isPublic(row) }));
    const byTarget = Map.groupBy(shown, ({ promotesToId }) => promotesToId);
    return ids.map((id) => (byTarget.get(id) ?? []).slice(0, relegationsMax));
  };

  return {
    read,
    byId,
    externalIds,
    pagesOfOrganizers,
    relegations,
    /** Public competitions by name, best match first. */
    byName({ viewer }: Context, { sport, ...search }: QueryCompetitionsByNameArgs): Promise<FoundCompetition[]> {
      const where = [sql`competition.status in ('PUBLISHED', 'ARCHIVED')`];
      if (viewer.sport) where.push(sql`competition.sport = ${viewer.sport}`);
      if (sport) where.push(sql`competition.sport = any(${[...sport]})`);
      return findByName(
        database,
        {
          table: 'competition',
          name: sql`competition.name`,
          otherNames: sql`array_remove(array[competition.code], null) || ${localizedNames(sql`competition.names`)}`,
          columns: [sql`competition.category`, sql`competition.age_group as "ageGroup"`, sql`competition.image_id as "imageId"`],
          sports: sql`array[competition.sport]`,
          where,
        },
        search,
      );
    },
    async list(context: Context, args: QueryCompetitionsArgs): Promise<CompetitionPage> {
      const { viewer } = context;
      const sort = args.sort ?? 'CREATED_AT_DESC';
      const where = conditions(viewer, await visibleFilter(context, args.filter ?? {}));
      const list = { name: 'competitions.list', resource: competitionResource, where, sort: sorts[sort], order: sort };
      return readList({ database, cursors }, list, viewer, args);
    },
  };
}

export type CompetitionReads = ReturnType<typeof createCompetitionReads>;
