/** The result of parsing: a value, or all violations. */
import type { Violation } from '../../../schema/errors.ts';

/** A code and a detail. The caller adds the pointer. */
export type RankingIssue = Pick<Violation, 'code' | 'detail'>;

/** Either a value without violations, or at least one violation. */
export type Reading<T> =
  | { readonly value: T; readonly violations: readonly [] }
  | { readonly value: null; readonly violations: readonly [RankingIssue, ...RankingIssue[]] };

export const readable = <T>(value: T): Reading<T> => ({ value, violations: [] });

export const unreadable = (first: RankingIssue, ...others: readonly RankingIssue[]): Reading<never> => ({
  value: null,
  violations: [first, ...others],
});
