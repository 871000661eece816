/** Subjects of a recommendation in their order: who is not eligible, and what nothing is known to compare of, is none. */
import type { Fit } from '../matching/match.ts';
import { diversify } from './diversify.ts';

export interface RankedItem {
  /** Of the athlete, or of the opportunity. */
  readonly id: string;
  /** Organizations that it counts for where lists are made diverse. */
  readonly organizationIds: readonly string[];
  readonly fit: Fit;
}

/** How many a ranking gives, and for whom. */
export interface RankingOptions {
  readonly limit: number;
  /** The account and the recipient whose feedback leaves subjects out. */
  readonly feedbackScope?: { readonly accountId: string; readonly recipientId: string };
}

/**
 * The best first, by what is to be expected (matching/expected.ts), of several alike those with the lower ids; at most three
 * of one organization among the first ten.
 */
export function rankItems<Item extends RankedItem>(list: readonly Item[], limit: number): Item[] {
  const order = (one: Item, other: Item): number =>
    other.fit.expected - one.fit.expected || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
  const eligible = list.filter(({ fit }) => fit.eligible !== false && fit.score !== null);
  return diversify(eligible.toSorted(order), ({ organizationIds }) => organizationIds).slice(0, limit);
}
