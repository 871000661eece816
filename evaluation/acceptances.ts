/** A hold-out in time of the planted market: who is accepted after a day, ranked by what was known on it. */
import type { Random } from '../platform/random.ts';
import { athleteListing, groupsFor } from './matching.ts';
import type { SyntheticAthlete } from './synthetic/athlete.ts';
import type { Market, Pair } from './synthetic/market.ts';
import { rankingsOf, type Matched } from './rankings.ts';
import { reportOf, type Candidate, type Report } from './report.ts';

const applicants = 30;
const openings = 5;

/** The standard extreme value distribution: the greatest of sums with it are drawn by the exponentials of the others (Gumbel's trick). */
const gumbel = (random: Random): number => -Math.log(-Math.log(1 - random.fraction() + Number.EPSILON));

function greatest<Item>(items: readonly Item[], count: number, value: (item: Item) => number): Item[] {
  return items
    .map((item) => ({ item, value: value(item) }))
    .sort((one, other) => other.value - one.value)
    .slice(0, count)
    .map(({ item }) => item);
}

/** Who applies: those who want it, and who are known well enough to be told of it; and who of them is accepted. */
function decided(pairs: readonly Pair[], drift: number, random: Random): { readonly applied: Pair[]; readonly accepted: Pair[] } {
  const applied = greatest(
    pairs,
    applicants,
    ({ athlete, athleteUtility }) => 2 * Math.log(athleteUtility) + 0.5 * Math.log(athlete.followers + 1) + gumbel(random),
  );
  return {
    applied,
    accepted: greatest(applied, openings, ({ organizationUtility }) => Math.log(organizationUtility) + random.normal(0, drift)),
  };
}

/**
 * The first half of the opportunities is decided before the day, and tells who applies often; those of the second half are decided after
 * it, by when everybody has changed a little. Only who was accepted counts, not who would have been: most of those who suit did not apply.
 */
export function acceptancesAfter(market: Market, matches: readonly (readonly Matched[])[], random: Random): Report {
  const half = Math.floor(market.opportunities.length / 2);
  const before = market.pairs
    .slice(0, half)
    .flatMap((pairs, index) => decided(pairs, 0.2, random.fork(`before ${index}`)).applied);
  const applications = new Map([...Map.groupBy(before, ({ athlete }) => athlete)].map(([athlete, all]) => [athlete, all.length]));
  // of those who applied as often, who is known better
  const popularity = (athlete: SyntheticAthlete): number => (applications.get(athlete) ?? 0) + athlete.followers / 1e6;
  const questions = market.opportunities.slice(half).flatMap((opportunity, place) => {
    const index = half + place;
    const pairs = market.pairs[index] ?? [];
    if (pairs.length < 50) return [];
    const { accepted } = decided(pairs, 0.5, random.fork(`after ${index}`));
    const chosen = new Set(accepted.map(({ athlete }) => athlete));
    const groups = groupsFor(opportunity);
    const candidate = (athlete: SyntheticAthlete): Candidate => ({
      gain: chosen.has(athlete) ? 1 : 0,
      mutual: null,
      ...groups(athlete),
    });
    const listed = athleteListing(market, matches[index] ?? [], popularity);
    const answers = [...rankingsOf(listed, random.fork(`order ${index}`))].map(
      ([name, athletes]) => [name, athletes.map(candidate)] as const,
    );
    return [{ candidates: market.athletes.length, relevant: [...chosen].map(candidate), rankings: new Map(answers) }];
  });
  return reportOf('acceptances', 'Who is accepted later, hold-out in time of the planted market', questions, random);
}
