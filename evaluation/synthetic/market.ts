/** A synthetic market: athletes, opportunities, and the true utility of each eligible pair for both sides. */
import { openRandom } from '../../platform/random.ts';
import { checkEligibility } from '../../subgraphs/scouting/matching/eligibility.ts';
import { generateAthlete, today, type SyntheticAthlete } from './athlete.ts';
import { generateOpportunity, type SyntheticOpportunity } from './opportunity.ts';
import { withPercentiles } from './percentiles.ts';
import { organizationUtility, athleteUtility } from './utility.ts';

export const moment = { now: new Date(`${today}T12:00:00.000Z`), today };

/** An athlete and an opportunity that the athlete is eligible for. */
export interface Pair {
  readonly athlete: SyntheticAthlete;
  readonly opportunity: SyntheticOpportunity;
  /** Utility of the athlete for the organization. */
  readonly organizationUtility: number;
  /** Utility of the opportunity for the athlete. */
  readonly athleteUtility: number;
}

export interface Market {
  readonly athletes: readonly SyntheticAthlete[];
  readonly opportunities: readonly SyntheticOpportunity[];
  /** Eligible pairs by opportunity, in the order of the athletes. */
  readonly pairs: readonly (readonly Pair[])[];
}

export interface MarketSize {
  readonly athletes: number;
  readonly opportunities: number;
}

/** Generates the market of a seed. It is the same on every machine. */
export function generateMarket(seed: string, sizes: MarketSize): Market {
  const random = openRandom(seed);
  const generate = <Item>(count: number, label: string, create: (index: number, source: typeof random) => Item): Item[] =>
    Array.from({ length: count }, (_, index) => create(index, random.fork(`${label} ${index}`)));
  const athletes = withPercentiles(generate(sizes.athletes, 'athlete', generateAthlete));
  const opportunities = generate(sizes.opportunities, 'opportunity', generateOpportunity);
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

/** Probability that both sides agree, up to a factor. It decides the relevance of a pair. */
export const mutualUtility = (pair: Pair): number => pair.organizationUtility * pair.athleteUtility;
