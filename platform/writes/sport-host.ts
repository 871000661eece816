/** Writes at the host of a sport: resources of other sports are neither created nor changed. */
import { Problem } from '../../schema/errors.ts';
import type { Viewer } from '../../schema/viewer.ts';
import type { Change } from './change.ts';
import { sportsOf } from './row-sports.ts';

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
