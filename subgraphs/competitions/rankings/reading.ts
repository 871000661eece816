/** What came of reading a text or a set of rows: the value, or everything that is wrong with it. */
import type { Violation } from '../../../schema/errors.ts';

/** A code and a sentence; where it stands in a request is for the caller to say. */
export type RankingFault = Pick<Violation, 'code' | 'detail'>;

/** Exactly one of both: faults are empty where there is a value. */
export type Reading<T> =
  | { readonly value: T; readonly faults: readonly [] }
  | { readonly value: null; readonly faults: readonly [RankingFault, ...RankingFault[]] };

export const readable = <T>(value: T): Reading<T> => ({ value, faults: [] });

export const unreadable = (first: RankingFault, ...others: readonly RankingFault[]): Reading<never> => ({
  value: null,
  faults: [first, ...others],
});
