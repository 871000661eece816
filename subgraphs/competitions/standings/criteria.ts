/** The value of each criterion, and how values compare. */
import type { DecisionCriterion, TableCriterion } from '../../../schema/ranking-rules.ts';
import type { Tally } from './tally.ts';

/** An exact ratio, not rounded: `won` to `lost`, or to all for a share. `lost` zero is an infinite ratio. */
export interface Quotient {
  readonly won: number;
  readonly lost: number;
}

export type Value = number | Quotient;

export interface Measured {
  /** Over all matches of the table. */
  readonly total: Readonly<Tally>;
  /** Over the matches between participants of one group. */
  readonly within: Readonly<Tally>;
  /** Over the matches between participants of one division. */
  readonly inDivision: Readonly<Tally>;
  readonly wonDivision: boolean;
  /** Including bonus points and adjustments. */
  readonly points: number;
  /** What the rounding of halved points added to `points`. */
  readonly rounding: number;
  /** Over the matches between the tied participants; for head-to-head criteria only. */
  readonly mini: Readonly<Tally>;
}

type Measure = (of: Measured) => Value;

/** The share of matches won, with a draw as half a win. */
export const winShare = ({ won, draw, played }: Readonly<Tally>): Quotient => ({ won: 2 * won + draw, lost: 2 * played });

/**
 * Head-to-head points exclude bonus points: a bonus point does not decide a drawn match (World Rugby uses the winner between the tied
 * teams).
 */
export const measures: Readonly<Record<Exclude<TableCriterion, DecisionCriterion>, Measure>> = {
  POINTS: ({ points }) => points,
  POINTS_BEFORE_ROUNDING: ({ points, rounding }) => ({ won: 2 * (points - rounding), lost: 2 }),
  WINS: ({ total }) => total.won,
  FEWEST_LOSSES: ({ total }) => total.lost,
  WIN_PERCENTAGE: ({ total }) => winShare(total),
  GROUP_WIN_PERCENTAGE: ({ within }) => winShare(within),
  DIVISION_WIN_PERCENTAGE: ({ inDivision }) => winShare(inDivision),
  DIVISION_WINNER: ({ wonDivision }) => (wonDivision ? 1 : 0),
  DIVISION_WINNER_IF_THREE_TIED: ({ wonDivision }) => (wonDivision ? 1 : 0),
  HEAD_TO_HEAD_WIN_PERCENTAGE: ({ mini }) => winShare(mini),
  HEAD_TO_HEAD_POINTS: ({ mini }) => mini.points,
  HEAD_TO_HEAD_DIFFERENCE: ({ mini }) => mini.scoreFor - mini.scoreAgainst,
  HEAD_TO_HEAD_FOR: ({ mini }) => mini.scoreFor,
  DIFFERENCE: ({ total }) => total.scoreFor - total.scoreAgainst,
  FOR: ({ total }) => total.scoreFor,
  SET_DIFFERENCE: ({ total }) => total.setsWon - total.setsLost,
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

export const isDivisionWinner = (criterion: TableCriterion): boolean => criterion.startsWith('DIVISION_WINNER');

/** Whether a criterion applies within a group only. */
export const isWithinGroup = (criterion: TableCriterion): boolean =>
  isHeadToHead(criterion) || criterion === 'GROUP_WIN_PERCENTAGE' || criterion.startsWith('DIVISION');

/** Fewer losses rank higher, and in a decision the participant listed first. */
const lowerFirst = (criterion: TableCriterion): boolean => criterion === 'FEWEST_LOSSES' || isDecision(criterion);

// 0 won of 0 has no ratio. It ranks with 0 won of some, because otherwise it would equal every other ratio.
const fraction = (value: Value): Quotient =>
  typeof value === 'number' ? { won: value, lost: 1 } : value.won === 0 ? { won: 0, lost: 1 } : value;

/** Negative where `a` ranks above `b`, zero where they are equal. Ratios are compared exactly, by cross multiplication. */
export function compareValues(criterion: TableCriterion, a: Value, b: Value): number {
  const [one, other] = [fraction(a), fraction(b)];
  const difference = other.won * one.lost - one.won * other.lost;
  return lowerFirst(criterion) ? 0 - difference : difference;
}
