/** Rankings by the best results: POINTS_BEST_N over all of them, ROLLING_52W over the last 52 weeks (ATP Rulebook IX: the best 19). */
import { sum } from './accumulated-time.ts';
import { ascending, place } from './placing.ts';

export interface PointsResult {
  readonly resultId: string;
  readonly competitorId: string;
  readonly points: number;
  /** The day the points were awarded, YYYY-MM-DD. */
  readonly on: string;
}

export interface CountingResult extends PointsResult {
  /** The first day on which it no longer counts; null where results never drop. */
  readonly dropsOn: string | null;
}

export interface BestResultsRow {
  readonly rank: number;
  readonly shared: boolean;
  readonly competitorId: string;
  readonly points: number;
  /** The results whose points are the sum, most points first. */
  readonly countingResults: readonly CountingResult[];
  /** Results of the window, those that do not count included. */
  readonly results: number;
  /** The next day on which a counting result drops, which ones, and the points of that day if nothing new comes. */
  readonly nextDrop: { readonly on: string; readonly resultIds: readonly string[]; readonly pointsAfter: number } | null;
  /** The rank at the earlier date; null for whoever had none, and without an earlier date. */
  readonly previousRank: number | null;
}

export interface BestResultsOptions {
  /** How many results count. */
  readonly best: number;
  /** ROLLING_52W is 52. Absent: results never drop. */
  readonly weeks?: number;
  /** YYYY-MM-DD; later results do not exist yet. */
  readonly asOf: string;
  /** The date that `previousRank` compares with. */
  readonly previousAsOf?: string;
}

const dayMs = 86_400_000;

/** The day a number of weeks later, both YYYY-MM-DD. */
const weeksAfter = (day: string, weeks: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + weeks * 7 * dayMs).toISOString().slice(0, 10);

/**
 * Most points first, equal points share a rank. A result counts from its day on, and in a window of weeks until the day before the same
 * weekday that many weeks later. Between results of equal points the later one counts, then the lower id.
 */
export function rankByBestResults(results: readonly PointsResult[], options: BestResultsOptions): BestResultsRow[] {
  const { best, weeks, asOf, previousAsOf } = options;
  const dated = results.map((result) => ({ ...result, dropsOn: weeks === undefined ? null : weeksAfter(result.on, weeks) }));
  const rows = placeOn(dated, best, asOf);
  const previous = new Map(
    previousAsOf === undefined ? [] : placeOn(dated, best, previousAsOf).map(({ item, rank }) => [item.competitorId, rank]),
  );
  return rows.map(({ item: { competitorId, own, counting, points }, rank, shared }) => ({
    rank,
    shared,
    competitorId,
    points,
    countingResults: counting,
    results: own.length,
    nextDrop: nextDropOf(own, counting, best),
    previousRank: previous.get(competitorId) ?? null,
  }));
}

interface Standing {
  readonly competitorId: string;
  readonly own: readonly CountingResult[];
  readonly counting: readonly CountingResult[];
  readonly points: number;
}

function placeOn(results: readonly CountingResult[], best: number, day: string) {
  const live = results.filter((result) => result.on <= day && (result.dropsOn === null || day < result.dropsOn));
  const standings = [...Map.groupBy(live, ({ competitorId }) => competitorId)].map(([competitorId, own]): Standing => {
    const counting = bestOf(own, best);
    return { competitorId, own, counting, points: sum(counting, ({ points }) => points) };
  });
  return place(standings, { by: (one, other) => other.points - one.points, idOf: ({ competitorId }) => competitorId });
}

const bestOf = (results: readonly CountingResult[], best: number): CountingResult[] =>
  results
    .toSorted((one, other) => other.points - one.points || ascending(other.on, one.on) || ascending(one.resultId, other.resultId))
    .slice(0, best);

function nextDropOf(
  own: readonly CountingResult[],
  counting: readonly CountingResult[],
  best: number,
): BestResultsRow['nextDrop'] {
  const [on] = counting.flatMap(({ dropsOn }) => dropsOn ?? []).toSorted();
  if (on === undefined) return null;
  const left = own.filter(({ dropsOn }) => dropsOn === null || on < dropsOn);
  return {
    on,
    resultIds: counting.filter(({ dropsOn }) => dropsOn === on).map(({ resultId }) => resultId),
    pointsAfter: sum(bestOf(left, best), ({ points }) => points),
  };
}
