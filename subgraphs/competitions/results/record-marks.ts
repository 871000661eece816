/** The mark of a result that can be a record: of a wind-assisted jump, the longest attempt with legal wind. */
import { isWindAssisted } from '../rankings/by-mark.ts';
import type { ParticipantPart } from './rows.ts';

export interface RecordMark {
  readonly value: number;
  readonly unit: NonNullable<ParticipantPart['mark']>['unit'];
  readonly windMmPerS: number | null;
}

/**
 * The mark of a participant with a tail wind of at most 2.0 m/s; null without one. The longest attempt decides the competition whatever its
 * wind (World Athletics C2.1 TR25.22). A record requires legal wind (C1.1 CR31), which another attempt of the series may have.
 */
export function recordMarkOf({
  mark,
  windMmPerS,
  attempts = [],
}: Pick<ParticipantPart, 'mark' | 'windMmPerS' | 'attempts'>): RecordMark | null {
  if (mark === null) return null;
  if (!isWindAssisted(windMmPerS)) return { ...mark, windMmPerS };
  const [longest] = attempts
    .flatMap(({ outcome, value, windMmPerS: wind }) =>
      outcome === 'VALID' && value !== null && !isWindAssisted(wind) ? [{ value, unit: mark.unit, windMmPerS: wind }] : [],
    )
    .toSorted((one, other) => other.value - one.value);
  return longest ?? null;
}
