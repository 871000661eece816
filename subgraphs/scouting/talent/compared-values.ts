/** What of an athlete's seasons is compared with others: of each event the season that counts, beside the season before. */
import { metricsOf, sportNames, sports, type Sport } from '../../../schema/sports.ts';

/** A season as the athletes area tells it. */
export interface PlayedSeason {
  readonly sport: Sport;
  readonly seasonId: string | null;
  readonly competitionId: string | null;
  readonly eventCode: string | null;
  readonly source: string;
  readonly matchesPlayed: number | null;
  readonly minutesPlayed: number | null;
  /** Of how many of the matches the minutes are known; null: of all. */
  readonly matchesTimed: number | null;
  /** YYYY-MM-DD. */
  readonly asOf: string | null;
  readonly metrics: readonly { readonly key: string; readonly value: number }[];
}

/** A number to be compared. */
export interface ComparedValue {
  readonly metric: string;
  /** Empty where the sport has no events. */
  readonly eventCode: string;
  /** As it was counted or provided. */
  readonly value: number;
  /** Of a whole match, or the mark or share itself; times -1 where lower is better. */
  readonly rate: number;
  readonly rateBefore: number | null;
  /** Whole matches that the number is of. */
  readonly matches: number;
  readonly matchesBefore: number | null;
  readonly source: string;
  readonly asOf: string | null;
}

/** Minutes of a whole match, where a clock ends it. */
const matchMinutes: Partial<Record<Sport, number>> = { FOOTBALL: 90, BASKETBALL: 40, HANDBALL: 60, RUGBY: 80 };

/** Fewer matches of a season say little of it: the season before counts until there are more. A mark needs one. */
const matchesMin = 5;

/** What others are divided by says nothing of how well somebody plays. */
const played: ReadonlySet<string> = new Set(['matchesPlayed', 'minutesPlayed']);

/** Metrics by which athletes of a sport are compared: those of which one value is better than another. */
const comparedIn = new Map(
  sportNames.map((sport) => [
    sport,
    metricsOf(sport).filter(({ key, direction }) => direction !== 'NEUTRAL' && !played.has(key)),
  ]),
);

/** Whole matches of a season: by the minutes where they are known of every match. A mark without matches was made in one. */
function wholeMatches({ sport, matchesPlayed, minutesPlayed, matchesTimed }: PlayedSeason): number {
  const length = matchMinutes[sport];
  const timed = matchesTimed === null || matchesTimed === matchesPlayed;
  if (length !== undefined && minutesPlayed !== null && timed) return minutesPlayed / length;
  return matchesPlayed ?? 1;
}

const latest = (one: PlayedSeason, other: PlayedSeason): number => (other.asOf ?? '').localeCompare(one.asOf ?? '');
const most = (one: PlayedSeason, other: PlayedSeason): number => wholeMatches(other) - wholeMatches(one);
const text = (one: string | null, other: string | null): number => (one ?? '').localeCompare(other ?? '');

/** One row of each season: what was counted before what was provided, of several teams that of most matches. */
function seasonsOf(rows: readonly PlayedSeason[]): PlayedSeason[] {
  return [...Map.groupBy(rows, ({ seasonId }) => seasonId).values()].flatMap((same) =>
    same.toSorted((one, other) => text(one.source, other.source) || most(one, other) || latest(one, other)).slice(0, 1),
  );
}

const isEnough = (season: PlayedSeason): boolean => season.eventCode !== null || wholeMatches(season) >= matchesMin;

interface Counting {
  readonly now: PlayedSeason;
  readonly before: PlayedSeason | null;
}

/** A competition of which the last season was so long before that of another says nothing of now. */
const yearMs = 366 * 86_400_000;

const timeOf = ({ asOf }: PlayedSeason): number => (asOf === null ? 0 : Date.parse(asOf));

/** The last two seasons of one competition that say enough; of several competitions of the last year, where the athlete played most. */
function countingOf(rows: readonly PlayedSeason[]): Counting | null {
  const competitions = [...Map.groupBy(rows, ({ competitionId, seasonId }) => competitionId ?? seasonId).values()].flatMap(
    (of): Counting[] => {
      const seasons = seasonsOf(of).toSorted((one, other) => latest(one, other) || text(one.seasonId, other.seasonId));
      const [now, before] = seasons.some(isEnough) ? seasons.filter(isEnough) : seasons;
      return now ? [{ now, before: before ?? null }] : [];
    },
  );
  const enough = competitions.some(({ now }) => isEnough(now)) ? competitions.filter(({ now }) => isEnough(now)) : competitions;
  const newest = Math.max(...enough.map(({ now }) => timeOf(now)));
  const [first] = enough
    .filter(({ now }) => timeOf(now) > newest - yearMs)
    .sort(
      (one, other) =>
        most(one.now, other.now) || latest(one.now, other.now) || text(one.now.competitionId, other.now.competitionId),
    );
  return first ?? null;
}

/** The numbers of one athlete that are compared in a sport, each metric of each event once. The same seasons in any order give the same. */
export function comparedValuesOf(seasons: readonly PlayedSeason[], sport: Sport): ComparedValue[] {
  const rows = seasons.filter((season) => season.sport === sport && season.source !== 'SELF_REPORTED');
  return [...Map.groupBy(rows, ({ eventCode }) => eventCode)].flatMap(([eventCode, of]) => {
    const counting = countingOf(of);
    if (counting === null) return [];
    const { now, before } = counting;
    return (comparedIn.get(sport) ?? []).flatMap(({ key, direction, aggregation }): ComparedValue[] => {
      const rateOf = (season: PlayedSeason | null): number | null => {
        const value = season?.metrics.find((each) => each.key === key)?.value;
        if (season === null || value === undefined) return null;
        const matches = season.matchesPlayed === null && season.minutesPlayed === null ? 0 : wholeMatches(season);
        if (aggregation === 'SUM' && matches === 0) return null;
        return (direction === 'LOWER_IS_BETTER' ? -1 : 1) * (aggregation === 'SUM' ? value / matches : value);
      };
      const rate = rateOf(now);
      const value = now.metrics.find((each) => each.key === key)?.value;
      if (rate === null || value === undefined) return [];
      const rateBefore = rateOf(before);
      return [
        {
          metric: key,
          eventCode: eventCode ?? '',
          value,
          rate,
          rateBefore,
          matches: wholeMatches(now),
          matchesBefore: before && rateBefore !== null ? wholeMatches(before) : null,
          source: now.source,
          asOf: now.asOf,
        },
      ];
    });
  });
}

/** Whether numbers of a metric are kept that are of no event: only they tell whether somebody meets what is asked. */
export function isCompared(sport: Sport, key: string): boolean {
  return Object.keys(sports[sport].eventCodes).length === 0 && (comparedIn.get(sport) ?? []).some((each) => each.key === key);
}
