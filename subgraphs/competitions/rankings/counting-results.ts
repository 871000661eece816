/** Rankings by the best results: POINTS_BEST_N over all results, ROLLING_52W over 52 weeks (ATP Rulebook IX: the best 19). */
import { sum } from './accumulated-time.ts';
import { ascending, place } from './placing.ts';

export interface PointsResult {
  readonly resultId: string;
  readonly competitorId: string;
  readonly points: number;
  /** The date on which the points were awarded, YYYY-MM-DD. */
  readonly on: string;
}

export interface CountingResult extends PointsResult {
  /** The first date on which the result no longer counts. Null where results never expire. */
  readonly dropsOn: string | null;
}

export interface BestResultsRow {
  readonly rank: number;
  readonly shared: boolean;
  readonly competitorId: string;
  readonly points: number;
  /** The results that the points come from, most points first. */
  readonly countingResults: readonly CountingResult[];
  /** Number of results in the window, including those that do not count. */
  readonly results: number;
  /** The next date on which a counting result expires, the results, and the points on that date without new results. */
  readonly nextDrop: { readonly on: string; readonly resultIds: readonly string[]; readonly pointsAfter: number } | null;
  /** The rank at the earlier date. Null without a rank at that date, and without an earlier date. */
  readonly previousRank: number | null;
}

export interface BestResultsOptions {
  /** Number of results that count. */
  readonly best: number;
  /** 52 for ROLLING_52W. Default: results never expire. */
  readonly weeks?: number;
  /** YYYY-MM-DD. Later results are ignored. */
  readonly asOf: string;
  /** The date that `previousRank` compares with. */
  readonly previousAsOf?: string;
}

const dayMs = 86_400_000;

/** The date that many weeks later, YYYY-MM-DD. */
const weeksAfter = (day: string, weeks: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + weeks * 7 * dayMs).toISOString().slice(0, 10);

/**
 * Most points first; equal points share a rank. A result counts from its date on, and in a window of weeks until the day before the same
 * weekday that many weeks later. Of results with equal points the later one counts, then the one with the lower ID.
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
