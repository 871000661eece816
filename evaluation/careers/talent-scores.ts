/** Talent scores in memory, with the cohort rules of the platform: 101 knots, at least 30 athletes, and the same fallbacks. */
import { cohortMin, percentileOf } from '../../platform/cohorts.ts';
import type { Level, Sport } from '../../subgraphs/scouting/generated/resolvers.ts';
import { comparedValuesOf, type ComparedValue, type PlayedSeason } from '../../subgraphs/scouting/talent/compared-values.ts';
import type { MetricWeights } from '../../subgraphs/scouting/talent/best-event.ts';
import { growthPercentile } from '../../subgraphs/scouting/talent/growth.ts';
import type { Standing } from '../../subgraphs/scouting/talent/standings.ts';
import { computeTalentScore, type TalentScore } from '../../subgraphs/scouting/talent/talent-score.ts';

/** An athlete with the data that is scored. Null values are unknown. */
export interface ScoredAthlete {
  readonly id: string;
  readonly sex: string;
  readonly ageBand: string | null;
  readonly position: string | null;
  readonly level: Level | null;
  readonly verified: boolean;
  readonly seasons: readonly PlayedSeason[];
}

/** The narrowest first: the level is dropped, then the age, then the position (docs/matching.md). */
const groups = [
  ['position', 'ageBand', 'level'],
  ['position', 'ageBand'],
  ['position'],
  ['ageBand', 'level'],
  ['ageBand'],
  [],
] as const satisfies (readonly ('ageBand' | 'level' | 'position')[])[];

type Kind = 'VALUE' | 'GROWTH';

/** The cohort key of an athlete by some properties. Null if one of them is unknown. */
function groupOf(
  of: ScoredAthlete,
  by: (typeof groups)[number],
  { metric, eventCode }: ComparedValue,
  kind: Kind,
): string | null {
  const properties = by.map((property) => of[property]);
  return properties.includes(null) ? null : JSON.stringify([kind, metric, eventCode, of.sex, by, ...properties]);
}

function growthOf({ rate, rateBefore }: ComparedValue): number | null {
  return rateBefore === null ? null : rate - rateBefore;
}

/** 101 knots of sorted values, as `percentile_cont` of PostgreSQL computes them. */
function knotsOf(sorted: readonly number[]): number[] {
  return Array.from({ length: 101 }, (_, index) => {
    const place = (index / 100) * (sorted.length - 1);
    const [low = 0, high = low] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return low + (place - Math.floor(place)) * (high - low);
  });
}

/** The percentile of a value among the knots, as `percentileAmong` computes it in PostgreSQL. */
function percentileIn(value: number, knots: readonly number[]): number {
  const upTo = knots.findLastIndex((knot) => knot <= value) + 1;
  const first = knots.indexOf(value);
  return percentileOf(first === -1 ? upTo : first, upTo);
}

interface Cohort {
  readonly n: number;
  readonly knots: readonly number[];
}

interface AthleteValues {
  readonly athlete: ScoredAthlete;
  readonly values: readonly ComparedValue[];
}

/** The cohorts with enough athletes, by key. */
function cohortsOf(athletes: readonly AthleteValues[]): ReadonlyMap<string, Cohort> {
  const rates = new Map<string, number[]>();
  const addRate = (key: string | null, rate: number | null): void => {
    if (key === null || rate === null) return;
    const cohort = rates.get(key);
    if (cohort === undefined) rates.set(key, [rate]);
    else cohort.push(rate);
  };
  for (const { athlete, values } of athletes)
    for (const value of values)
      for (const by of groups) {
        addRate(groupOf(athlete, by, value, 'VALUE'), value.rate);
        addRate(groupOf(athlete, by, value, 'GROWTH'), growthOf(value));
      }
  const large = [...rates].filter(([, all]) => all.length >= cohortMin);
  return new Map(
    large.map(([key, all]) => [key, { n: all.length, knots: knotsOf(all.sort((one, other) => one - other)) }] as const),
  );
}

/** The standing of a value in its narrowest cohort. Empty without a cohort. */
function standingOf(cohorts: ReadonlyMap<string, Cohort>, athlete: ScoredAthlete, value: ComparedValue): Standing[] {
  const narrowest = (kind: Kind) => {
    for (const by of groups) {
      const cohort = cohorts.get(groupOf(athlete, by, value, kind) ?? '');
      if (cohort !== undefined) return { by: new Set<string>(by), ...cohort };
    }
    return null;
  };
  const own = narrowest('VALUE');
  if (own === null) return [];
  const growth = growthOf(value);
  const growthCohort = growth === null ? null : narrowest('GROWTH');
  const overall = cohorts.get(groupOf(athlete, [], value, 'VALUE') ?? '');
  const { rateBefore, rate, ...standing } = value;
  return [
    {
      ...standing,
      overall: overall === undefined ? null : percentileIn(rate, overall.knots),
      percentile: percentileIn(rate, own.knots),
      before: rateBefore === null ? null : percentileIn(rateBefore, own.knots),
      growth:
        growthCohort === null || growth === null
          ? null
          : growthPercentile(value.metric, { rate, rateBefore }, percentileIn(growth, growthCohort.knots)),
      cohort: {
        ageBand: own.by.has('ageBand') ? athlete.ageBand : null,
        position: own.by.has('position') ? athlete.position : null,
        level: own.by.has('level') ? athlete.level : null,
        n: own.n,
      },
    },
  ];
}

/**
 * The talent scores by athlete id. All athletes form the cohorts.
 * @param weightsOf other weights of metrics than the platform's
 */
export function computeTalentScores(
  athletes: readonly ScoredAthlete[],
  sport: Sport,
  weightsOf?: MetricWeights,
): Map<string, TalentScore> {
  const compared = athletes.map((athlete) => ({ athlete, values: comparedValuesOf(athlete.seasons, sport) }));
  const cohorts = cohortsOf(compared);
  return new Map(
    compared.map(({ athlete, values }) => {
      const { id, position: positionGroup, level, verified } = athlete;
      const standings = values.flatMap((value) => standingOf(cohorts, athlete, value));
      return [id, computeTalentScore({ sport, standings, positionGroup, level, verified }, weightsOf)] as const;
    }),
  );
}

/** Weights every metric equally. */
export const equalWeights: MetricWeights = (metrics) => metrics.map(() => 1);

/** The value of the PERFORMANCE component alone, from 0 to 1, as a baseline. */
export function performanceOf(score: TalentScore | undefined): number {
  return score?.components.find(({ code }) => code === 'PERFORMANCE')?.value ?? 0;
}
