/** The sports of a changed row. */
import { isRecord } from '../../schema/records.ts';
import type { Snapshot } from './change.ts';

const sportOf = (value: unknown): unknown => (isRecord(value) ? value['sport'] : value);

/** The sports of a row and the member that names them; null for a row without one. */
export function sportsOf(row: Snapshot | null): { readonly member: string; readonly sports: readonly unknown[] } | null {
  if (!isRecord(row)) return null;
  const { sport, sports } = row;
  if (typeof sport === 'string') return { member: 'sport', sports: [sport] };
  return Array.isArray(sports) && sports.length > 0 ? { member: 'sports', sports: sports.map(sportOf) } : null;
}
