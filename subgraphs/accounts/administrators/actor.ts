/** Actors as a column stores them: `administrator:<id>`, which survives a rename, or the kind of viewer. */
import type { Viewer } from '../../../schema/viewer.ts';

export const actorOf = ({ kind, administrator }: Viewer): string => (administrator ? `administrator:${administrator.id}` : kind);

/** The administrator's ID in a stored actor; null for other actors. */
export const administratorIdOf = (actor: string | null): string | null => /^administrator:(.+)$/.exec(actor ?? '')?.[1] ?? null;
