/** Reads the best marks of an event over all seasons, of public athletes only. Equal marks share a position, also across pages. */
import { join, sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { athletesById } from '../../clients/athlete-facts.ts';
import type { Context } from '../../runtime/subgraph.ts';
import { ascending } from '../rankings/placing.ts';
import type { CompetitionCategory } from '../generated/resolvers.ts';
import type { MarksRequest } from '../season-rankings/filter.ts';
import type { RankingPlace } from '../season-rankings/rows.ts';
import { courses, type BestMark } from './rules.ts';

/** The cursor of a row: its sort value, the number of rows before it, its position, and the best mark of the list. */
export type MarkKey = readonly [rankValue: number, before: number, position: number, best: number];

export type MarkPlace = RankingPlace & { readonly id: string; readonly key: MarkKey };

const categories: readonly CompetitionCategory[] = ['MEN', 'WOMEN', 'MIXED', 'OPEN'];
const allCourses = ['', ...courses];

interface MarkRow extends BestMark {
  readonly rankValue: number;
  readonly seasonId: string;
  readonly contestId: string;
  readonly stageId: string;
}

/** Marks after a key, in order. Of an athlete in several of the lists, only the best mark. Every list is read along its index. */
function readMarks(
  database: Queryable,
  { sport, eventCode, category, course }: MarksRequest,
  limit: number,
  after: { readonly rankValue: number; readonly athleteId: string } | null,
): Promise<MarkRow[]> {
  const lists = {
    categories: category === null ? [...categories] : [category],
    courses: course === null ? allCourses : [course],
  };
  const where: Sql[] = [
    sql`mark.sport = ${sport} and mark.event_code = ${eventCode} and mark.category = of.category and mark.course = held.course`,
  ];
  if (after) where.push(sql`(mark.rank_value, mark.athlete_id) > (${after.rankValue}::bigint, ${after.athleteId}::uuid)`);
  if (category === null || course === null) {
    where.push(sql`not exists (select from best_mark better where better.athlete_id = mark.athlete_id and better.sport = mark.sport
      and better.event_code = mark.event_code and better.category = any(${lists.categories}::text[]) and better.course = any(${lists.courses}::text[])
      and (better.rank_value, better.category, better.course) < (mark.rank_value, mark.category, mark.course))`);
  }
  return database.query<MarkRow>(sql`/* bestMarks.list */
    select mark.athlete_id as "athleteId", mark.value, mark.unit, mark.rank_value as "rankValue", mark.wind_mm_per_s as "windMmPerS",
      mark.match_id as "matchId", mark.participant_id as "participantId", mark.held_on as "heldOn",
      match.season_id as "seasonId", match.contest_id as "contestId", match.stage_id as "stageId"
    from unnest(${lists.categories}::text[]) as of(category) cross join unnest(${lists.courses}::text[]) as held(course)
    cross join lateral (select * from best_mark mark where ${join(where, ' and ')} order by mark.rank_value, mark.athlete_id limit ${limit}) mark
    join match on match.id = mark.match_id
    order by mark.rank_value, mark.athlete_id limit ${limit}`);
}

/** Maximum number of reads for one page, and their minimum size from the second read on. */
const roundsMax = 20;
const roundSize = 500;

/** The positions of sorted marks after a key. `next` is the first mark of the next page. */
function placed(marks: readonly MarkRow[], from: MarkKey | null, next: MarkRow | undefined): MarkPlace[] {
  let [lastValue, before, position] = from ? [from[0], from[1] + 1, from[2]] : [null, 0, 0];
  const best = from?.[3] ?? marks[0]?.rankValue ?? 0;
  const neighbors = [...marks, ...(next ? [next] : [])];
  return marks.map((mark, index): MarkPlace => {
    const { rankValue, athleteId, participantId, matchId, seasonId, contestId, stageId, value, unit, windMmPerS } = mark;
    const isTied = lastValue === rankValue;
    if (!isTied) position = before + 1;
    const key: MarkKey = [rankValue, before, position, best];
    [lastValue, before] = [rankValue, before + 1];
    const shared = isTied || neighbors[index + 1]?.rankValue === rankValue;
    const scope = { method: 'BEST_MARK', seasonId, contestId, stageId, groupName: null, classification: null } as const;
    const gap = Math.abs(rankValue - best);
    const row = {
      position,
      shared,
      vacated: false,
      participantId,
      mark: { value, unit },
      gap,
      windMmPerS,
      windAssisted: false,
      matchId,
    };
    return { ...scope, ...row, id: athleteId, key };
  });
}

/**
 * At most `limit` rows after a key. Athletes without a public profile are skipped, and positions have no gap for them: a gap would reveal them.
 * The athletes area is queried for the athletes of the page, and for more only while the page is not full.
 */
export async function readBestMarks(
  database: Queryable,
  context: Context,
  request: MarksRequest,
  limit: number,
  after: { readonly key: MarkKey; readonly id: string } | null,
): Promise<MarkPlace[]> {
  const { sport } = context.viewer;
  if (sport !== null && sport !== request.sport) return [];
  const visible: MarkRow[] = [];
  let from = after && { rankValue: after.key[0], athleteId: after.id };
  for (let round = 0; round < roundsMax && visible.length < limit; round += 1) {
    const wanted = round === 0 ? limit : Math.max(limit, roundSize);
    const marks = await readMarks(database, request, wanted, from);
    const athletes = await athletesById(
      context,
      marks.map(({ athleteId }) => athleteId),
    );
    visible.push(...marks.filter(({ athleteId }) => athletes.get(athleteId)?.public === true));
    const last = marks.at(-1);
    if (!last || marks.length < wanted) break;
    from = { rankValue: last.rankValue, athleteId: last.athleteId };
  }
  const sorted = visible.toSorted(
    (one, other) => ascending(one.rankValue, other.rankValue) || ascending(one.athleteId, other.athleteId),
  );
  return placed(sorted.slice(0, limit), after?.key ?? null, sorted[limit]);
}
