/** The order of recommendations. */
import type { Fit } from '../matching/match.ts';
import { diversify } from './diversify.ts';

export interface RankedItem {
  /** Id of the athlete or the opportunity. */
  readonly id: string;
  /** Organizations of the item, for diversification. */
  readonly organizationIds: readonly string[];
  readonly fit: Fit;
}

/** The size of a ranking, and the feedback that it respects. */
export interface RankingOptions {
  readonly limit: number;
  /** The account and the recipient whose feedback excludes subjects. */
  readonly feedbackScope?: { readonly accountId: string; readonly recipientId: string };
}

/**
 * Sorts items by expected fit, best first, then by id. Items that are ineligible or have no score are left out. At most three of the
 * first ten belong to the same organization.
 */
export function rankItems<Item extends RankedItem>(list: readonly Item[], limit: number): Item[] {
  const byFit = (one: Item, other: Item): number =>
    other.fit.expected - one.fit.expected || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
  const eligible = list.filter(({ fit }) => fit.eligible !== false && fit.score !== null);
  return diversify(eligible.toSorted(byFit), ({ organizationIds }) => organizationIds).slice(0, limit);
}
