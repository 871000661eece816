/** What came of reading a text or a set of rows: the value, or everything that is wrong with it. */
import type { Violation } from '../../../schema/errors.ts';

/** A code and a sentence; where it stands in a request is for the caller to say. */
export type RankingIssue = Pick<Violation, 'code' | 'detail'>;

/** Exactly one of both: faults are empty where there is a value. */
export type Reading<T> =
  | { readonly value: T; readonly violations: readonly [] }
  | { readonly value: null; readonly violations: readonly [RankingIssue, ...RankingIssue[]] };

export const readable = <T>(value: T): Reading<T> => ({ value, violations: [] });

export const unreadable = (first: RankingIssue, ...others: readonly RankingIssue[]): Reading<never> => ({
  value: null,
  violations: [first, ...others],
});
