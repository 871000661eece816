/** Matches: the SQL of their reads. Writes: match-writes.ts. */
import { owns, hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { readList, type ListServices } from '../../../platform/lists/list.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { inOrder } from '../../../platform/database/table.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type { QueryMatchesArgs } from '../resolvers.generated.ts';
import { hiddenSides, matchConditions, matchSorts, seenMatches } from './filter.ts';
import {
  matchActionResource,
  matchParticipants,
  matchResource,
  type MatchActionRow,
  type MatchPage,
  type MatchParticipantRow,
  type MatchRow,
} from './rows.ts';

const { table } = matchResource;
const actions = matchActionResource.table;

/** Entries of matches, in the order of their programmes. */
export function readEntries(queryable: Queryable, matchIds: readonly string[]): Promise<MatchParticipantRow[]> {
  return queryable.query<MatchParticipantRow>(sql`/* matches.entries */ select ${matchParticipants.columns} from match_participant
    where match_id = any(${[...matchIds]}::uuid[]) order by match_id, ordinal`);
}

/** Actions of matches, in the order in which they happened. */
export function readActions(queryable: Queryable, matchIds: readonly string[]): Promise<MatchActionRow[]> {
  return queryable.query<MatchActionRow>(sql`/* matches.actions */ select ${actions.columns} from match_action
    where match_id = any(${[...matchIds]}::uuid[])
    order by match_id, period nulls last, minute nulls last, added_minute nulls first, created_at, id`);
}

function perMatch<Row extends { matchId: string }>(ids: readonly string[], rows: readonly Row[]): Row[][] {
  const byMatch = Map.groupBy(rows, (row) => row.matchId);
  return ids.map((id) => byMatch.get(id) ?? []);
}

/** Reads of matches over the area's database. */
export function createMatchStore({ database, cursors }: ListServices) {
  const maySee = (viewer: Viewer, row: { published: boolean; accountId: string }): boolean =>
    row.published || owns(viewer, row.accountId) || hasFullAccess(viewer);

  const read = (ids: readonly string[], queryable: Queryable = database): Promise<MatchRow[]> =>
    queryable.query<MatchRow>(sql`/* matches.byIds */ select ${table.columns} from match where id = any(${[...ids]}::uuid[])`);

  /** By id, in the order asked for; null for what the viewer may not see. */
  const byId: BatchRead<string, MatchRow | null> = async (ids, { viewer }) => {
    const rows = (await read(ids)).filter((row) => maySee(viewer, row) && (viewer.sport === null || row.sport === viewer.sport));
    return inOrder(ids, rows, (row) => row.id);
  };

  const entries: BatchRead<string, MatchParticipantRow[]> = async (ids) => perMatch(ids, await readEntries(database, ids));
  const actionsOf: BatchRead<string, MatchActionRow[]> = async (ids) => perMatch(ids, await readActions(database, ids));
  const externalIds: BatchRead<string, ExternalId[]> = (ids) => externalIdsOf(database, 'match', ids);

  const actionById: BatchRead<string, MatchActionRow | null> = async (ids) => {
    const rows = await database.query<MatchActionRow>(
      sql`/* matches.actionsByIds */ select ${actions.columns} from match_action where id = any(${[...ids]}::uuid[])`,
    );
    return inOrder(ids, rows, (row) => row.id);
  };

  /** Matches of many seasons in one statement, a page each; who sees a season sees its matches. */
  const pagesOfSeasons: BatchRead<PageKey, MatchPage> = (keys) => {
    const list = { name: 'matches.ofSeasons', columns: table.columns, table: 'match', owner: 'season_id' };
    return readPages(database, cursors, { ...list, where: [], sort: matchSorts.START_TIME_ASC }, keys);
  };

  /** Matches of many teams in one statement, a page each, the latest first. */
  const pagesOfTeams: BatchRead<PageKey, MatchPage> = (keys, { viewer }) => {
    const where = [seenMatches(viewer)];
    if (viewer.sport) where.push(sql`match.sport = ${viewer.sport}`);
    const list = {
      name: 'matches.ofTeams',
      columns: table.columns,
      table: 'match',
      from: sql`match_participant join match on match.id = match_participant.match_id`,
      owner: sql`match_participant.team_id`,
      id: sql`match_participant.match_id`,
      where,
      // The same moment as the match's, in the order of the index.
      sort: { ...matchSorts.START_TIME_DESC, column: sql`match_participant.starts_at` },
    };
    return readPages(database, cursors, list, keys);
  };

  /** Matches in which athletes are entered, or are in a team sheet, as pagesOfTeams; whoever asks knows the athletes. */
  const pagesOfAthletes: BatchRead<PageKey, MatchPage> = (keys, { viewer }) => {
    const list = {
      name: 'matches.ofAthletes',
      columns: table.columns,
      table: 'match',
      from: sql`match_participant join match on match.id = match_participant.match_id`,
      owner: 'athlete_ids',
      owned: sql`match_participant.athlete_ids @> array[owner.id]`,
      id: sql`match_participant.match_id`,
      where: [seenMatches(viewer)],
      sort: { ...matchSorts.START_TIME_DESC, column: sql`match_participant.starts_at` },
    };
    return readPages(database, cursors, list, keys);
  };

  return {
    read,
    byId,
    pagesOfAthletes,
    entries,
    actions: actionsOf,
    externalIds,
    pagesOfSeasons,
    pagesOfTeams,
    /** An action of a match; null where the viewer may not see the match, and for another match's. */
    async actionOf({ load }: Context, matchId: string, id: string): Promise<MatchActionRow | null> {
      const [match, action] = await Promise.all([load(byId, matchId), load(actionById, id)]);
      return match && action?.matchId === matchId ? action : null;
    },
    async list(context: Context, args: QueryMatchesArgs): Promise<MatchPage> {
      const { viewer } = context;
      const sort = args.sort ?? 'START_TIME_ASC';
      const filter = args.filter ?? {};
      const where = [...matchConditions(viewer, filter), ...(await hiddenSides(context, filter))];
      const list = { name: 'matches.list', resource: matchResource, where, sort: matchSorts[sort], order: sort };
      return readList({ database, cursors }, list, viewer, args);
    },
  };
}

export type MatchStore = ReturnType<typeof createMatchStore>;
