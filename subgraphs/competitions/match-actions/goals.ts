/** The goals among the actions of a match: the score after each, and their number by side. */
import { goalCountsFor } from '../../../schema/action-types.ts';
import type { Violation } from '../../../schema/errors.ts';

/** An action, as far as the score depends on it. */
export interface Scoring {
  readonly type?: string | null | undefined;
  readonly period?: number | null | undefined;
  readonly clockMs?: number | null | undefined;
  readonly minute?: number | null | undefined;
  readonly addedMinute?: number | null | undefined;
  readonly participantId?: string | null | undefined;
  readonly scoreAfter?: readonly number[] | null | undefined;
}

/** The side (0 or 1) for which a goal counts. Null for other actions, and where the side is not known. */
export function sideOfGoal({ type, participantId }: Scoring, sides: readonly (string | null)[]): 0 | 1 | null {
  const countsFor = type ? goalCountsFor(type) : null;
  const own = participantId ? sides.indexOf(participantId) : -1;
  if (countsFor === null || (own !== 0 && own !== 1)) return null;
  return (own === 0) === (countsFor === 'OWN') ? 0 : 1;
}

const isGoal = ({ type }: Scoring): boolean => !!type && goalCountsFor(type) !== null;
const totalOf = ({ scoreAfter }: Scoring): number => (scoreAfter ?? []).reduce((sum, score) => sum + score, 0);
const isScored = (goal: Scoring): boolean => goal.scoreAfter?.length === 2;

/** The place of an action in the match. Null where it has no time that orders it. */
function timeOf({ period, minute, addedMinute, clockMs }: Scoring, by: 'minute' | 'clock'): readonly number[] | null {
  if (typeof period !== 'number') return null;
  if (by === 'clock') return typeof clockMs === 'number' ? [period, clockMs] : null;
  return typeof minute === 'number' ? [period, minute, addedMinute ?? 0] : null;
}

function compare(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((value, place) => value !== other[place]);
  return index < 0 ? 0 : (one[index] ?? 0) - (other[index] ?? 0);
}

/** The goals in the order in which they happened. Null where their times do not determine it. */
function inOrder(actions: readonly Scoring[]): Scoring[] | null {
  const goals = actions.filter(isGoal);
  const by = goals.every(({ minute }) => typeof minute === 'number') ? 'minute' : 'clock';
  const timed = goals.map((goal) => ({ goal, time: timeOf(goal, by) }));
  if (timed.some(({ time }) => time === null)) return null;
  return timed
    .toSorted((one, other) => compare(one.time ?? [], other.time ?? []) || totalOf(one.goal) - totalOf(other.goal))
    .map(({ goal }) => goal);
}

/** Whether a score can follow from an earlier one by these goals, of which the last one is its own. */
function isPossible(before: readonly number[], after: readonly number[], goals: readonly (0 | 1 | null)[]): boolean {
  const added = after.map((score, side) => score - (before[side] ?? 0));
  const known = [0, 1].map((side) => goals.filter((each) => each === side).length);
  const isEnough = added.every((goalsOfSide, side) => goalsOfSide >= (known[side] ?? 0));
  return isEnough && added.reduce((sum, goalsOfSide) => sum + goalsOfSide, 0) === goals.length;
}

/**
 * The violation for a `scoreAfter` that cannot follow from that of the goal before it: each goal adds one to one side. `actions` are all of
 * the match, with `action` itself. Without an earlier `scoreAfter`, or with times that give no order, there is none.
 */
export function scoreSequenceViolation(
  action: Scoring,
  actions: readonly Scoring[],
  sides: readonly (string | null)[],
  pointer: string,
): Violation | null {
  if (!isGoal(action) || !isScored(action) || sides.length !== 2) return null;
  const goals = inOrder(actions);
  if (goals === null) return null;
  const place = goals.indexOf(action);
  const previous = goals.slice(0, place).findLastIndex(isScored);
  const before = goals[previous]?.scoreAfter;
  const after = action.scoreAfter ?? [];
  if (!before) return null;
  const between = goals.slice(previous + 1, place + 1);
  if (
    isPossible(
      before,
      after,
      between.map((goal) => sideOfGoal(goal, sides)),
    )
  )
    return null;
  const goalsAdded = between.length === 1 ? 'one goal' : `${between.length} goals`;
  const detail = `The score before this goal is ${before.join('-')}, so ${after.join('-')} is not possible after ${goalsAdded}. An own goal counts for the opponent of its side.`;
  return { pointer: `${pointer}/scoreAfter`, code: 'score_sequence', detail };
}

/** The number of recorded goals for each of two sides. */
export function goalsOf(actions: readonly Scoring[], sides: readonly (string | null)[]): readonly [number, number] {
  const scored = actions.map((action) => sideOfGoal(action, sides));
  return [scored.filter((side) => side === 0).length, scored.filter((side) => side === 1).length];
}
