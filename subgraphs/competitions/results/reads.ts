/** Reads results from the database. */
import { sql } from '../../../platform/database/database.ts';
import { readList, type ListServices } from '../../../platform/lists/list.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { readPage, type Page, type PageArguments } from '../../../platform/lists/page.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readableAthleteIds } from '../../clients/administrator-reads.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import { visibleTeamIds } from '../../clients/team-facts.ts';
import { groupByMatch } from '../matches/group-by-match.ts';
import type { QueryResultsArgs } from '../generated/resolvers.ts';
import { isVisible } from '../visibility.ts';
import { resultConditions, resultSorts, visibleResults } from './filter.ts';
import {
  resultResource,
  type ParticipantPart,
  type ParticipantResultPage,
  type ParticipantResultRow,
  type ResultPage,
  type ResultRow,
  type ResultVersionPage,
  type ResultVersionRow,
} from './rows.ts';

const { table } = resultResource;

/** An entry with its part of the result. */
interface EntryRow extends Omit<ParticipantResultRow, keyof ParticipantPart> {
  readonly part: ParticipantPart;
}

const entryColumns = sql`match_participant.id, match_participant.match_id as "matchId", match_participant.starts_at as "startsAt",
  match_participant.result as part, result.status`;

const flatEntry = ({ part, ...entry }: EntryRow): ParticipantResultRow => ({ ...part, ...entry });

function flatPage(page: Page<EntryRow>): ParticipantResultPage {
  const edges = () => page.edges().map(({ node, cursor }) => ({ node: flatEntry(node), cursor }));
  return { ...page, nodes: page.nodes.map(flatEntry), edges };
}

/** Entries through which athletes have results: alone, in a pair or relay, or in a line-up. */
const athleteEntries = {
  name: 'results.ofAthletes',
  columns: entryColumns,
  table: 'match_participant',
  from: sql`match_participant join result on result.match_id = match_participant.match_id`,
  owner: 'athlete_ids',
  owned: sql`match_participant.athlete_ids @> array[owner.id]`,
  sort: {
    column: sql`match_participant.starts_at`,
    type: 'timestamptz',
    direction: 'desc',
    value: (row: EntryRow) => row.startsAt,
  },
} as const;

type Filter = NonNullable<QueryResultsArgs['filter']>;

/** The filter without athletes and teams that the viewer cannot read: they match nothing, like unknown IDs. */
async function visibleFilter(context: Context, filter: Filter): Promise<Filter> {
  const { athleteId } = filter;
  const [athletes, teamId] = await Promise.all([
    athleteId ? readableAthleteIds(context, athleteId, 'COMPETITIONS') : null,
    visibleTeamIds(context, filter.teamId),
  ]);
  return { ...filter, teamId, athleteId: athleteId?.filter((id) => athletes?.has(id)) };
}

/** The versions of a result, latest first. */
function readVersions(
  { database, cursors }: ListServices,
  { id, matchId }: ResultRow,
  args: PageArguments,
): Promise<ResultVersionPage> {
  const list = {
    name: 'results.versions',
    columns: sql`v.result_id as id, v.result_id as "resultId", ${matchId}::uuid as "matchId", v.version, v.at, v.status, v.reason, v.duration,
      v.ended_by as "endedBy", v.participants`,
    from: sql`result_version v`,
    id: sql`v.result_id`,
    where: [sql`v.result_id = ${id}`],
    sort: {
      column: sql`v.version`,
      type: 'int',
      direction: 'desc',
      value: (row: ResultVersionRow) => row.version,
    },
    filter: id,
  } as const;
  return readPage<ResultVersionRow & { id: string }>(database, cursors, list, args);
}

/** Creates the reads of results. */
export function createResultReads({ database, cursors }: ListServices) {
  const byId: BatchRead<string, ResultRow | null> = async (ids, { viewer }) => {
    const rows = await database.query<ResultRow>(
      sql`/* results.byIds */ select ${table.columns} from result where id = any(${[...ids]}::uuid[])`,
      'PAGE',
    );
    const visible = rows.filter((row) => isVisible(viewer, row));
    return inOrder(ids, visible, (row) => row.id);
  };

  /** By match; null without a result that the viewer can read. */
  const ofMatch: BatchRead<string, ResultRow | null> = async (matchIds, { viewer }) => {
    const rows = await database.query<ResultRow>(
      sql`/* results.ofMatches */ select ${table.columns} from result where match_id = any(${[...matchIds]}::uuid[])`,
    );
    const visible = rows.filter((row) => isVisible(viewer, row));
    return inOrder(matchIds, visible, (row) => row.matchId);
  };

  /** The results of all participants of a match, in program order. A viewer that can read a result can read all of it. */
  const participants: BatchRead<string, ParticipantResultRow[]> = async (matchIds) => {
    const rows = await database.query<EntryRow>(sql`/* results.participants */ select ${entryColumns}
      from match_participant join result on result.match_id = match_participant.match_id
      where match_participant.match_id = any(${[...matchIds]}::uuid[]) and match_participant.result is not null
      order by match_participant.match_id, match_participant.ordinal`);
    return groupByMatch(matchIds, rows.map(flatEntry));
  };

  /** A page of results for each athlete, latest first. Athletes that the viewer cannot read have none. */
  const pagesOfAthletes: BatchRead<PageKey, ParticipantResultPage> = async (keys, context) => {
    const { viewer } = context;
    const athleteIds = keys.map(({ owner }) => owner);
    const known = await readableAthleteIds(context, athleteIds, 'COMPETITIONS');
    const where = [
      sql`match_participant.result is not null`,
      visibleResults(viewer),
      sql`owner.id = any(${[...known]}::uuid[])`,
      ...(viewer.sport ? [sql`result.sport = ${viewer.sport}`] : []),
    ];
    return (await readPages<EntryRow>(database, cursors, { ...athleteEntries, where }, keys)).map(flatPage);
  };

  return {
    byId,
    ofMatch,
    participants,
    pagesOfAthletes,
    async list(context: Context, args: QueryResultsArgs): Promise<ResultPage> {
      const { viewer } = context;
      const where = resultConditions(viewer, await visibleFilter(context, args.filter ?? {}));
      const sort = args.sort ?? 'START_TIME_DESC';
      const list = { name: 'results.list', resource: resultResource, where, sort: resultSorts[sort], order: sort };
      return readList({ database, cursors }, list, viewer, args);
    },
    versions: (result: ResultRow, args: PageArguments) => readVersions({ database, cursors }, result, args),
  };
}

export type ResultReads = ReturnType<typeof createResultReads>;
