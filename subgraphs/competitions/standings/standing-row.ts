/** A row of a table with its tie-break. */
import type { TableCriterion } from '../../../schema/ranking-rules.ts';
import type { Value } from './criteria.ts';
import type { Outcome } from './table-input.ts';

export interface Comparison {
  /** Null where no criterion separates the participants: they share a position until a decision is made. */
  readonly criterion: TableCriterion | null;
  /** Head-to-head criteria: the value in the mini-table. Decisions: the place, 1 for the highest. Null with a null criterion. */
  readonly value: Value | null;
  /** The other participants of the comparison, highest rank first. */
  readonly against: readonly { readonly participantId: string; readonly value: Value | null }[];
  /** The reason of a decision. Null for computed criteria. */
  readonly reason: string | null;
}

/** The comparison that decided a position, with all comparisons that led to it, in order. */
export interface TieBreak extends Comparison {
  readonly chain: readonly Comparison[];
}

/** Matches won, drawn and lost. */
export interface MatchRecord {
  readonly won: number;
  readonly draw: number;
  readonly lost: number;
}

export interface StandingRow {
  /** Tied participants share a position: 1, 2, 2, 4. */
  readonly position: number;
  readonly participantId: string;
  /** Always won + draw + lost. A no-contest does not count. */
  readonly matchesPlayed: number;
  readonly won: number;
  readonly draw: number;
  readonly lost: number;
  /** Goals or points. Where a score counts sets: the points of the sets with known scores. */
  readonly scoreFor: number;
  readonly scoreAgainst: number;
  readonly scoreDifference: number;
  /** Zero where a score does not count sets. */
  readonly setsWon: number;
  readonly setsLost: number;
  /** Included in `points`. */
  readonly bonusPoints: number;
  /** `value`: points deducted by the organizer, already subtracted from `points`. Negative where points were added. */
  readonly pointsDeducted: { readonly value: number; readonly reasons: readonly string[] };
  readonly points: number;
  /** Points of an earlier stage, included in `points`. Null without them. */
  readonly carriedPoints: number | null;
  /** The last five outcomes, most recent last. */
  readonly form: readonly Outcome[];
  /** From 0 to 100 with one decimal place; a draw is half a win. Null without matches. */
  readonly winPercentage: number | null;
  /** Wins that the participant lacks, and losses that it has, in comparison with the first row: half of their sum. */
  readonly gamesBehind: number;
  /** The current run of equal outcomes. Null without matches. */
  readonly streak: { readonly outcome: Outcome; readonly count: number } | null;
  readonly lastTen: MatchRecord;
  /** Against participants of the same group. */
  readonly groupRecord: MatchRecord;
  /** Against participants of the same division. Null without a division. */
  readonly divisionRecord: MatchRecord | null;
  /** Code of the zone that contains the position. */
  readonly zone: string | null;
  /** Why the position differs from that of participants with equal points or an equal first criterion. Null without such participants. */
  readonly tieBreak: TieBreak | null;
}
