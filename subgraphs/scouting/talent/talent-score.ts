/** The talent score (docs/matching.md): five components that add up, computed from where an athlete's numbers stand. */
import { metric } from '../../../schema/metrics.ts';
import type { Level, ScoreCode, Trend } from '../resolvers.generated.ts';
import { wholePoints } from '../matching/whole-points.ts';

export const modelVersion = '2-percentiles-growth';

/** Whom a number is compared with; null: whatever the age, position or level. */
export interface StandingCohort {
  readonly ageBand: string | null;
  readonly position: string | null;
  readonly level: Level | null;
  readonly n: number;
}

/** Where a number stands. Percentiles are whole, from 0 to 100. */
export interface Standing {
  readonly metric: string;
  /** Empty where the sport has no events. */
  readonly eventCode: string;
  /** As it was counted or provided. */
  readonly value: number;
  /** Whole matches that it is of. */
  readonly matches: number;
  readonly matchesBefore: number | null;
  /** Among all of the sport and category. */
  readonly overall: number | null;
  /** In the cohort. */
  readonly percentile: number;
  /** Where the number of the season before would stand in the same cohort. */
  readonly before: number | null;
  /** Of what came to it since the season before, among others. */
  readonly growth: number | null;
  readonly source: string;
  readonly asOf: string | null;
  readonly cohort: StandingCohort;
}

export interface ScoredFacts {
  readonly standings: readonly Standing[];
  /** Group of the athlete's position; null when it is not known. */
  readonly positionGroup: string | null;
  readonly level: Level | null;
  readonly verified: boolean;
}

export interface ScoreComponent {
  readonly code: ScoreCode;
  /** Share of the score, from 0 to 1. */
  readonly weight: number;
  /** From 0 to 1. */
  readonly value: number;
  /** Whole points. */
  readonly contribution: number;
  readonly text: string;
}

export interface TalentScore {
  /** From 0 to 100; exactly the sum of the contributions. */
  readonly talentScore: number;
  readonly components: ScoreComponent[];
  /** How much the matches behind the numbers say, from 0 to 1. */
  readonly confidence: number;
  /** Null where there is no season before. */
  readonly trend: Trend | null;
  /** Mean percentiles, before few matches are allowed for; null where nothing is compared. */
  readonly percentile: number | null;
  readonly ageAdjustedPercentile: number | null;
  readonly growthPercentile: number | null;
  /** The widest of the cohorts that its numbers are compared in. */
  readonly cohort: StandingCohort | null;
}

export const scoreWeights: Readonly<Record<ScoreCode, number>> = {
  PERFORMANCE: 0.45,
  GROWTH: 0.3,
  LEVEL: 0.15,
  CONSISTENCY: 0.05,
  VERIFICATION: 0.05,
};

/** The steps are equal, rounded to what is shown. */
const levels: Readonly<Record<Level, number>> = {
  GRASSROOTS: 0,
  SCHOOL: 0.17,
  ACADEMY: 0.33,
  REGIONAL: 0.5,
  NATIONAL: 0.67,
  INTERNATIONAL: 0.83,
  PROFESSIONAL: 1,
};

/** Matches after which the numbers say as much as that most people are in the middle: marks are luck to a lesser part. */
const halfWayMatches = 10;
const halfWayRaces = 3;

const middle = 0.5;
const mean = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
/** As it is shown. */
const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

/** How much so many matches say, from 0 to 1. */
function trust(matches: number, eventCode: string): number {
  return matches / (matches + (eventCode === '' ? halfWayMatches : halfWayRaces));
}

/** A mean percentile, drawn to the middle the more, the fewer matches it is of: (n·p + k·0.5) / (n + k). */
const shrunk = (percentile: number, trusted: number): number => trusted * (percentile / 100) + (1 - trusted) * middle;

/** Of an event: the mean of its numbers, and what few matches leave of it. */
interface Stand {
  readonly percentile: number;
  readonly value: number;
  readonly trusted: number;
  readonly of: readonly Standing[];
}

/**
 * The event that an athlete stands best in, by some percentile of its numbers; null where none is known. Each event by itself never
 * falls when a number rises, so the best one does not either.
 */
function best(
  standings: readonly Standing[],
  read: (standing: Standing) => { readonly percentile: number | null; readonly matches: number | null },
): Stand | null {
  const events = [...Map.groupBy(standings, ({ eventCode }) => eventCode)].flatMap(([eventCode, all]): Stand[] => {
    const known = all.flatMap((standing) => {
      const { percentile, matches } = read(standing);
      return percentile === null || matches === null ? [] : [{ standing, percentile, matches }];
    });
    if (known.length === 0) return [];
    const percentile = mean(known.map((each) => each.percentile));
    const trusted = trust(Math.max(...known.map(({ matches }) => matches)), eventCode);
    return [{ percentile, trusted, value: shrunk(percentile, trusted), of: known.map(({ standing }) => standing) }];
  });
  return events.toSorted((one, other) => other.value - one.value)[0] ?? null;
}

