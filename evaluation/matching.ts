/** Rankings of athletes for opportunities and of opportunities for athletes, on a synthetic market with ground truth. */
import type { Random } from '../platform/random.ts';
import type { Gain } from './measures.ts';
import type { SyntheticAthlete } from './synthetic/athlete.ts';
import { mutualUtility, type Market, type Pair } from './synthetic/market.ts';
import type { SyntheticOpportunity } from './synthetic/opportunity.ts';
import { rankingsOf, type Listing, type Matched } from './rankings.ts';
import { reportOf, type Candidate, type Question, type Report } from './report.ts';

/** The share of eligible candidates that is relevant, with a minimum and a maximum. */
const relevantAthletes = { share: 0.05, least: 10, most: 100 };
const relevantOpportunities = { share: 0.2, least: 3, most: 100 };

/** Gains by mutual utility: 3 for the first fifth of the relevant candidates, 2 up to the first half, 1 for the rest. */
function gainsOf(pairs: readonly Pair[], { share, least, most }: typeof relevantAthletes): Map<Pair, Gain> {
  const count = Math.min(most, Math.max(least, Math.round(pairs.length * share)));
  const best = pairs.toSorted((one, other) => mutualUtility(other) - mutualUtility(one)).slice(0, count);
  return new Map(best.map((pair, place) => [pair, place < count / 5 ? 3 : place < count / 2 ? 2 : 1] as const));
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** Whether each side of a pair prefers the other to half of its eligible counterparts. */
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

interface QuestionInput<Item> {
  readonly pairs: readonly Pair[];
  readonly relevant: typeof relevantAthletes;
  /** Number of candidates. */
  readonly candidates: number;
  readonly rankings: ReadonlyMap<string, readonly Item[]>;
  readonly pairItem: (pair: Pair) => Item;
  readonly groups: (item: Item) => Pick<Candidate, 'quarter' | 'sex'>;
  readonly isMutual: (pair: Pair) => boolean;
}

function questionOf<Item>({ pairs, relevant, candidates, rankings, pairItem, groups, isMutual }: QuestionInput<Item>): Question {
  const gains = gainsOf(pairs, relevant);
  const pairOf = new Map(pairs.map((pair) => [pairItem(pair), pair]));
  const candidate = (item: Item): Candidate => {
    const pair = pairOf.get(item);
    // A listed item without a pair fails a criterion that is not visible.
    if (pair === undefined) return { gain: 0, mutual: false, ...groups(item) };
    return { gain: gains.get(pair) ?? 0, mutual: isMutual(pair), ...groups(item) };
  };
  return {
    candidates,
    relevant: [...gains.keys()].map((pair) => candidate(pairItem(pair))),
    rankings: new Map([...rankings].map(([name, items]) => [name, items.map(candidate)] as const)),
  };
}

/** The input of rankings of athletes. */
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

/** The groups of athletes for fairness. Sex counts only for opportunities that are open to both. */
export const groupsFor =
  ({ facts }: SyntheticOpportunity) =>
  ({ quarter, sex }: SyntheticAthlete): Pick<Candidate, 'quarter' | 'sex'> => ({ quarter, sex: facts.sex === null ? sex : null });

/** The rankings of athletes for an opportunity, by name. Ours comes first. */
export type AthleteRankings = (index: number, random: Random) => ReadonlyMap<string, readonly SyntheticAthlete[]>;

/** One question for each opportunity with at least fifty eligible athletes. */
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

/** Compares every athlete with every opportunity. */
export function athletesForOpportunities(market: Market, matches: readonly (readonly Matched[])[], random: Random): Report {
  const rankings: AthleteRankings = (index, source) =>
    rankingsOf(
      athleteListing(market, matches[index] ?? [], ({ followers }) => followers),
      source,
    );
  const questions = questionsForOpportunities(market, rankings, random);
  return reportOf('athletes', 'Athletes for an opportunity, synthetic ground truth', questions, random);
}

/** One question for each athlete with at least fifteen eligible opportunities, up to the number of opportunities. */
export function opportunitiesForAthletes(market: Market, matches: readonly (readonly Matched[])[], random: Random): Report {
  const isMutual = mutualIn(market);
  const pairsOf = Map.groupBy(market.pairs.flat(), ({ athlete }) => athlete);
  const matchedOf = Map.groupBy(matches.flat(), ({ athlete }) => athlete);
  const recipients = [...pairsOf].filter(([, pairs]) => pairs.length >= 15).slice(0, market.opportunities.length);
  const questions = recipients.map(([athlete, pairs]) => {
    const listing: Listing<SyntheticOpportunity> = {
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
      rankings: rankingsOf(listing, random.fork(`athlete ${athlete.index}`)),
      pairItem: ({ opportunity }: Pair) => opportunity,
      groups: () => ({ quarter: null, sex: null }),
    });
  });
  return reportOf('opportunities', 'Opportunities for an athlete, synthetic ground truth', questions, random);
}
