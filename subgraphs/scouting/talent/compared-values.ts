/** Selects the values of an athlete's seasons that are compared: those of one season for each event, with the previous season. */
import type { MetricRow } from '../../../schema/metrics.ts';
import { metricsOf, sportNames, sports, type Sport } from '../../../schema/sports.ts';
import { fullMatches, perFullMatch, playingTimeMetrics } from '../../runtime/full-matches.ts';

/** A season as the athletes area publishes it. */
export interface PlayedSeason {
  readonly sport: Sport;
  readonly seasonId: string | null;
  readonly competitionId: string | null;
  readonly eventCode: string | null;
  readonly source: string;
  readonly matchesPlayed: number | null;
  readonly minutesPlayed: number | null;
  /** Number of matches with known minutes. Null for all. */
  readonly matchesTimed: number | null;
  /** YYYY-MM-DD. */
  readonly asOf: string | null;
  readonly metrics: readonly { readonly key: string; readonly value: number }[];
}

/** A metric value that is compared. */
export interface ComparedValue {
  readonly metric: string;
  /** Empty for sports without events. */
  readonly eventCode: string;
  /** The value as computed or provided. */
  readonly value: number;
  /** The value per full match, or the mark or share; negated if lower is better. */
  readonly rate: number;
  readonly rateBefore: number | null;
  /** Number of full matches. */
  readonly matches: number;
  readonly matchesBefore: number | null;
  readonly source: string;
  readonly asOf: string | null;
}

/** A season with fewer full matches is not representative: the previous season is scored instead. A mark needs one match. */
export const matchesMin = 5;

/** The compared metrics of each sport: those with a better and a worse direction. */
const comparedIn = new Map(
  sportNames.map((sport) => [
    sport,
    metricsOf(sport).filter(({ key, direction }) => direction !== 'NEUTRAL' && !playingTimeMetrics.has(key)),
  ]),
);

const timeOf = ({ asOf }: PlayedSeason): number => (asOf === null ? 0 : Date.parse(asOf));
/** The keys of the metrics by which athletes of a sport are compared. */
export const comparedMetrics = (sport: Sport): readonly string[] => (comparedIn.get(sport) ?? []).map(({ key }) => key);

const byDate = (one: PlayedSeason, other: PlayedSeason): number => (other.asOf ?? '').localeCompare(one.asOf ?? '');
const byMatches = (one: PlayedSeason, other: PlayedSeason): number => fullMatches(other) - fullMatches(one);
const byText = (one: string | null, other: string | null): number => (one ?? '').localeCompare(other ?? '');

/** A season with its rows by source, COMPUTED before PROVIDER. The first row has the metrics that both have, and the date of the season. */
interface MergedSeason {
  readonly main: PlayedSeason;
  readonly rows: readonly PlayedSeason[];
}

/** Each season once. Of several teams, the row with the most matches counts. */
function seasonsOf(rows: readonly PlayedSeason[]): MergedSeason[] {
  return [...Map.groupBy(rows, ({ seasonId }) => seasonId).values()].flatMap((same) => {
    const sorted = same.toSorted((one, other) => byText(one.source, other.source) || byMatches(one, other) || byDate(one, other));
    const bySource = [...Map.groupBy(sorted, ({ source }) => source).values()].flatMap((ofSource) => ofSource.slice(0, 1));
    const [main] = bySource;
    return main ? [{ main, rows: bySource }] : [];
  });
}

/** Whether a season is representative. */
const isRepresentative = ({ main }: MergedSeason): boolean => main.eventCode !== null || fullMatches(main) >= matchesMin;

/** The season that is scored, and the season before. */
interface ScoredSeasons {
  readonly current: MergedSeason;
  readonly previous: MergedSeason | null;
}

/** A competition whose last season ended more than a year before that of another is outdated. */
const yearMs = 366 * 86_400_000;

/**
 * The last two representative seasons of one competition. Of several competitions within a year, the one in which the athlete played most
 * is scored.
 */
function scoredSeasonsOf(rows: readonly PlayedSeason[]): ScoredSeasons | null {
  const competitions = [...Map.groupBy(rows, ({ competitionId, seasonId }) => competitionId ?? seasonId).values()].flatMap(
    (all): ScoredSeasons[] => {
      const seasons = seasonsOf(all).toSorted(
        ({ main: one }, { main: other }) => byDate(one, other) || byText(one.seasonId, other.seasonId),
      );
      const [current, previous] = seasons.some(isRepresentative) ? seasons.filter(isRepresentative) : seasons;
      return current ? [{ current, previous: previous ?? null }] : [];
    },
  );
  const representative = competitions.filter(({ current }) => isRepresentative(current));
  const candidates = representative.length > 0 ? representative : competitions;
  const newest = Math.max(...candidates.map(({ current }) => timeOf(current.main)));
  const [first] = candidates
    .filter(({ current }) => timeOf(current.main) > newest - yearMs)
    .sort(
      ({ current: { main: one } }, { current: { main: other } }) =>
        byMatches(one, other) || byDate(one, other) || byText(one.competitionId, other.competitionId),
    );
  return first ?? null;
}

interface SeasonValue {
  readonly value: number;
  readonly rate: number;
  /** The row that has the value. */
  readonly row: PlayedSeason;
}

/** The value of a metric in a season: the computed one, or the provided one if the computed row lacks it. Null if it has no rate. */
function valueIn(
  season: MergedSeason | null,
  { key, direction, aggregation }: MetricRow & { readonly key: string },
): SeasonValue | null {
  for (const row of season?.rows ?? []) {
    const value = row.metrics.find((each) => each.key === key)?.value;
    if (value === undefined) continue;
    const rate = aggregation === 'SUM' ? perFullMatch(value, row) : value;
    return rate === null ? null : { value, rate: (direction === 'LOWER_IS_BETTER' ? -1 : 1) * rate, row };
  }
  return null;
}

/** The compared values of an athlete in a sport, one for each metric of each event. The order of the seasons has no effect. */
export function comparedValuesOf(seasons: readonly PlayedSeason[], sport: Sport): ComparedValue[] {
  const rows = seasons.filter((season) => season.sport === sport && season.source !== 'SELF_REPORTED');
  return [...Map.groupBy(rows, ({ eventCode }) => eventCode)].flatMap(([eventCode, ofEvent]) => {
    const scored = scoredSeasonsOf(ofEvent);
    if (scored === null) return [];
    const { current, previous } = scored;
    return (comparedIn.get(sport) ?? []).flatMap((metric): ComparedValue[] => {
      const found = valueIn(current, metric);
      if (found === null) return [];
      const before = valueIn(previous, metric);
      return [
        {
          metric: metric.key,
          eventCode: eventCode ?? '',
          value: found.value,
          rate: found.rate,
          rateBefore: before?.rate ?? null,
          matches: fullMatches(found.row),
          matchesBefore: before && fullMatches(before.row),
          source: found.row.source,
          asOf: found.row.asOf,
        },
      ];
    });
  });
}

/** Whether the values of a metric are compared without an event. Only such values can show whether an athlete meets a requirement. */
export function isCompared(sport: Sport, key: string): boolean {
  return Object.keys(sports[sport].eventCodes).length === 0 && (comparedIn.get(sport) ?? []).some((each) => each.key === key);
}
