/** Where numbers stand in cohorts, in memory, by the rules of the platform: 101 knots, groups of 30 at least, and how they fall back. */
import { cohortMin, percentileOf } from '../../platform/cohorts.ts';
import type { Level, Sport } from '../../subgraphs/scouting/resolvers.generated.ts';
import { comparedValuesOf, type ComparedValue, type PlayedSeason } from '../../subgraphs/scouting/talent/compared-values.ts';
import { computeTalentScore, type TalentScore, type Standing } from '../../subgraphs/scouting/talent/talent-score.ts';

/** Whose numbers they are; null where it is not known. */
export interface ScoredAthlete {
  readonly id: string;
  readonly sex: string;
  readonly ageBand: string | null;
  readonly position: string | null;
  readonly level: Level | null;
  readonly verified: boolean;
  readonly seasons: readonly PlayedSeason[];
}

/** The narrowest first: the position is dropped, then the level, then the age (docs/matching.md). */
const groups = [['ageBand', 'level', 'position'], ['ageBand', 'level'], ['ageBand'], []] as const satisfies (readonly (
  'ageBand' | 'level' | 'position'
)[])[];

type Kind = 'VALUE' | 'GROWTH';

/** The group of somebody by some of his properties; null where one of them is not known. */
function groupOf(
  of: ScoredAthlete,
  by: (typeof groups)[number],
  { metric, eventCode }: ComparedValue,
  kind: Kind,
): string | null {
  const properties = by.map((property) => of[property]);
  return properties.includes(null) ? null : JSON.stringify([kind, metric, eventCode, of.sex, by.length, ...properties]);
}

function growthOf({ rate, rateBefore }: ComparedValue): number | null {
  return rateBefore === null ? null : rate - rateBefore;
}

/** 101 knots of sorted numbers, as `percentile_cont` of PostgreSQL makes them. */
function knotsOf(sorted: readonly number[]): number[] {
  return Array.from({ length: 101 }, (_, index) => {
    const place = (index / 100) * (sorted.length - 1);
    const [low = 0, high = low] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
    return low + (place - Math.floor(place)) * (high - low);
  });
}

/** The percentile of a value: `width_bucket` among the knots. */
const placeOf = (value: number, knots: readonly number[]): number =>
  percentileOf(knots.findLastIndex((knot) => knot <= value) + 1);

/** The talent score of each, by id, from cohorts of all of them. */
export function computeTalentScores(everybody: readonly ScoredAthlete[], sport: Sport): Map<string, TalentScore> {
  const numbers = everybody.map((of) => ({ of, numbers: comparedValuesOf(of.seasons, sport) }));
  const cohorts = new Map<string, number[]>();
  const keep = (name: string | null, value: number | null): void => {
    if (name === null || value === null) return;
    const cohort = cohorts.get(name);
    if (cohort === undefined) cohorts.set(name, [value]);
    else cohort.push(value);
  };
  for (const { of, numbers: own } of numbers)
    for (const number of own)
      for (const by of groups) {
        keep(groupOf(of, by, number, 'VALUE'), number.rate);
        keep(groupOf(of, by, number, 'GROWTH'), growthOf(number));
      }
  const made = new Map(
    [...cohorts]
      .filter(([, values]) => values.length >= cohortMin)
      .map(([name, values]) => [name, { n: values.length, knots: knotsOf(values.sort((one, other) => one - other)) }] as const),
  );

  const cohortOf = (of: ScoredAthlete, number: ComparedValue, kind: Kind) => {
    for (const by of groups) {
      const cohort = made.get(groupOf(of, by, number, kind) ?? '');
      if (cohort !== undefined) return { by: new Set<string>(by), ...cohort };
    }
    return null;
  };

  const standingOf = (of: ScoredAthlete, number: ComparedValue): Standing[] => {
    const own = cohortOf(of, number, 'VALUE');
    if (own === null) return [];
    const growth = growthOf(number);
    const grown = growth === null ? null : cohortOf(of, number, 'GROWTH');
    const overall = made.get(groupOf(of, [], number, 'VALUE') ?? '');
    const { rateBefore, rate, ...told } = number;
    return [
      {
        ...told,
        overall: overall === undefined ? null : placeOf(rate, overall.knots),
        percentile: placeOf(rate, own.knots),
        before: rateBefore === null ? null : placeOf(rateBefore, own.knots),
        growth: grown === null || growth === null ? null : placeOf(growth, grown.knots),
        cohort: {
          ageBand: own.by.has('ageBand') ? of.ageBand : null,
          position: own.by.has('position') ? of.position : null,
          level: own.by.has('level') ? of.level : null,
          n: own.n,
        },
      },
    ];
  };
  return new Map(
    numbers.map(({ of, numbers: own }) => {
      const standings = own.flatMap((number) => standingOf(of, number));
      return [
        of.id,
        computeTalentScore({ standings, positionGroup: of.position, level: of.level, verified: of.verified }),
      ] as const;
    }),
  );
}

/** The largest component by itself, from 0 to 1: to see what the others add. */
export function performanceOf(score: TalentScore | undefined): number {
  return score?.components.find(({ code }) => code === 'PERFORMANCE')?.value ?? 0;
}
