/** The life of a replay: its steps, when its rights end it, and who keeps it from the public. */
import type { Violation } from '../../../schema/errors.ts';
import { hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import type { Transitions } from '../../../platform/writes/transition.ts';
import type { ReplayStatus } from '../resolvers.generated.ts';

/** Steps of the owner and of the platform. A publication leads to REVIEW where a minor is seen. */
export const replayTransitions = {
  publish: { from: ['DRAFT', 'HIDDEN', 'EXPIRED'], to: 'PUBLISHED', actors: ['OWNER'] },
  hide: { from: ['PUBLISHED', 'REVIEW'], to: 'HIDDEN', actors: ['OWNER'] },
  review: { from: ['PUBLISHED'], to: 'REVIEW', actors: ['TIMER'] },
  expire: { from: ['PUBLISHED', 'REVIEW'], to: 'EXPIRED', actors: ['TIMER'] },
} as const satisfies Transitions<ReplayStatus, string>;

/** Steps of a moderator. */
export const replayModeration = {
  publish: { from: ['REVIEW'], to: 'PUBLISHED', actors: ['MODERATOR'] },
  'take-down': { from: ['DRAFT', 'REVIEW', 'PUBLISHED', 'HIDDEN', 'EXPIRED'], to: 'TAKEN_DOWN', actors: ['MODERATOR'] },
} as const satisfies Transitions<ReplayStatus, string>;

interface Stored {
  readonly status: ReplayStatus;
  readonly expiresAt: string | null;
}

/** Whether rights are over at a moment. */
export function isOver(expiresAt: string | null | undefined, now: number = Date.now()): boolean {
  return !!expiresAt && Date.parse(expiresAt) <= now;
}

/**
 * The state a replay is in at a moment: the end of its rights hides it in that moment, whenever the timer comes to write it down.
 * Reads, filters and steps go by this one; store/replay.ts says the same in SQL.
 */
export function statusAt({ status, expiresAt }: Stored, now: number = Date.now()): ReplayStatus {
  return replayTransitions.expire.from.some((from) => from === status) && isOver(expiresAt, now) ? 'EXPIRED' : status;
}

/** Whether a viewer decides on replays of others: a key with the scope, or an administrator. */
export function moderates(viewer: Viewer): boolean {
  return viewer.scopes.includes('moderation:write') || hasFullAccess(viewer);
}

/** The fault of publishing what nobody may see any more. */
export function overViolation(expiresAt: string | null | undefined, now?: number): Violation | null {
  if (!isOver(expiresAt, now)) return null;
  return { pointer: '/rights/expiresAt', code: 'in_past', detail: 'The rights are over: give them a later end, or none, first.' };
}

/** The fault of a tag after the end of the recording. */
export function tagViolation(atMs: number | null | undefined, durationSeconds: number | null): Violation | null {
  if (!atMs || durationSeconds === null || atMs <= durationSeconds * 1000) return null;
  return { pointer: '/atMs', code: 'after_end', detail: `The replay lasts ${durationSeconds} seconds.` };
}
