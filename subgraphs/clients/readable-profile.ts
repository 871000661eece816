/** Whether a caller can read the profile of an athlete, for lists of the athlete's data in other areas. */
import type { Context } from '../runtime/subgraph.ts';
import { visibleAthleteIds } from './athlete-facts.ts';
import { visibleAthlete } from './visible-athletes.ts';

/**
 * Whether a list of data about the athlete exists for the viewer. Profiles that are not public, such as that of a minor with consent, can be
 * readable: the lists of areas that see public profiles only are empty. Their responses reveal the profile, so they are noted like it.
 */
export async function isProfileReadable(context: Pick<Context, 'graph' | 'viewer' | 'notes'>, id: string): Promise<boolean> {
  if ((await visibleAthleteIds(context, [id])).has(id)) return true;
  const athlete = await visibleAthlete(context, id);
  if (athlete === undefined) return false;
  context.notes.person = true;
  if (athlete.minor) context.notes.minor = true;
  return true;
}
