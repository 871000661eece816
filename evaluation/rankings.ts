/** The ways of ranking that are compared: ours, and baselines that any list could be in. */
import type { Random } from '../platform/random.ts';
import { computeFit, type Fit } from '../subgraphs/scouting/matching/match.ts';
import { rankItems } from '../subgraphs/scouting/recommending/ranking.ts';
import type { SyntheticAthlete } from './synthetic/athlete.ts';
import { moment, type Market } from './synthetic/market.ts';
import type { SyntheticOpportunity } from './synthetic/opportunity.ts';

/** An athlete and an opportunity, as the platform sees them, and their match; there is none for who fails a criterion. */
export interface Matched {
  readonly athlete: SyntheticAthlete;
  readonly opportunity: SyntheticOpportunity;
  readonly fit: Fit;
}

/** Every match that may be listed, by opportunity. */
export function matchesOf({ athletes, opportunities }: Market): Matched[][] {
  return opportunities.map((opportunity) =>
    athletes.flatMap((athlete) => {
      const fit = computeFit(athlete.visible, opportunity.facts, moment);
      return fit.eligible === false ? [] : [{ athlete, opportunity, fit }];
    }),
  );
}

/** What a ranking may look at. */
export interface Listing<Item> {
  /** Those who pass the filters, as far as anything is known: all rankings but the random one have the good of that. */
  readonly matched: readonly Matched[];
  readonly all: readonly Item[];
  readonly itemOf: (matched: Matched) => Item;
  readonly idOf: (item: Item) => string;
  readonly newness: (item: Item) => number;
  readonly popularity: (item: Item) => number;
}

/** How many a ranking is read to. */
const depth = 100;

/** The first hundred of each ranking, by its name; ours comes first. */
export function rankingsOf<Item>(listed: Listing<Item>, random: Random): Map<string, Item[]> {
  const { matched, all, itemOf, idOf, newness, popularity } = listed;
  const by = (rank: (each: Matched) => number): Item[] =>
    matched
      .map((each) => ({ item: itemOf(each), rank: rank(each) }))
      .sort((one, other) => other.rank - one.rank || (idOf(one.item) < idOf(other.item) ? -1 : 1))
      .slice(0, depth)
      .map(({ item }) => item);
  // as recommendations are ranked; of organizations, of which they show no more than three places each, a planted market knows nothing
  const ours = rankItems(
    matched.map((each) => ({ id: idOf(itemOf(each)), organizationIds: [], fit: each.fit, item: itemOf(each) })),
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
