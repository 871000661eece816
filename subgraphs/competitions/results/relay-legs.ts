/** The legs of a relay: the splits of each member of the line-up. */
import { athleteReference, type AthleteReference } from '../references.ts';

/** The part of a relay that one athlete swam or ran. `value` is in the unit of the mark. */
export interface RelayLegValue {
  readonly number: number;
  readonly athlete: AthleteReference | null;
  /** Of an athlete without a profile. */
  readonly name: string | null;
  readonly value: number;
  readonly splits: number[];
}

interface Runner {
  readonly athleteId: string | null;
  readonly name?: string | null;
  readonly starter?: boolean | null | undefined;
}

/**
 * The legs in the order of the line-up. Each member has the same number of splits, such as two of 50 m in a relay of 4 x 100 m. Empty where the
 * splits are not a multiple of the starters, or do not add up to the mark: they then belong to other sections.
 */
export function legsOf(lineup: readonly Runner[], splits: readonly number[], mark: number | null): RelayLegValue[] {
  const starters = lineup.filter(({ starter }) => starter !== false);
  const each = splits.length / starters.length;
  const sum = splits.reduce((total, split) => total + split, 0);
  if (starters.length < 2 || splits.length === 0 || !Number.isInteger(each) || (mark !== null && sum !== mark)) return [];
  return starters.map(({ athleteId, name = null }, index) => {
    const own = splits.slice(index * each, (index + 1) * each);
    return {
      number: index + 1,
      athlete: athleteReference(athleteId),
      name,
      value: own.reduce((total, split) => total + split, 0),
      splits: own,
    };
  });
}
