/** Competitions: the SQL of their reads. Writes: competition-writes.ts. */
import type { RankingRules } from '../../../schema/ranking-rules.ts';
import { owns, hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { readList, type ListServices } from '../../../platform/lists/list.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { type Page, type Sort, sortBy } from '../../../platform/lists/page.ts';
import { requireAccount, type Resource, type ResourceRow } from '../../../platform/writes/resource.ts';
import { matchesWords, searchText } from '../../../platform/lists/search.ts';
import { inOrder, table } from '../../../platform/database/table.ts';
import { isOrganizationVisible, fetchOrganizationOwners } from '../../clients/organization-owners.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type {
  AgeGroup,
  CompetitionCategory,
  CompetitionSort,
  CompetitionStatus,
  CompetitionType,
  Level,
  QueryCompetitionsArgs,
  Sport,
} from '../resolvers.generated.ts';
import { competitionTransitions } from './rules.ts';

export interface CompetitionRow extends ResourceRow {
  readonly status: CompetitionStatus;
  readonly name: string;
  readonly code: string | null;
  readonly sport: Sport;
  readonly discipline: string | null;
  readonly type: CompetitionType;
  readonly category: CompetitionCategory | null;
  readonly ageGroup: AgeGroup | null;
  readonly level: Level | null;
  readonly country: string | null;
  readonly organizerId: string | null;
  readonly organizerName: string | null;
  /** Null: those of the sport. */
  readonly rankingRules: RankingRules | null;
}

export type CompetitionPage = Page<CompetitionRow>;

// prettier-ignore
const competitions = table<CompetitionRow>('competition', {
  id: 'plain', accountId: 'plain', version: 'plain', createdAt: 'plain', updatedAt: 'plain', status: 'plain', name: 'plain', code: 'plain',
  sport: 'plain', discipline: 'plain', type: 'plain', category: 'plain', ageGroup: 'plain', level: 'plain', country: 'plain',
  organizerId: 'plain', organizerName: 'plain', rankingRules: 'jsonb',
});

const isPublic = (row: CompetitionRow): boolean => row.status !== 'DRAFT';

export const competitionResource: Resource<CompetitionRow> = {
  type: 'competition',
  table: competitions,
  created: 'competition.created',
  updated: 'competition.updated',
  deleted: 'competition.deleted',
  required: ['name', 'type'],
  replaced: ['rankingRules'],
  isPublic,
  lifecycle: { initial: 'DRAFT', transitions: competitionTransitions },
  computed: (row) => ({ search: searchText([row.name, row.code]) }),
};

const sorts: Readonly<Record<CompetitionSort, Sort<CompetitionRow>>> = {
  CREATED_AT_DESC: sortBy(competitions, 'createdAt', 'timestamptz', 'desc'),
  CREATED_AT_ASC: sortBy(competitions, 'createdAt', 'timestamptz', 'asc'),
  NAME_ASC: sortBy(competitions, 'name', 'text', 'asc'),
  NAME_DESC: sortBy(competitions, 'name', 'text', 'desc'),
  UPDATED_AT_ASC: sortBy(competitions, 'updatedAt', 'timestamptz', 'asc'),
};

/** Lists hold public rows; the viewer's own, in any state, with `mine`. */
function visible(viewer: Viewer, mine: boolean | null | undefined): Sql {
  if (mine) return sql`competition.account_id = ${requireAccount(viewer)}`;
  return hasFullAccess(viewer) ? sql`true` : sql`competition.status in ('PUBLISHED', 'ARCHIVED')`;
}

function conditions(viewer: Viewer, filter: NonNullable<QueryCompetitionsArgs['filter']>): Sql[] {
  const where = [visible(viewer, filter.mine)];
  if (viewer.sport) where.push(sql`competition.sport = ${viewer.sport}`);
  if (filter.q) where.push(matchesWords(sql`competition.search`, filter.q));
  if (filter.sport) where.push(sql`competition.sport = any(${filter.sport})`);
  if (filter.type) where.push(sql`competition.type = any(${filter.type})`);
  if (filter.category) where.push(sql`competition.category = any(${filter.category})`);
  if (filter.ageGroup) where.push(sql`competition.age_group = any(${filter.ageGroup})`);
  if (filter.level) where.push(sql`competition.level = any(${filter.level})`);
  if (filter.country) where.push(sql`competition.country = any(${filter.country})`);
  if (filter.organizerId) where.push(sql`competition.organizer_id = ${filter.organizerId}`);
  if (filter.status) where.push(sql`competition.status = any(${filter.status})`);
  return where;
}

/** A filter by an organization that the viewer may not know of finds nothing, as one by an unknown id. */
async function hiddenOrganizer({ graph, viewer }: Context, organizerId: string | null | undefined): Promise<Sql[]> {
  if (!organizerId || hasFullAccess(viewer)) return [];
  const owners = await fetchOrganizationOwners(graph, [organizerId]);
  return isOrganizationVisible(owners.get(organizerId), viewer.accountId) ? [] : [sql`false`];
}

/** Reads of competitions over the area's database. */
export function createCompetitionStore({ database, cursors }: ListServices) {
  const read = (ids: readonly string[], queryable: Queryable = database): Promise<CompetitionRow[]> =>
    queryable.query<CompetitionRow>(
      sql`/* competitions.byIds */ select ${competitions.columns} from competition where id = any(${[...ids]}::uuid[])`,
    );

  /** By id, in the order asked for; null for what the viewer may not see. */
  const byId: BatchRead<string, CompetitionRow | null> = async (ids, { viewer }) => {
    const maySee = (row: CompetitionRow): boolean => isPublic(row) || owns(viewer, row.accountId) || hasFullAccess(viewer);
    const rows = (await read(ids)).filter((row) => maySee(row) && (viewer.sport === null || row.sport === viewer.sport));
    return inOrder(ids, rows, (row) => row.id);
  };

  const externalIds: BatchRead<string, ExternalId[]> = (ids) => externalIdsOf(database, 'competition', ids);

  /** Competitions of many organizers in one statement, a page each: public ones, and the viewer's own. */
  const pagesOfOrganizers: BatchRead<PageKey, CompetitionPage> = (keys, { viewer }) => {
    const shown = visible(viewer, false);
    const where = [viewer.accountId === null ? shown : sql`(${shown} or competition.account_id = ${viewer.accountId})`];
    if (viewer.sport) where.push(sql`competition.sport = ${viewer.sport}`);
    const list = {
      name: 'competitions.ofOrganizers',
      columns: competitions.columns,
      table: 'competition',
      owner: 'organizer_id',
    };
    return readPages(database, cursors, { ...list, where, sort: sorts.CREATED_AT_DESC }, keys);
  };

  return {
    read,
    byId,
    externalIds,
    pagesOfOrganizers,
    async list(context: Context, args: QueryCompetitionsArgs): Promise<CompetitionPage> {
      const { viewer } = context;
      const filter = args.filter ?? {};
      const sort = args.sort ?? 'CREATED_AT_DESC';
      const where = [...conditions(viewer, filter), ...(await hiddenOrganizer(context, filter.organizerId))];
      const list = { name: 'competitions.list', resource: competitionResource, where, sort: sorts[sort], order: sort };
      return readList({ database, cursors }, list, viewer, args);
    },
  };
}

export type CompetitionStore = ReturnType<typeof createCompetitionStore>;
