/** A temporal hold-out of the synthetic market: accepted applicants after a cutoff date, ranked with the data known at that date. */
import type { Random } from '../platform/random.ts';
import { athleteListing, groupsFor } from './matching.ts';
import type { SyntheticAthlete } from './synthetic/athlete.ts';
import type { Market, Pair } from './synthetic/market.ts';
import { rankingsOf, type Matched } from './rankings.ts';
import { reportOf, type Candidate, type Report } from './report.ts';

const applicants = 30;
const openings = 5;

/** A standard Gumbel variable. The items with the largest sums are sampled in proportion to the exponentials of their values (Gumbel trick). */
const gumbel = (random: Random): number => -Math.log(-Math.log(1 - random.fraction() + Number.EPSILON));

function topItems<Item>(items: readonly Item[], count: number, value: (item: Item) => number): Item[] {
  return items
    .map((item) => ({ item, value: value(item) }))
    .sort((one, other) => other.value - one.value)
    .slice(0, count)
    .map(({ item }) => item);
}

/** Simulates the applicants of an opportunity, by utility and popularity, and the accepted ones among them. */
function simulateDecisions(
  pairs: readonly Pair[],
  drift: number,
  random: Random,
): { readonly applied: Pair[]; readonly accepted: Pair[] } {
  const applied = topItems(
    pairs,
    applicants,
    ({ athlete, athleteUtility }) => 2 * Math.log(athleteUtility) + 0.5 * Math.log(athlete.followers + 1) + gumbel(random),
  );
  return {
    applied,
    accepted: topItems(applied, openings, ({ organizationUtility }) => Math.log(organizationUtility) + random.normal(0, drift)),
  };
}

/**
 * The first half of the opportunities is decided before the cutoff date and shows which athletes apply often. The second half is decided
 * later, after athletes and organizations have changed a little. Only accepted athletes are relevant: most suitable athletes never applied.
 */
export function acceptancesAfter(market: Market, matches: readonly (readonly Matched[])[], random: Random): Report {
  const half = Math.floor(market.opportunities.length / 2);
  const before = market.pairs
    .slice(0, half)
    .flatMap((pairs, index) => simulateDecisions(pairs, 0.2, random.fork(`before ${index}`)).applied);
  const applications = new Map([...Map.groupBy(before, ({ athlete }) => athlete)].map(([athlete, all]) => [athlete, all.length]));
  // Followers break ties between athletes with the same number of applications.
  const popularity = (athlete: SyntheticAthlete): number => (applications.get(athlete) ?? 0) + athlete.followers / 1e6;
  const questions = market.opportunities.slice(half).flatMap((opportunity, place) => {
    const index = half + place;
    const pairs = market.pairs[index] ?? [];
    if (pairs.length < 50) return [];
    const { accepted } = simulateDecisions(pairs, 0.5, random.fork(`after ${index}`));
    const chosen = new Set(accepted.map(({ athlete }) => athlete));
    const groups = groupsFor(opportunity);
    const candidate = (athlete: SyntheticAthlete): Candidate => ({
      gain: chosen.has(athlete) ? 1 : 0,
      mutual: null,
      ...groups(athlete),
    });
    const listed = athleteListing(market, matches[index] ?? [], popularity);
    const rankings = [...rankingsOf(listed, random.fork(`order ${index}`))].map(
      ([name, athletes]) => [name, athletes.map(candidate)] as const,
    );
    return [{ candidates: market.athletes.length, relevant: [...chosen].map(candidate), rankings: new Map(rankings) }];
  });
  return reportOf('acceptances', 'Accepted applicants after a cutoff date, synthetic market', questions, random);
}
