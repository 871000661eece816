/** What one match contributes to the table for one of its sides. */
import type { TableRules } from '../../../schema/ranking-rules.ts';
import type { Outcome, TableMatch, TableSide } from './table-input.ts';

export interface MatchEntry {
  readonly opponentId: string;
  readonly outcome: Outcome;
  readonly away: boolean;
  /** For the outcome, without bonus points. */
  readonly points: number;
  readonly bonusPoints: number;
  readonly scoreFor: number;
  readonly scoreAgainst: number;
  readonly setsWon: number;
  readonly setsLost: number;
  readonly triesFor: number;
  readonly triesAgainst: number;
}

/** Whether the last possible set was played: the sets differ by one, and both sides won a set. */
const wentToDecidingSet = (one: number, other: number): boolean => Math.abs(one - other) === 1 && Math.min(one, other) > 0;

function wentFurther({ duration, sides: [one, other] }: TableMatch, scoredInSets: boolean): boolean {
  if (one.forfeit || other.forfeit) return false;
  return duration !== 'REGULAR' || (scoredInSets && wentToDecidingSet(one.score ?? 0, other.score ?? 0));
}

function pointsOf(side: TableSide, further: boolean, { points }: TableRules): number {
  if (side.points !== null) return side.points;
  if (side.outcome === 'WIN') return further ? (points.winExtra ?? points.win) : points.win;
  if (side.outcome === 'DRAW') return points.draw;
  if (side.outcome === 'NO_CONTEST') return 0;
  if (side.forfeit) return points.forfeitLoss ?? points.loss;
  return further ? (points.lossExtra ?? points.loss) : points.loss;
}

type Bonus = TableRules['bonus'][number]['type'];

/** Whether a side earns a bonus with the threshold `n`. UNBEATEN depends on all matches. */
const isEarned: Readonly<Record<Bonus, (n: number, side: TableSide, other: TableSide) => boolean>> = {
  TRIES_AT_LEAST: (n, { tries }) => tries !== null && tries >= n,
  TRIES_AHEAD: (n, { tries }, other) => tries !== null && other.tries !== null && tries - other.tries >= n,
  LOSS_WITHIN: (n, { outcome, score }, other) =>
    outcome === 'LOSS' && score !== null && other.score !== null && other.score - score <= n,
  UNBEATEN: () => false,
};

function bonusOf(side: TableSide, other: TableSide, { bonus }: TableRules): number {
  if (side.bonusPoints !== null) return side.bonusPoints;
  if (side.forfeit || side.outcome === 'NO_CONTEST') return 0;
  return bonus.reduce((sum, { type, n, points }) => (n !== undefined && isEarned[type](n, side, other) ? sum + points : sum), 0);
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** The entry of one side (0 or 1). A no-contest contributes only the points that the organizer recorded. */
export function entryOf(match: TableMatch, index: 0 | 1, rules: TableRules, scoredInSets: boolean): MatchEntry {
  const side = match.sides[index];
  const other = match.sides[index === 0 ? 1 : 0];
  const counts = side.outcome !== 'NO_CONTEST';
  const scoreOf = ({ score, periodScores }: TableSide) => (!counts ? 0 : scoredInSets ? sumOf(periodScores) : (score ?? 0));
  const setsOf = ({ score }: TableSide) => (counts && scoredInSets ? (score ?? 0) : 0);
  return {
    opponentId: other.participantId,
    outcome: side.outcome,
    away: side.venue === 'AWAY',
    points: pointsOf(side, wentFurther(match, scoredInSets), rules),
    bonusPoints: bonusOf(side, other, rules),
    scoreFor: scoreOf(side),
    scoreAgainst: scoreOf(other),
    setsWon: setsOf(side),
    setsLost: setsOf(other),
    triesFor: counts ? (side.tries ?? 0) : 0,
    triesAgainst: counts ? (other.tries ?? 0) : 0,
  };
}
