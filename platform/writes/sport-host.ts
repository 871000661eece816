/** Writes at the host of a sport: resources of other sports are neither created nor changed. */
import { Problem } from '../../schema/errors.ts';
import { isRecord } from '../../schema/records.ts';
import type { Viewer } from '../../schema/viewer.ts';
import type { Change, Snapshot } from './change.ts';

const sportOf = (value: unknown): unknown => (isRecord(value) ? value['sport'] : value);

/** The sports of a row and the member that names them; null for a row without one. */
function sportsOf(row: Snapshot | null): { readonly member: string; readonly sports: readonly unknown[] } | null {
  if (!isRecord(row)) return null;
  const { sport, sports } = row;
  if (typeof sport === 'string') return { member: 'sport', sports: [sport] };
  return Array.isArray(sports) && sports.length > 0 ? { member: 'sports', sports: sports.map(sportOf) } : null;
}

/**
 * Throws Problem not_found (404) for a change of a resource of another sport than that of the viewer's host, and validation_failed (422) for a
 * resource that would be of another sport.
 */
export function requireSportOfHost({ sport }: Viewer, { before, after }: Pick<Change, 'before' | 'after'>): void {
  if (sport === null) return;
  const [was, is] = [sportsOf(before), sportsOf(after)];
  if (was !== null && !was.sports.includes(sport))
    throw new Problem('not_found', `There is no such resource of ${sport}. This host serves no other sport.`);
  if (is === null || is.sports.includes(sport)) return;
  const detail = `must be ${sport}: this host serves no other sport. Use the main host for others.`;
  throw new Problem('validation_failed', `\`${is.member}\` ${detail}`, {
    errors: [{ pointer: `/${is.member}`, code: 'other_sport', detail }],
  });
}
