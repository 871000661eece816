/** The order of recommendations. */
import { diversify } from './diversify.ts';

export interface RankedItem {
  /** Id of the athlete or the opportunity. */
  readonly id: string;
  /** Organizations of the item, for diversification. */
  readonly organizationIds: readonly string[];
  /** The expected fit, from 0 to 1. Null if the item is ineligible or nothing can be compared. */
  readonly expected: number | null;
}

/** The size of a ranking, and the feedback that it respects. */
export interface RankingOptions {
  readonly limit: number;
  /** Share of the candidates that are compared, from 0 to 1. All by default. The needs of an organization share them. */
  readonly share?: number;
  /** The account and the recipient whose feedback excludes subjects. */
  readonly feedbackScope?: { readonly accountId: string; readonly recipientId: string };
}

/** Sorts items by expected fit, best first, then by id. Items without one are left out. At most three of the first ten belong to the same organization. */
export function rankItems<Item extends RankedItem>(list: readonly Item[], limit: number): Item[] {
  const eligible = list.flatMap((item) => (item.expected === null ? [] : [{ item, expected: item.expected }]));
  const sorted = eligible.toSorted(
    (one, other) => other.expected - one.expected || (one.item.id < other.item.id ? -1 : one.item.id > other.item.id ? 1 : 0),
  );
  return diversify(
    sorted.map(({ item }) => item),
    ({ organizationIds }) => organizationIds,
  ).slice(0, limit);
}
