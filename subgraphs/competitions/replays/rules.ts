/** The states and transitions of replays, the end of their rights, and moderation. */
import type { Violation } from '../../../schema/errors.ts';
import { hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import type { Transitions } from '../../../platform/writes/transition.ts';
import type { ReplayStatus } from '../generated/resolvers.ts';

/** Transitions of the owner and the platform. `publish` leads to REVIEW where the replay shows a minor. */
export const replayTransitions = {
  publish: { from: ['DRAFT', 'HIDDEN', 'EXPIRED'], to: 'PUBLISHED', actors: ['OWNER'] },
  hide: { from: ['PUBLISHED', 'REVIEW'], to: 'HIDDEN', actors: ['OWNER'] },
  review: { from: ['PUBLISHED'], to: 'REVIEW', actors: ['TIMER'] },
  expire: { from: ['PUBLISHED', 'REVIEW'], to: 'EXPIRED', actors: ['TIMER'] },
} as const satisfies Transitions<ReplayStatus, string>;

/** Transitions of a moderator. */
export const replayModeration = {
  publish: { from: ['REVIEW'], to: 'PUBLISHED', actors: ['MODERATOR'] },
  'take-down': { from: ['DRAFT', 'REVIEW', 'PUBLISHED', 'HIDDEN', 'EXPIRED'], to: 'TAKEN_DOWN', actors: ['MODERATOR'] },
} as const satisfies Transitions<ReplayStatus, string>;

interface Stored {
  readonly status: ReplayStatus;
  readonly expiresAt: string | null;
}

/** Whether the rights have ended. */
function hasExpired(expiresAt: string | null | undefined, now: number = Date.now()): boolean {
  return !!expiresAt && Date.parse(expiresAt) <= now;
}

/**
 * The current status. The end of the rights hides a replay immediately, before the timer stores EXPIRED.
 * Reads, filters and transitions use this function. visibility.ts has the same rule in SQL.
 */
export function statusAt({ status, expiresAt }: Stored, now: number = Date.now()): ReplayStatus {
  return replayTransitions.expire.from.some((from) => from === status) && hasExpired(expiresAt, now) ? 'EXPIRED' : status;
}

/** Whether a viewer moderates replays: a key with the scope `moderation:write`, or an administrator. */
export function moderates(viewer: Viewer): boolean {
  return viewer.scopes.includes('moderation:write') || hasFullAccess(viewer);
}

/** The violation for publishing a replay whose rights have ended. */
export function expiredViolation(expiresAt: string | null | undefined, now?: number): Violation | null {
  if (!hasExpired(expiresAt, now)) return null;
  const detail = '`rights.expiresAt` is in the past. Set a later time or delete it before you publish the replay.';
  return { pointer: '/rights/expiresAt', code: 'in_past', detail };
}

/** The violation for a tag after the end of the recording. */
export function tagViolation(atMs: number | null | undefined, durationSeconds: number | null): Violation | null {
  if (!atMs || durationSeconds === null || atMs <= durationSeconds * 1000) return null;
  const detail = `\`atMs\` is after the end of the replay, which is ${durationSeconds} seconds long.`;
  return { pointer: '/atMs', code: 'after_end', detail };
}
