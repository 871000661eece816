/** Results: the SQL of their reads. Writes: result-writes.ts and result-record.ts. */
import { owns, hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { sql } from '../../../platform/database/database.ts';
import { readList, type ListServices } from '../../../platform/lists/list.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { readPage, type Page, type PageArguments } from '../../../platform/lists/page.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { visibleAthleteIds } from '../../clients/athlete-facts.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import { isTeamVisible, teamsById } from '../../clients/team-facts.ts';
import type { QueryResultsArgs } from '../resolvers.generated.ts';
import { resultConditions, resultSorts, seenResults } from './filter.ts';
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

/** As it is read: the entry, and its part beside it. */
interface EntryRow extends Omit<ParticipantResultRow, keyof ParticipantPart> {
  readonly part: ParticipantPart;
}

const entryColumns = sql`match_participant.id, match_participant.match_id as "matchId", match_participant.starts_at as "startsAt",
  match_participant.result as part, result.status`;

const wholeEntry = ({ part, ...entry }: EntryRow): ParticipantResultRow => ({ ...part, ...entry });

function wholePage(page: Page<EntryRow>): ParticipantResultPage {
  const edges = () => page.edges().map(({ node, cursor }) => ({ node: wholeEntry(node), cursor }));
  return { ...page, nodes: page.nodes.map(wholeEntry), edges };
}

/** Reads of results over the area's database. */
export function createResultStore({ database, cursors }: ListServices) {
  const seen = (viewer: Viewer, row: ResultRow): boolean =>
    (row.published || owns(viewer, row.accountId) || hasFullAccess(viewer)) &&
    (viewer.sport === null || row.sport === viewer.sport);

  const byId: BatchRead<string, ResultRow | null> = async (ids, { viewer }) => {
    const rows = await database.query<ResultRow>(
      sql`/* results.byIds */ select ${table.columns} from result where id = any(${[...ids]}::uuid[])`,
    );
    return inOrder(
      ids,
      rows.filter((row) => seen(viewer, row)),
      (row) => row.id,
    );
  };

  /** By match; null where there is none that the viewer may see. */
  const ofMatch: BatchRead<string, ResultRow | null> = async (matchIds, { viewer }) => {
    const rows = await database.query<ResultRow>(
      sql`/* results.ofMatches */ select ${table.columns} from result where match_id = any(${[...matchIds]}::uuid[])`,
    );
    return inOrder(
      matchIds,
      rows.filter((row) => seen(viewer, row)),
      (row) => row.matchId,
    );
  };

  /** What each participant did, in the order of the programme; who sees a result sees all of it. */
  const participants: BatchRead<string, ParticipantResultRow[]> = async (matchIds) => {
    const rows = await database.query<EntryRow>(sql`/* results.participants */ select ${entryColumns}
      from match_participant join result on result.match_id = match_participant.match_id
      where match_participant.match_id = any(${[...matchIds]}::uuid[]) and match_participant.result is not null
      order by match_participant.match_id, match_participant.ordinal`);
    const byMatch = Map.groupBy(rows, (row) => row.matchId);
    return matchIds.map((id) => (byMatch.get(id) ?? []).map(wholeEntry));
  };

  /** What athletes did, alone, in a pair or relay, or in a team sheet, a page each, the latest first. */
  const pagesOfAthletes: BatchRead<PageKey, ParticipantResultPage> = async (keys, context) => {
    const { viewer } = context;
    const known = await visibleAthleteIds(
      context,
      keys.map(({ owner }) => owner),
    );
    const list = {
      name: 'results.ofAthletes',
      columns: entryColumns,
      table: 'match_participant',
      from: sql`match_participant join result on result.match_id = match_participant.match_id`,
      owner: 'athlete_ids',
      owned: sql`match_participant.athlete_ids @> array[owner.id]`,
      where: [
        sql`match_participant.result is not null`,
        seenResults(viewer),
        sql`owner.id = any(${[...known]}::uuid[])`,
        ...(viewer.sport ? [sql`result.sport = ${viewer.sport}`] : []),
      ],
      sort: {
        column: sql`match_participant.starts_at`,
        type: 'timestamptz',
        direction: 'desc',
        value: (row: EntryRow) => row.startsAt,
      },
    } as const;
    return (await readPages<EntryRow>(database, cursors, list, keys)).map(wholePage);
  };

  return {
    byId,
    ofMatch,
    participants,
    pagesOfAthletes,
    async list(context: Context, args: QueryResultsArgs): Promise<ResultPage> {
      const { viewer } = context;
      const filter = args.filter ?? {};
      const [athletes, teams] = await Promise.all([
        filter.athleteId ? visibleAthleteIds(context, [filter.athleteId]) : null,
        filter.teamId ? teamsById(context, [filter.teamId]) : null,
      ]);
      // What the viewer may not know of answers like what there is not.
      const hidden = (!!athletes && athletes.size === 0) || (!!teams && !isTeamVisible(teams.get(filter.teamId ?? ''), viewer));
      const where = [...resultConditions(viewer, filter), ...(hidden ? [sql`false`] : [])];
      const sort = args.sort ?? 'START_TIME_DESC';
      const list = { name: 'results.list', resource: resultResource, where, sort: resultSorts[sort], order: sort };
      return readList({ database, cursors }, list, viewer, args);
    },
    /** The versions of a result that the viewer may see, the latest first. */
    versions({ id, matchId }: ResultRow, args: PageArguments): Promise<ResultVersionPage> {
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
    },
  };
}

export type ResultStore = ReturnType<typeof createResultStore>;
