/** Statistics that are counted from matches: a row of each athlete and match, and the seasons and careers that they add up to. */
import { bestMetrics, type MetricKey } from '../../../schema/metrics.ts';
import { metricsOf, type Sport } from '../../../schema/sports.ts';
import { metricCounters, type MetricCounter, type MatchFacts } from './match-counting.ts';

/** A row of statistics as it is counted; absent members are null. */
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
  /** Of how many of the matches the minutes are known. */
  readonly matchesTimed: number | null;
  /** In the order of the registry. */
  readonly metrics: readonly { readonly key: MetricKey; readonly value: number }[];
  readonly asOf: string | null;
}

/** The rows of a match: one of each athlete who played, where everybody may see it and its result counts. */
export function computeMatchRows(match: MatchFacts): ComputedRow[] {
  if (!match.published || !match.counts) return [];
  const { id: matchId, sport, seasonId, competitionId, eventCode, date } = match;
  const counted = Object.entries(metricCounters(sport, eventCode)) as [MetricKey, MetricCounter][];
  const rows = match.participations.flatMap((participation): ComputedRow[] => {
    if (!participation.played) return [];
    const values = new Map(counted.map(([key, count]) => [key, count(participation)]));
    const { athleteId, teamId, minutes } = participation;
    const place = { athleteId, sport, matchId, seasonId, competitionId, teamId, eventCode };
    const timed = minutes === null ? 0 : 1;
    return [{ ...place, scope: 'MATCH', ...metricTotals(sport, values, 1, minutes), matchesTimed: timed, asOf: date }];
  });
  // Who is named twice for one team took part once.
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}

type MetricTotals = Pick<ComputedRow, 'matchesPlayed' | 'minutesPlayed' | 'metrics'>;

/** The metrics that have a value, with the ratios that follow from them. */
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

/** Names a row among those of its source. */
export const keyOf = (row: Omit<ComputedRow, keyof MetricTotals | 'matchesTimed' | 'asOf'>): string =>
  JSON.stringify([row.athleteId, row.scope, row.sport, row.matchId, row.seasonId, row.competitionId, row.teamId, row.eventCode]);

/** The best of a season is the best of a career under another name. */
const careerKeys: ReadonlyMap<MetricKey, MetricKey> = new Map(
  Object.values(bestMetrics).map(({ season, personal }) => [season, personal]),
);

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** The rows of matches as one: sums are added, the lowest or highest is kept, as the registry of metrics says. */
function summed(
  sport: Sport,
  rows: readonly ComputedRow[],
  isCareer: boolean,
): MetricTotals & Pick<ComputedRow, 'matchesTimed' | 'asOf'> {
  const values = Map.groupBy(
    rows.flatMap(({ metrics }) => metrics),
    ({ key }) => key,
  );
  const one = metricsOf(sport).flatMap(({ key, aggregation }): [MetricKey, number][] => {
    const given = values.get(key)?.map(({ value }) => value) ?? [];
    if (given.length === 0) return [];
    const as = (isCareer && careerKeys.get(key)) || key;
    if (aggregation === 'SUM') return [[as, sum(given)]];
    if (aggregation === 'MIN') return [[as, Math.min(...given)]];
    return aggregation === 'MAX' ? [[as, Math.max(...given)]] : [];
  });
  const minutes = rows.flatMap(({ minutesPlayed }) => minutesPlayed ?? []);
  const days = rows.flatMap(({ asOf }) => asOf ?? []).toSorted();
  return {
    ...metricTotals(sport, new Map(one), rows.length, minutes.length > 0 ? sum(minutes) : null),
    matchesTimed: sum(rows.map(({ matchesTimed }) => matchesTimed ?? 1)),
    asOf: days.at(-1) ?? null,
  };
}

/** Seasons and careers from the rows of matches: all of an athlete's, of any number of athletes. */
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
  return Object.values(scopes).flatMap((placed) =>
    [...Map.groupBy(rows, (row) => keyOf(placed(row))).values()].flatMap((group) => {
      const [first] = group;
      if (!first) return [];
      const place = placed(first);
      return [{ ...place, ...summed(place.sport, group, place.scope === 'CAREER') }];
    }),
  );
}
