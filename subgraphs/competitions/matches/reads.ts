/** Reads matches from the database. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { readList, type ListServices } from '../../../platform/lists/list.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { inOrder } from '../../../platform/database/table.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type { QueryMatchesArgs } from '../generated/resolvers.ts';
import { isVisible } from '../visibility.ts';
import { hiddenSideConditions, matchConditions, matchSorts, shortcutOf, visibleMatches } from './filter.ts';
import { requireValidFilter } from './filter-violations.ts';
import { matchResource, type MatchPage, type MatchRow } from './rows.ts';
import { createSubMatchReads } from './sub-matches.ts';

const { table } = matchResource;

/** Matches through their entries: the entries have an index on the same sort time. */
const throughEntries = {
  columns: table.columns,
  table: 'match',
  from: sql`match_participant join match on match.id = match_participant.match_id`,
  id: sql`match_participant.match_id`,
  sort: { ...matchSorts.START_TIME_DESC, column: sql`match_participant.starts_at` },
};
/** Creates the reads of matches. */
export function createMatchReads({ database, cursors }: ListServices) {
  const read = (ids: readonly string[], queryable: Queryable = database): Promise<MatchRow[]> =>
    queryable.query<MatchRow>(
      sql`/* matches.byIds */ select ${table.columns} from match where id = any(${[...ids]}::uuid[])`,
      'PAGE',
    );

  /** By id, in the order of the keys; null where the viewer cannot read the match. */
  const byId: BatchRead<string, MatchRow | null> = async (ids, { viewer }) => {
    const rows = (await read(ids)).filter((row) => isVisible(viewer, row));
    return inOrder(ids, rows, (row) => row.id);
  };

  const externalIds: BatchRead<string, ExternalId[]> = (ids) => externalIdsOf(database, 'match', ids);

  /** A page of matches for each season, in one statement. A viewer that can read a season can read its matches. */
  const pagesOfSeasons: BatchRead<PageKey, MatchPage> = (keys) => {
    const list = { name: 'matches.ofSeasons', columns: table.columns, table: 'match', owner: 'season_id' };
    return readPages(database, cursors, { ...list, where: [], sort: matchSorts.START_TIME_ASC }, keys);
  };

  /** A page of matches for each team, in one statement, latest first. */
  const pagesOfTeams: BatchRead<PageKey, MatchPage> = (keys, { viewer }) => {
    const where = [visibleMatches(viewer)];
    if (viewer.sport) where.push(sql`match.sport = ${viewer.sport}`);
    const list = { ...throughEntries, name: 'matches.ofTeams', owner: sql`match_participant.team_id`, where };
    return readPages(database, cursors, list, keys);
  };

  /** A page of matches for each athlete, through entries and line-ups. The caller has checked that the viewer can read the athletes. */
  const pagesOfAthletes: BatchRead<PageKey, MatchPage> = (keys, { viewer }) => {
    const list = {
      ...throughEntries,
      name: 'matches.ofAthletes',
      owner: 'athlete_ids',
      owned: sql`match_participant.athlete_ids @> array[owner.id]`,
      where: [visibleMatches(viewer)],
    };
    return readPages(database, cursors, list, keys);
  };

  return {
    read,
    byId,
    pagesOfAthletes,
    externalIds,
    pagesOfSeasons,
    pagesOfTeams,
    ...createSubMatchReads(database),
    async list(context: Context, args: QueryMatchesArgs): Promise<MatchPage> {
      const { viewer } = context;
      const filter = args.filter ?? {};
      requireValidFilter(filter, args.sort);
      const { sort, ...page } = { sort: args.sort ?? 'START_TIME_ASC', ...shortcutOf(filter) };
      const where = [...matchConditions(viewer, filter), ...(await hiddenSideConditions(context, filter))];
      const list = { name: 'matches.list', resource: matchResource, where, sort: matchSorts[sort], order: sort };
      return readList({ database, cursors }, list, viewer, { ...args, ...page });
    },
  };
}

export type MatchReads = ReturnType<typeof createMatchReads>;
