/** Athletes for opportunities and opportunities for athletes, ranked over a planted market whose truth is known. */
import type { Random } from '../platform/random.ts';
import type { Gain } from './measures.ts';
import type { SyntheticAthlete } from './synthetic/athlete.ts';
import { mutualUtility, type Market, type Pair } from './synthetic/market.ts';
import type { SyntheticOpportunity } from './synthetic/opportunity.ts';
import { rankingsOf, type Listing, type Matched } from './rankings.ts';
import { reportOf, type Candidate, type Question, type Report } from './report.ts';

/** Which part of those who could be chosen is relevant, and how many at least and at most. */
const relevantAthletes = { share: 0.05, least: 10, most: 100 };
const relevantOpportunities = { share: 0.2, least: 3, most: 100 };

/** A fifth of the relevant is worth most, and half of them more than the rest. */
function gainsOf(pairs: readonly Pair[], { share, least, most }: typeof relevantAthletes): Map<Pair, Gain> {
  const count = Math.min(most, Math.max(least, Math.round(pairs.length * share)));
  const best = pairs.toSorted((one, other) => mutualUtility(other) - mutualUtility(one)).slice(0, count);
  return new Map(best.map((pair, place) => [pair, place < count / 5 ? 3 : place < count / 2 ? 2 : 1] as const));
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}

/** Whether each side of a pair prefers the other to half of those that it could have. */
function mutualIn(market: Market): (pair: Pair) => boolean {
  const byOpportunity = new Map(
    market.pairs.map((pairs) => [pairs[0]?.opportunity, median(pairs.map((pair) => pair.organizationUtility))]),
  );
  const byAthlete = new Map(
    [...Map.groupBy(market.pairs.flat(), ({ athlete }) => athlete)].map(
      ([athlete, pairs]) => [athlete, median(pairs.map((pair) => pair.athleteUtility))] as const,
    ),
  );
  return (pair) =>
    pair.organizationUtility >= (byOpportunity.get(pair.opportunity) ?? 0) &&
    pair.athleteUtility >= (byAthlete.get(pair.athlete) ?? 0);
}

interface Asked<Item> {
  readonly pairs: readonly Pair[];
  readonly relevant: typeof relevantAthletes;
  /** How many could be listed. */
  readonly candidates: number;
  readonly rankings: ReadonlyMap<string, readonly Item[]>;
  readonly pairItem: (pair: Pair) => Item;
  readonly groups: (item: Item) => Pick<Candidate, 'quarter' | 'sex'>;
  readonly isMutual: (pair: Pair) => boolean;
}

function questionOf<Item>({ pairs, relevant, candidates, rankings, pairItem, groups, isMutual }: Asked<Item>): Question {
  const gains = gainsOf(pairs, relevant);
  const pairOf = new Map(pairs.map((pair) => [pairItem(pair), pair]));
  const candidate = (item: Item): Candidate => {
    const pair = pairOf.get(item);
    // who is listed though a criterion speaks against it, which nobody knew, suits neither
    if (pair === undefined) return { gain: 0, mutual: false, ...groups(item) };
    return { gain: gains.get(pair) ?? 0, mutual: isMutual(pair), ...groups(item) };
  };
  return {
    candidates,
    relevant: [...gains.keys()].map((pair) => candidate(pairItem(pair))),
    rankings: new Map([...rankings].map(([name, items]) => [name, items.map(candidate)] as const)),
  };
}

/** What rankings of athletes look at. */
export const athleteListing = (
  { athletes }: Market,
  matched: readonly Matched[],
  popularity: (athlete: SyntheticAthlete) => number,
): Listing<SyntheticAthlete> => ({
  matched,
  all: athletes,
  itemOf: ({ athlete }) => athlete,
  idOf: ({ visible }) => visible.id,
  newness: ({ registered }) => registered,
  popularity,
});

/** The groups of athletes that should be shown alike; sexes only where an opportunity takes both. */
export const groupsFor =
  ({ facts }: SyntheticOpportunity) =>
  ({ quarter, sex }: SyntheticAthlete): Pick<Candidate, 'quarter' | 'sex'> => ({ quarter, sex: facts.sex === null ? sex : null });

/** Rankings of athletes for the opportunity of a number, by name; ours comes first. */
export type AthleteRankings = (index: number, random: Random) => ReadonlyMap<string, readonly SyntheticAthlete[]>;

/** What rankings of athletes are worth, asked for each opportunity that at least fifty could have. */
export function questionsForOpportunities(market: Market, rankings: AthleteRankings, random: Random): Question[] {
  const isMutual = mutualIn(market);
  return market.opportunities.flatMap((opportunity, index) => {
    const pairs = market.pairs[index] ?? [];
    if (pairs.length < 50) return [];
    return [
      questionOf({
        pairs,
        isMutual,
        relevant: relevantAthletes,
        candidates: market.athletes.length,
        rankings: rankings(index, random.fork(`opportunity ${index}`)),
        pairItem: ({ athlete }: Pair) => athlete,
        groups: groupsFor(opportunity),
      }),
    ];
  });
}

/** Every athlete is compared with every opportunity. */
export function athletesForOpportunities(market: Market, matches: readonly (readonly Matched[])[], random: Random): Report {
  const rankings: AthleteRankings = (index, source) =>
    rankingsOf(
      athleteListing(market, matches[index] ?? [], ({ followers }) => followers),
      source,
    );
  const questions = questionsForOpportunities(market, rankings, random);
  return reportOf('athletes', 'Athletes for an opportunity, planted truth', questions, random);
}

/** Opportunities for each of some athletes that could have at least fifteen. */
export function opportunitiesForAthletes(market: Market, matches: readonly (readonly Matched[])[], random: Random): Report {
  const isMutual = mutualIn(market);
  const pairsOf = Map.groupBy(market.pairs.flat(), ({ athlete }) => athlete);
  const matchedOf = Map.groupBy(matches.flat(), ({ athlete }) => athlete);
  const asking = [...pairsOf].filter(([, pairs]) => pairs.length >= 15).slice(0, market.opportunities.length);
  const questions = asking.map(([athlete, pairs]) => {
    const listed: Listing<SyntheticOpportunity> = {
      matched: matchedOf.get(athlete) ?? [],
      all: market.opportunities,
      itemOf: ({ opportunity }) => opportunity,
      idOf: ({ facts }) => facts.id,
      newness: ({ published }) => published,
      popularity: ({ applications }) => applications,
    };
    return questionOf({
      pairs,
      isMutual,
      relevant: relevantOpportunities,
      candidates: market.opportunities.length,
      rankings: rankingsOf(listed, random.fork(`athlete ${athlete.index}`)),
      pairItem: ({ opportunity }: Pair) => opportunity,
      groups: () => ({ quarter: null, sex: null }),
    });
  });
  return reportOf('opportunities', 'Opportunities for an athlete, planted truth', questions, random);
}