const fewer = ({ matches, matchesBefore }: Standing): number | null =>
  matchesBefore === null ? null : Math.min(matches, matchesBefore);

/** Numbers that say something about the athlete's position. */
function about({ standings, positionGroup }: ScoredFacts): Standing[] {
  return standings.filter(({ metric: key }) => {
    const groups = metric(key)?.positions;
    return groups === undefined || (positionGroup !== null && groups.includes(positionGroup));
  });
}

const eventOf = ({ of: [first] }: Stand): string => (first?.eventCode ? ` in ${first.eventCode}` : '');
const matchesOf = ({ of }: Stand): number => Math.round(10 * Math.max(...of.map(({ matches }) => matches))) / 10;

function performanceText(stand: Stand | null): string {
  if (stand === null) return 'No numbers of a season that can be compared: counted as the middle.';
  const told = stand.of.map((each) => `${each.metric} at percentile ${each.percentile}`).sort();
  return `${told.join(', ')}${eventOf(stand)}; of ${matchesOf(stand)} whole matches.`;
}

function growthText(stand: Stand | null): string {
  if (stand === null) return 'No season before to compare with: counted as the middle.';
  const told = stand.of.map((each) => `${each.metric} grew more than that of ${each.growth ?? 0} in 100`).sort();
  return `${told.join(', ')}${eventOf(stand)}, since the season before.`;
}

function consistencyText(stand: Stand | null): string {
  if (stand === null) return 'One season only: counted as the middle.';
  return `In the weaker of the last two seasons at percentile ${Math.round(stand.percentile)}${eventOf(stand)}.`;
}

/** Above the middle by so much, or below it, is a trend. */
const trendFrom = 0.1;

function trendOf(growth: Stand | null): Trend | null {
  if (growth === null) return null;
  if (growth.value >= middle + trendFrom) return 'RISING';
  return growth.value <= middle - trendFrom ? 'FALLING' : 'STEADY';
}

const whole = (stand: number | null | undefined): number | null =>
  stand === null || stand === undefined ? null : Math.round(stand);

/**
 * The score of an athlete in a sport. The same facts always score the same; a better number of the last season never lowers it.
 * What is not known of the numbers counts as the middle, and lowers the confidence instead.
 */
export function computeTalentScore(facts: ScoredFacts): TalentScore {
  const { level, verified } = facts;
  const standings = about(facts);
  const performance = best(standings, ({ percentile, matches }) => ({ percentile, matches }));
  const growth = best(standings, (each) => ({ percentile: each.growth, matches: fewer(each) }));
  const steady = best(standings, (each) => ({
    percentile: each.before === null ? null : Math.min(each.percentile, each.before),
    matches: fewer(each),
  }));
  const parts: readonly (readonly [ScoreCode, value: number, text: string])[] = [
    ['PERFORMANCE', performance?.value ?? middle, performanceText(performance)],
    ['GROWTH', growth?.value ?? middle, growthText(growth)],
    ['LEVEL', level === null ? 0 : levels[level], level === null ? 'Nobody says a level.' : `Competes at level ${level}.`],
    ['CONSISTENCY', steady?.value ?? middle, consistencyText(steady)],
    ['VERIFICATION', verified ? 1 : 0, verified ? 'Verified by a moderator.' : 'Not verified.'],
  ];
  const exact = parts.map(([code, value]) => 100 * scoreWeights[code] * value);
  // without its last bits: 62.5 is 62.5, whatever was added to get there
  const talentScore = Math.round(Math.round(1e8 * exact.reduce((sum, each) => sum + each, 0)) / 1e8);
  const points = wholePoints(exact, talentScore);
  const overall = performance?.of.flatMap((each) => each.overall ?? []) ?? [];
  return {
    talentScore,
    components: parts.map(([code, value, text], index) => ({
      code,
      weight: scoreWeights[code],
      value: rounded(value),
      contribution: points[index] ?? 0,
      text,
    })),
    confidence: Math.round(100 * (performance?.trusted ?? 0)) / 100,
    trend: trendOf(growth),
    percentile: overall.length === 0 ? null : whole(mean(overall)),
    ageAdjustedPercentile: whole(performance?.percentile),
    growthPercentile: whole(growth?.percentile),
    cohort: performance?.of.map(({ cohort }) => cohort).toSorted((one, other) => other.n - one.n)[0] ?? null,
  };
}

const emergingAges = [18, 23] as const;

/** Whether somebody of an age is an emerging talent: young, growing more than four in five, and with numbers that say something. */
export function isEmerging({ confidence, growthPercentile }: TalentScore, age: number | null): boolean {
  const [youngest, oldest] = emergingAges;
  return age !== null && age >= youngest && age <= oldest && confidence >= 0.4 && (growthPercentile ?? 0) >= 80;
}
