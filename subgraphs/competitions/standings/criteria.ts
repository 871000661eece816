/** What each criterion measures, and which value stands higher. */
import type { DecisionCriterion, TableCriterion } from '../../../schema/ranking-rules.ts';
import type { Tally } from './tally.ts';

/** A ratio as it is won, never as a rounded number: `lost` zero is an infinite one. */
export interface Quotient {
  readonly won: number;
  readonly lost: number;
}

export type Value = number | Quotient;

export interface Measured {
  /** Over the whole table. */
  readonly total: Readonly<Tally>;
  /** With bonus points and adjustments. */
  readonly points: number;
  /** Over the matches between the tied; only head-to-head criteria look at it. */
  readonly mini: Readonly<Tally>;
}

type Measure = (of: Measured) => Value;

/**
 * Head-to-head points are those of outcomes: a bonus point does not make the winner of a drawn match (World Rugby asks
 * for the winner between the tied).
 */
export const measures: Readonly<Record<Exclude<TableCriterion, DecisionCriterion>, Measure>> = {
  POINTS: ({ points }) => points,
  WINS: ({ total }) => total.won,
  FEWEST_LOSSES: ({ total }) => total.lost,
  HEAD_TO_HEAD_POINTS: ({ mini }) => mini.points,
  HEAD_TO_HEAD_DIFFERENCE: ({ mini }) => mini.scoreFor - mini.scoreAgainst,
  HEAD_TO_HEAD_FOR: ({ mini }) => mini.scoreFor,
  DIFFERENCE: ({ total }) => total.scoreFor - total.scoreAgainst,
  FOR: ({ total }) => total.scoreFor,
  SET_RATIO: ({ total }) => ({ won: total.setsWon, lost: total.setsLost }),
  POINT_RATIO: ({ total }) => ({ won: total.scoreFor, lost: total.scoreAgainst }),
  TRIES_DIFFERENCE: ({ total }) => total.triesFor - total.triesAgainst,
  TRIES_FOR: ({ total }) => total.triesFor,
  AWAY_FOR: ({ total }) => total.awayFor,
};

export const decisionCriteria: readonly DecisionCriterion[] = ['DISCIPLINARY', 'PLAY_OFF', 'DRAW_OF_LOTS'];

export const isDecision = (criterion: TableCriterion): criterion is DecisionCriterion =>
  decisionCriteria.some((each) => each === criterion);

export const isHeadToHead = (criterion: TableCriterion): boolean => criterion.startsWith('HEAD_TO_HEAD');

/** Fewer losses stand higher, and of a decision the first named. */
const lowerFirst = (criterion: TableCriterion): boolean => criterion === 'FEWEST_LOSSES' || isDecision(criterion);

// nothing won of nothing is no ratio at all: it stands with nothing won of something, or it would equal every other
const fraction = (value: Value): Quotient =>
  typeof value === 'number' ? { won: value, lost: 1 } : value.won === 0 ? { won: 0, lost: 1 } : value;

/** Below zero when `a` stands above `b`, zero when they are level. Ratios are compared exactly, by cross multiplication. */
export function compareValues(criterion: TableCriterion, a: Value, b: Value): number {
  const [one, other] = [fraction(a), fraction(b)];
  const difference = other.won * one.lost - one.won * other.lost;
  return lowerFirst(criterion) ? 0 - difference : difference;
}
