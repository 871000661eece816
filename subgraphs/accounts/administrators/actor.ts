/** Actors as a column stores them: `administrator:<id>` or `user:<id>`, which survive a rename, or the kind of viewer. */
import type { Viewer } from '../../../schema/viewer.ts';

export function actorOf({ kind, administrator, member }: Viewer): string {
  if (administrator) return `administrator:${administrator.id}`;
  return member ? `user:${member.userId}` : kind;
}

/** The administrator's ID in a stored actor; null for other actors. */
export const administratorIdOf = (actor: string | null): string | null => /^administrator:(.+)$/.exec(actor ?? '')?.[1] ?? null;

/** The portal user's ID in a stored actor; null for other actors. */
export const userIdOf = (actor: string | null): string | null => /^user:(.+)$/.exec(actor ?? '')?.[1] ?? null;
