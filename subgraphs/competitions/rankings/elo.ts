/** Elo ratings: a match transfers points between its sides in proportion to how unexpected its outcome is. */
import { ascending, place } from './placing.ts';

export interface RatedMatch {
  readonly matchId: string;
  readonly at: Date;
  readonly competitorIds: readonly [string, string];
  /** From the view of the first side. NO_CONTEST changes no rating and does not add a competitor. */
  readonly outcome: 'WIN' | 'LOSS' | 'DRAW' | 'NO_CONTEST';
}

export interface EloRow {
  readonly rank: number;
  readonly shared: boolean;
  readonly competitorId: string;
  /** Rounded. Computations use the exact rating. */
  readonly rating: number;
  readonly matchesPlayed: number;
  readonly previousRank: number | null;
}

export interface EloOptions {
  /** The rating before the first match. */
  readonly start: number;
  /** K: the maximum change by one match. */
  readonly factor: number;
  /** Later matches are ignored. */
  readonly asOf?: Date;
  /** The time that `previousRank` compares with. */
  readonly previousAsOf?: Date;
}

const scores = { WIN: 1, DRAW: 0.5, LOSS: 0 } as const;

/** Elo's logistic expectation, as used by FIDE (Handbook B.02) and FIFA: a difference of 400 points is ten to one. */
const expected = (own: number, other: number): number => 1 / (1 + 10 ** ((other - own) / 400));

interface Rating {
  readonly competitorId: string;
  readonly exact: number;
  readonly played: number;
}

/** Highest rating first; equal rounded ratings share a rank. Matches are processed by time, then by ID. */
export function eloRanking(matches: readonly RatedMatch[], { asOf, previousAsOf, ...formula }: EloOptions): EloRow[] {
  const placed = placeAt(matches, formula, asOf);
  const previous = new Map(
    previousAsOf === undefined ? [] : placeAt(matches, formula, previousAsOf).map(({ item, rank }) => [item.competitorId, rank]),
  );
  return placed.map(({ item: { competitorId, exact, played }, rank, shared }) => ({
    rank,
    shared,
    competitorId,
    rating: Math.round(exact),
    matchesPlayed: played,
    previousRank: previous.get(competitorId) ?? null,
  }));
}

function placeAt(matches: readonly RatedMatch[], { start, factor }: Pick<EloOptions, 'start' | 'factor'>, asOf?: Date) {
  const ratings = new Map<string, Rating>();
  const ratingOf = (competitorId: string): Rating => ratings.get(competitorId) ?? { competitorId, exact: start, played: 0 };
  const inOrder = matches
    .filter(({ at }) => asOf === undefined || at <= asOf)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime() || ascending(one.matchId, other.matchId));
  for (const { competitorIds, outcome } of inOrder) {
    if (outcome === 'NO_CONTEST') continue;
    const [first, second] = [ratingOf(competitorIds[0]), ratingOf(competitorIds[1])];
    const moved = factor * (scores[outcome] - expected(first.exact, second.exact));
    ratings.set(first.competitorId, { ...first, exact: first.exact + moved, played: first.played + 1 });
    ratings.set(second.competitorId, { ...second, exact: second.exact - moved, played: second.played + 1 });
  }
  return place([...ratings.values()], {
    by: (one, other) => Math.round(other.exact) - Math.round(one.exact),
    idOf: ({ competitorId }) => competitorId,
  });
}
