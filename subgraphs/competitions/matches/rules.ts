/** The states and transitions of matches. */
import type { Transitions } from '../../../platform/writes/transition.ts';
import type { MatchStatus } from '../generated/resolvers.ts';

const played = ['IN_PLAY', 'PAUSED', 'EXTRA_TIME', 'PENALTY_SHOOTOUT'] as const satisfies readonly MatchStatus[];

export const matchTransitions = {
  schedule: { from: ['SCHEDULED', 'TIMED', 'POSTPONED'], to: 'TIMED', actors: ['OWNER'] },
  start: { from: ['SCHEDULED', 'TIMED'], to: 'IN_PLAY', actors: ['OWNER'] },
  pause: { from: ['IN_PLAY', 'EXTRA_TIME'], to: 'PAUSED', actors: ['OWNER'] },
  resume: { from: ['PAUSED', 'SUSPENDED'], to: 'IN_PLAY', actors: ['OWNER'] },
  'extra-time': { from: ['IN_PLAY', 'PAUSED'], to: 'EXTRA_TIME', actors: ['OWNER'] },
  shootout: { from: ['IN_PLAY', 'PAUSED', 'EXTRA_TIME'], to: 'PENALTY_SHOOTOUT', actors: ['OWNER'] },
  finish: { from: [...played], to: 'FINISHED', actors: ['OWNER'] },
  postpone: { from: ['SCHEDULED', 'TIMED'], to: 'POSTPONED', actors: ['OWNER'] },
  suspend: { from: [...played], to: 'SUSPENDED', actors: ['OWNER'] },
  abandon: { from: ['SUSPENDED'], to: 'ABANDONED', actors: ['OWNER'] },
  cancel: { from: ['SCHEDULED', 'TIMED', 'POSTPONED', 'SUSPENDED'], to: 'CANCELLED', actors: ['OWNER'] },
  award: { from: ['SCHEDULED', 'TIMED', 'POSTPONED', 'SUSPENDED', 'ABANDONED', 'FINISHED'], to: 'AWARDED', actors: ['OWNER'] },
} as const satisfies Transitions<MatchStatus, string>;

export type MatchVerb = keyof typeof matchTransitions;

/** States before the end of a match. A season with open matches cannot be finished. */
export const openMatchStatuses: readonly MatchStatus[] = ['SCHEDULED', 'TIMED', ...played, 'POSTPONED', 'SUSPENDED'];

/** States in which a match is being played. */
export const liveMatchStatuses: readonly MatchStatus[] = played;

/** States before the start of a match, and of one that was called off. */
export const unstartedMatchStatuses: readonly MatchStatus[] = ['SCHEDULED', 'TIMED', 'POSTPONED', 'CANCELLED'];

/** States in which a match can have an official result. */
export const decidedMatchStatuses: readonly MatchStatus[] = ['FINISHED', 'AWARDED', 'ABANDONED'];
