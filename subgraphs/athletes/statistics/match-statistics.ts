/** Computes statistics from matches: one row per athlete and match, and the totals of seasons and careers. */
import { entriesOf } from '../../../schema/records.ts';
import { bestMetrics, type MetricKey } from '../../../schema/metrics.ts';
import { metricsOf, type Sport } from '../../../schema/sports.ts';
import { countsScoring, isRecorded, metricCounters, type MatchFacts } from './match-counting.ts';

/** A computed row of statistics. Members that do not apply are null. */
export interface ComputedRow {
  readonly athleteId: string;
  readonly scope: 'MATCH' | 'SEASON' | 'CAREER';
  readonly sport: Sport;
  readonly matchId: string | null;
  readonly seasonId: string | null;
  readonly competitionId: string | null;
  readonly teamId: string | null;
  readonly eventCode: string | null;
  readonly matchesPlayed: number;
  readonly minutesPlayed: number | null;
  /** Number of matches with known minutes. */
  readonly matchesTimed: number | null;
  /** In the order of the metric registry. */
  readonly metrics: readonly { readonly key: MetricKey; readonly value: number }[];
  readonly asOf: string | null;
}

/** The rows of a match: one per athlete who played, when the match is published and its result counts. */
export function computeMatchRows(match: MatchFacts): ComputedRow[] {
  if (!match.published || !match.counts) return [];
  const { id: matchId, sport, seasonId, competitionId, eventCode, date } = match;
  const counters = entriesOf(metricCounters(sport, eventCode));
  const rows = match.participations.flatMap((participation): ComputedRow[] => {
    if (!participation.played) return [];
    const zeroOf = (key: MetricKey): number | null => (isRecorded(match, key) ? 0 : null);
    const values = new Map(counters.map(([key, count]) => [key, count?.(participation) ?? zeroOf(key)]));
    const { athleteId, teamId, minutes } = participation;
    const identity = { athleteId, sport, matchId, seasonId, competitionId, teamId, eventCode };
    const matchesTimed = minutes === null ? 0 : 1;
    return [{ ...identity, scope: 'MATCH', ...metricTotals(sport, values, 1, minutes), matchesTimed, asOf: date }];
  });
  // an athlete listed twice for a team counts once
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}

type MetricTotals = Pick<ComputedRow, 'matchesPlayed' | 'minutesPlayed' | 'metrics'>;

/** The metrics that have a value, including the ratios that derive from others. */
function metricTotals(
  sport: Sport,
  values: ReadonlyMap<MetricKey, number | null>,
  matchesPlayed: number,
  minutesPlayed: number | null,
): MetricTotals {
  const all = new Map<string, number | null>([...values, ['matchesPlayed', matchesPlayed], ['minutesPlayed', minutesPlayed]]);
  const metrics = metricsOf(sport).flatMap(({ key, unit, aggregation }) => {
    if (key === 'matchesPlayed' || key === 'minutesPlayed') return [];
    if (typeof aggregation === 'string') return { key, value: values.get(key) ?? null };
    const [numerator, denominator] = aggregation.ratio.map((of) => all.get(of) ?? null);
    if (typeof numerator !== 'number' || !denominator) return [];
    return { key, value: (numerator / denominator) * (unit === 'pct' ? 100 : 1) };
  });
  const known = metrics.flatMap(({ key, value }) => (value === null ? [] : [{ key, value }]));
  return { matchesPlayed, minutesPlayed, metrics: known };
}

/** Identifies a row among the computed ones. */
export const keyOf = (row: Omit<ComputedRow, keyof MetricTotals | 'matchesTimed' | 'asOf'>): string =>
  JSON.stringify([row.athleteId, row.scope, row.sport, row.matchId, row.seasonId, row.competitionId, row.teamId, row.eventCode]);

/** A season best counts as a personal best in the career row. */
const careerKeys: ReadonlyMap<MetricKey, MetricKey> = new Map(
  Object.values(bestMetrics).map(({ season, personal }) => [season, personal]),
);

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** Aggregates rows of matches into one, as the metric registry defines: sum, minimum or maximum. */
function aggregate(
  sport: Sport,
  rows: readonly ComputedRow[],
  isCareer: boolean,
): MetricTotals & Pick<ComputedRow, 'matchesTimed' | 'asOf'> {
  const values = Map.groupBy(
    rows.flatMap(({ metrics }) => metrics),
    ({ key }) => key,
  );
  const totals = metricsOf(sport).flatMap(({ key, aggregation }): [MetricKey, number][] => {
    const given = values.get(key)?.map(({ value }) => value) ?? [];
    if (given.length === 0) return [];
    // the other matches may have goals: only a complete record shows that there was none
    if (countsScoring(sport, key) && given.length < rows.length && sum(given) === 0) return [];
    const totalKey = (isCareer && careerKeys.get(key)) || key;
    if (aggregation === 'SUM') return [[totalKey, sum(given)]];
    if (aggregation === 'MIN') return [[totalKey, Math.min(...given)]];
    return aggregation === 'MAX' ? [[totalKey, Math.max(...given)]] : [];
  });
  const minutes = rows.flatMap(({ minutesPlayed }) => minutesPlayed ?? []);
  const days = rows.flatMap(({ asOf }) => asOf ?? []).toSorted();
  return {
    ...metricTotals(sport, new Map(totals), rows.length, minutes.length > 0 ? sum(minutes) : null),
    matchesTimed: sum(rows.map(({ matchesTimed }) => matchesTimed ?? 1)),
    asOf: days.at(-1) ?? null,
  };
}

/** Computes the season and career rows of any number of athletes from all rows of their matches. */
export function computeTotals(rows: readonly ComputedRow[]): ComputedRow[] {
  const scopes = {
    SEASON: (row: ComputedRow) => ({ ...row, scope: 'SEASON' as const, matchId: null }),
    CAREER: (row: ComputedRow) => ({
      ...row,
      scope: 'CAREER' as const,
      matchId: null,
      seasonId: null,
      competitionId: null,
      teamId: null,
    }),
  };
  return Object.values(scopes).flatMap((withScope) =>
    [...Map.groupBy(rows, (row) => keyOf(withScope(row))).values()].flatMap((group) => {
      const [first] = group;
      if (!first) return [];
      const total = withScope(first);
      return [{ ...total, ...aggregate(total.sport, group, total.scope === 'CAREER') }];
    }),
  );
}
