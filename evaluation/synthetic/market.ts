/** A planted market: its athletes and opportunities, and of each pair what both really want of one another. */
import { openRandom } from '../../platform/random.ts';
import { checkEligibility } from '../../subgraphs/scouting/matching/eligibility.ts';
import { generateAthlete, today, type SyntheticAthlete } from './athlete.ts';
import { generateOpportunity, type SyntheticOpportunity } from './opportunity.ts';
import { withPercentiles } from './percentiles.ts';
import { organizationUtility, athleteUtility } from './utility.ts';

export const moment = { now: new Date(`${today}T12:00:00.000Z`), today };

/** Of an athlete and an opportunity that takes such athletes. */
export interface Pair {
  readonly athlete: SyntheticAthlete;
  readonly opportunity: SyntheticOpportunity;
  /** What the organization wants of the athlete. */
  readonly organizationUtility: number;
  /** What the athlete wants of the opportunity. */
  readonly athleteUtility: number;
}

export interface Market {
  readonly athletes: readonly SyntheticAthlete[];
  readonly opportunities: readonly SyntheticOpportunity[];
  /** By opportunity, in the order of the athletes. Who fails a hard criterion of the opportunity is in no pair. */
  readonly pairs: readonly (readonly Pair[])[];
}

export interface MarketSize {
  readonly athletes: number;
  readonly opportunities: number;
}

/** What a seed plants: the same market on every machine. */
export function generateMarket(seed: string, sizes: MarketSize): Market {
  const random = openRandom(seed);
  const plant = <Planted>(count: number, label: string, make: (index: number, source: typeof random) => Planted): Planted[] =>
    Array.from({ length: count }, (_, index) => make(index, random.fork(`${label} ${index}`)));
  const athletes = withPercentiles(plant(sizes.athletes, 'athlete', generateAthlete));
  const opportunities = plant(sizes.opportunities, 'opportunity', generateOpportunity);
  const pairs = opportunities.map((opportunity) => {
    const taste = random.fork(`taste ${opportunity.index}`);
    return athletes.flatMap((athlete): Pair[] => {
      const { failures } = checkEligibility(athlete.complete, opportunity.facts, moment);
      if (failures.length > 0) return [];
      return [
        {
          athlete,
          opportunity,
          organizationUtility: organizationUtility(opportunity, athlete, taste.normal(0, 1)),
          athleteUtility: athleteUtility(athlete, opportunity, taste.normal(0, 1)),
        },
      ];
    });
  });
  return { athletes, opportunities, pairs };
}

/** How likely both say yes, up to a factor: what makes a pair relevant. */
export const mutualUtility = (pair: Pair): number => pair.organizationUtility * pair.athleteUtility;
