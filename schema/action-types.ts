/** The types of match actions of each sport, and what each needs. */
import type { Sport } from './sports.ts';

const cards = ['YELLOW_CARD', 'SECOND_YELLOW_CARD', 'RED_CARD'] as const;
const shootout = ['SHOOTOUT_GOAL', 'SHOOTOUT_MISSED'] as const;
const goals = ['GOAL', 'OWN_GOAL', 'PENALTY_GOAL', 'PENALTY_MISSED', ...shootout, 'SAVE'] as const;
const always = ['FOUL', 'OTHER'] as const;

export const actionTypes = {
  FOOTBALL: [...goals, ...cards, 'SUSPENSION', 'SUBSTITUTION', ...always],
  BASKETBALL: ['POINT', 'TWO_POINTS', 'THREE_POINTS', 'FREE_THROW', 'SUBSTITUTION', ...always],
  VOLLEYBALL: ['SET', 'POINT', 'ACE', 'YELLOW_CARD', 'RED_CARD', 'SUBSTITUTION', ...always],
  RUGBY: [
    'TRY',
    'PENALTY_TRY',
    'CONVERSION',
    'PENALTY_KICK',
    'DROP_GOAL',
    ...shootout,
    ...cards,
    'SUSPENSION',
    'SUBSTITUTION',
    ...always,
  ],
  ATHLETICS: ['YELLOW_CARD', 'RED_CARD', ...always],
  SWIMMING: [...always],
  COMBAT: ['KNOCKDOWN', 'POINT', ...always],
  CYCLING: ['YELLOW_CARD', 'RED_CARD', ...always],
  TENNIS: ['SET', 'GAME', 'POINT', 'ACE', ...always],
  HANDBALL: [...goals, 'YELLOW_CARD', 'RED_CARD', 'SUSPENSION', 'SUBSTITUTION', ...always],
} as const satisfies Record<Sport, readonly string[]>;

export type ActionType = (typeof actionTypes)[Sport][number];

/** Types that say nothing without the side or the player. */
const withoutSubject: readonly string[] = ['FOUL', 'OTHER'];

/** Whether an action needs a participant or a player. */
export const needsSubject = (type: string): boolean => !withoutSubject.includes(type);

/** Types whose player may be of the other side: the point of a side can be the error of an opponent. */
const ofAnySide: readonly string[] = [...withoutSubject, 'POINT', 'ACE', 'SET', 'GAME', 'KNOCKDOWN'];

/** Whether the player of an action is a player of its side. An own goal is an action of the side that scored it. */
export const playerIsOfSide = (type: string): boolean => !ofAnySide.includes(type);

/** Types whose second player is of the same side: the assist of a goal, and the player who leaves. */
const withOwnAssist: readonly string[] = ['GOAL', 'PENALTY_GOAL', 'TRY', 'TWO_POINTS', 'THREE_POINTS', 'SUBSTITUTION'];

export const assistIsOfSide = (type: string): boolean => withOwnAssist.includes(type);

/** Sports in which each goal is one point of the score. In beach handball the score counts sets, and some goals count two. */
export const scoresGoals = (sport: Sport, discipline: string | null): boolean =>
  sport === 'FOOTBALL' || (sport === 'HANDBALL' && discipline !== 'BEACH');

/** Goals that count in the score. Those of a shoot-out do not. */
export const goalTypes: readonly string[] = ['GOAL', 'PENALTY_GOAL', 'OWN_GOAL'];

/** The side for which a goal counts: its own, or that of the opponent. Null for other actions, and for the goals of a shoot-out. */
export function goalCountsFor(type: string): 'OWN' | 'OPPONENT' | null {
  if (!goalTypes.includes(type)) return null;
  return type === 'OWN_GOAL' ? 'OPPONENT' : 'OWN';
}

/** Points that an action adds at least to the score of its own side; 0 where that depends on the competition, or for the other side. */
const worth: Readonly<Record<string, number>> = {
  GOAL: 1,
  PENALTY_GOAL: 1,
  TRY: 3,
  PENALTY_TRY: 3,
  CONVERSION: 2,
  PENALTY_KICK: 2,
  DROP_GOAL: 1,
  POINT: 1,
  FREE_THROW: 1,
  TWO_POINTS: 2,
  THREE_POINTS: 3,
};

/** The least score of a side after an action of it in a sport whose score counts these points; null where the score says nothing of it. */
export function leastScore(sport: Sport, type: string): number | null {
  const isCounted = sport !== 'TENNIS' && sport !== 'COMBAT' && sport !== 'VOLLEYBALL';
  return isCounted ? (worth[type] ?? null) : null;
}
