/** A planted market: its athletes and opportunities, and of each pair what both really want of one another. */
import { openRandom } from '../../platform/random.ts';
import { eligibilityOf } from '../../subgraphs/scouting/matching/eligibility.ts';
import { plantAthlete, today, type PlantedAthlete } from './athlete.ts';
import { plantOpportunity, type PlantedOpportunity } from './opportunity.ts';
import { withPercentiles } from './percentiles.ts';
import { wantedBy, wantedOf } from './utility.ts';

export const moment = { now: new Date(`${today}T12:00:00.000Z`), today };

/** Of an athlete and an opportunity that takes such athletes. */
export interface Pair {
  readonly athlete: PlantedAthlete;
  readonly opportunity: PlantedOpportunity;
  /** What the organization wants of the athlete. */
  readonly wantedBy: number;
  /** What the athlete wants of the opportunity. */
  readonly wantedOf: number;
}

export interface Market {
  readonly athletes: readonly PlantedAthlete[];
  readonly opportunities: readonly PlantedOpportunity[];
  /** By opportunity, in the order of the athletes. Who fails a hard criterion of the opportunity is in no pair. */
  readonly pairs: readonly (readonly Pair[])[];
}

export interface Sizes {
  readonly athletes: number;
  readonly opportunities: number;
}

/** What a seed plants: the same market on every machine. */
export function plantMarket(seed: string, sizes: Sizes): Market {
  const random = openRandom(seed);
  const plant = <Planted>(count: number, label: string, make: (index: number, source: typeof random) => Planted): Planted[] =>
    Array.from({ length: count }, (_, index) => make(index, random.fork(`${label} ${index}`)));
  const athletes = withPercentiles(plant(sizes.athletes, 'athlete', plantAthlete));
  const opportunities = plant(sizes.opportunities, 'opportunity', plantOpportunity);
  const pairs = opportunities.map((opportunity) => {
    const taste = random.fork(`taste ${opportunity.index}`);
    return athletes.flatMap((athlete): Pair[] => {
      const { failures } = eligibilityOf(athlete.complete, opportunity.facts, moment);
      if (failures.length > 0) return [];
      return [
        {
          athlete,
          opportunity,
          wantedBy: wantedBy(opportunity, athlete, taste.normal(0, 1)),
          wantedOf: wantedOf(athlete, opportunity, taste.normal(0, 1)),
        },
      ];
    });
  });
  return { athletes, opportunities, pairs };
}

/** How likely both say yes, up to a factor: what makes a pair relevant. */
export const mutual = (pair: Pair): number => pair.wantedBy * pair.wantedOf;
