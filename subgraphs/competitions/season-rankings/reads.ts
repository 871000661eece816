/** Rankings: the reads. What is stored is read as it is; what is asked for as of a day, a matchday or live is made from the same facts. */
import { Problem } from '../../../schema/errors.ts';
import { fingerprintOf } from '../../../platform/lists/cursor.ts';
import { sql } from '../../../platform/database/database.ts';
import type { ListServices } from '../../../platform/lists/list.ts';
import { pageOf, type Sort } from '../../../platform/lists/page.ts';
import { ascending } from '../rankings/placing.ts';
import type { Context } from '../../runtime/subgraph.ts';
import type { QueryRankingsArgs } from '../resolvers.generated.ts';
import { rankTouched, stagesOf, touchedBy } from './scope.ts';
import { readBestMarks, type MarkKey } from '../best-marks/reads.ts';
import type { CompetitionStore } from '../competitions/reads.ts';
import { readFacts, readFrames } from './season-facts.ts';
import { listedPlace, readListed, seasonOf, type ListedPlace, type RankingKey } from './page.ts';
import { readRankingRequest, type RankingRequest, type SeasonRequest } from './filter.ts';
import type { RankingPage, RankingPlace } from './rows.ts';
import { readRolling } from './rolling-reads.ts';

const pageSize = 20;

/** The most matches that a ranking is made from while somebody waits for it. */
const matchesMax = 5_000;

type Position = { readonly key: RankingKey | MarkKey; readonly id: string } | null;
type Placed = RankingPlace & { readonly id: string; readonly key: RankingKey | MarkKey };

/** Rows come in order; only what a cursor holds matters of the sort. */
const byKey: Sort<Placed> = { column: sql`key`, type: 'int', direction: 'asc', value: ({ key }) => key };

function compareKeys(one: Placed, key: readonly (number | string)[], id: string): number {
  const own: readonly (number | string)[] = [...one.key, one.id];
  const other = [...key, id];
  return own.map((each, index) => ascending(each, other[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** Reads of rankings over the area's database. */
export function createRankingStore({ database, cursors }: ListServices, competitions: CompetitionStore) {
  /** All rows of what is asked for, made from facts; null when there is no such season that the viewer may see. */
  async function compute({ viewer }: Context, request: SeasonRequest): Promise<ListedPlace[] | null> {
    const { contestId, stageId, group, type, classification } = request;
    const [season] = await database.query<{ id: string }>(sql`/* rankings.season */ ${seasonOf(request, viewer)}`);
    const [frame] = season ? await readFrames(database, [season.id]) : [];
    if (!frame) return null;
    const scope = { seasonId: frame.season.id, contestId, stageId, groupName: null };
    const touched = touchedBy(frame, [scope]);
    const stageIds = stagesOf(frame, touched);
    const [size] = await database.query<{ matches: number }>(sql`/* rankings.size */ select count(*)::int as matches from (
      select from match where stage_id = any(${stageIds}::uuid[]) limit ${matchesMax + 1}) as counted`);
    if (size && size.matches > matchesMax) {
      const detail = `More than ${matchesMax} matches would have to be counted as of then: name a contestId or stageId.`;
      throw new Problem('parameter_invalid', detail, { errors: [{ parameter: 'stageId', code: 'required', detail }] });
    }
    const facts = await readFacts(database, frame, stageIds);
    const ordinals = new Map(frame.contests.map(({ id, ordinal }) => [id, ordinal]));
    return rankTouched(facts, touched, request)
      .filter((ranking) => ranking.type === type && (contestId === null || ranking.contestId === contestId))
      .filter((ranking) => (stageId === null || ranking.stageId === stageId) && (group === null || ranking.groupName === group))
      .filter((ranking) => classification === null || ranking.classification === classification)
      .flatMap(({ id: rankingId, rows, ordinal, method, groupName, ...of }) => {
        const contestOrdinal = of.contestId === null ? null : (ordinals.get(of.contestId) ?? 0);
        const head = { rankingId, ordinal, contestOrdinal, method, groupName };
        const { contestId: inContest, stageId: inStage, classification: classified } = of;
        return rows.map((row) =>
          listedPlace({ ...head, contestId: inContest, stageId: inStage, classification: classified }, row),
        );
      })
      .toSorted((one, other) => compareKeys(one, other.key, other.id));
  }

  async function ofSeason(context: Context, request: SeasonRequest, limit: number, after: Position): Promise<Placed[] | null> {
    const isStored = request.asOf === null && request.matchday === null && !request.live;
    // a cursor belongs to one list: it holds the keys of that one
    const position = after as { key: RankingKey; id: string } | null;
    if (isStored) return readListed(database, context.viewer, request, limit, position);
    const rows = await compute(context, request);
    return rows && rows.filter((row) => !after || compareKeys(row, after.key, after.id) > 0).slice(0, limit);
  }

  function rowsOf(context: Context, request: RankingRequest, limit: number, after: Position): Promise<Placed[] | null> {
    if (request.kind === 'SEASON') return ofSeason(context, request, limit, after);
    if (request.kind === 'MARKS')
      return readBestMarks(database, context, request, limit, after as { key: MarkKey; id: string } | null);
    return readRolling(database, context, competitions, request).then(
      (rows) => rows && rows.filter((row) => !after || compareKeys(row, after.key, after.id) > 0).slice(0, limit),
    );
  }

  return {
    /**
     * A page of a ranking; null when there is no such season or competition that the viewer may see.
     * Throws Problem parameter_invalid (400) where the filter names nothing or several things, cursor_invalid (400).
     */
    async list(context: Context, { first = pageSize, after, filter }: QueryRankingsArgs): Promise<RankingPage | null> {
      const request = readRankingRequest(filter);
      const fingerprint = fingerprintOf('rankings.list', [request, context.viewer.sport], null);
      const opened = after ? cursors.open(after, fingerprint) : null;
      // sealed by pageOf below: the key of a row, and its id
      const position = opened && { key: opened[0] as RankingKey, id: String(opened[1]) };
      const rows = await rowsOf(context, request, first + 1, position);
      return rows && pageOf(cursors, byKey, fingerprint, first, rows.slice(0, first + 1));
    },
  };
}

export type RankingStore = ReturnType<typeof createRankingStore>;
