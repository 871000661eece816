/** The compared rankings: ours and the baselines. */
import type { Random } from '../platform/random.ts';
import { computeFit, rankableFit, type Fit } from '../subgraphs/scouting/matching/match.ts';
import { rankItems } from '../subgraphs/scouting/recommending/ranking.ts';
import type { SyntheticAthlete } from './synthetic/athlete.ts';
import { moment, type Market } from './synthetic/market.ts';
import type { SyntheticOpportunity } from './synthetic/opportunity.ts';

/** An athlete and an opportunity with their match, computed from visible data. Pairs that fail a criterion are left out. */
export interface Matched {
  readonly athlete: SyntheticAthlete;
  readonly opportunity: SyntheticOpportunity;
  readonly fit: Fit;
}

/** All matches without a failed criterion, by opportunity. */
export function matchesOf({ athletes, opportunities }: Market): Matched[][] {
  return opportunities.map((opportunity) =>
    athletes.flatMap((athlete) => {
      const fit = computeFit(athlete.visible, opportunity.facts, moment);
      return fit.eligible === false ? [] : [{ athlete, opportunity, fit }];
    }),
  );
}

/** The input of a ranking. */
export interface Listing<Item> {
  /** Candidates without a known failed criterion. All rankings except `random` use only these. */
  readonly matched: readonly Matched[];
  readonly all: readonly Item[];
  readonly itemOf: (matched: Matched) => Item;
  readonly idOf: (item: Item) => string;
  readonly newness: (item: Item) => number;
  readonly popularity: (item: Item) => number;
}

/** Length of a ranking. */
const depth = 100;

/** The first hundred candidates of each ranking, by name. Ours comes first. */
export function rankingsOf<Item>(listing: Listing<Item>, random: Random): Map<string, Item[]> {
  const { matched, all, itemOf, idOf, newness, popularity } = listing;
  const by = (rank: (each: Matched) => number): Item[] =>
    matched
      .map((each) => ({ item: itemOf(each), rank: rank(each) }))
      .sort((one, other) => other.rank - one.rank || (idOf(one.item) < idOf(other.item) ? -1 : 1))
      .slice(0, depth)
      .map(({ item }) => item);
  // The order of recommendations, without diversification: the synthetic market has no organizations.
  const ours = rankItems(
    matched.map((each) => ({ id: idOf(itemOf(each)), organizationIds: [], expected: rankableFit(each.fit), item: itemOf(each) })),
    depth,
  );
  return new Map([
    ['ours', ours.map(({ item }) => item)],
    ['score alone', by(({ fit }) => fit.score ?? -1)],
    ['popularity', by((each) => popularity(itemOf(each)))],
    ['newest first', by((each) => newness(itemOf(each)))],
    ['filter only', by(() => 0)],
    ['random', random.sample(all, depth)],
  ]);
}
