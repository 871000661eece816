/** A row of a table, and why it stands where it stands. */
import type { TableCriterion } from '../../../schema/ranking-rules.ts';
import type { Value } from './criteria.ts';
import type { Outcome } from './table-input.ts';

export interface Comparison {
  /** Null when nothing separates those who are left: they share a position until a decision is made. */
  readonly criterion: TableCriterion | null;
  /** Head-to-head criteria: of the mini-table. Decisions: the place given, 1 for the highest. Null with a null criterion. */
  readonly value: Value | null;
  /** Those it was compared with, the highest first. */
  readonly against: readonly { readonly participantId: string; readonly value: Value | null }[];
  /** Why a decision was made; null where numbers decide. */
  readonly reason: string | null;
}

/** The comparison that settled a place, and all that led to it, the first one first. */
export interface TieBreak extends Comparison {
  readonly chain: readonly Comparison[];
}

export interface StandingRow {
  /** Those whom nothing separates share a position: 1, 2, 2, 4. */
  readonly position: number;
  readonly participantId: string;
  /** Always won + draw + lost: a no-contest counts for nothing. */
  readonly matchesPlayed: number;
  readonly won: number;
  readonly draw: number;
  readonly lost: number;
  /** Goals or points; where a score counts sets, the points of the sets whose scores are known. */
  readonly scoreFor: number;
  readonly scoreAgainst: number;
  readonly scoreDifference: number;
  /** Zero where a score counts no sets. */
  readonly setsWon: number;
  readonly setsLost: number;
  /** Contained in `points`. */
  readonly bonusPoints: number;
  /** `value` is what the organizer took, already off `points`; below zero where more was given than taken. */
  readonly pointsDeducted: { readonly value: number; readonly reasons: readonly string[] };
  readonly points: number;
  /** The last five, the latest last. */
  readonly form: readonly Outcome[];
  /** Code of the zone that the position lies in. */
  readonly zone: string | null;
  /** Why it stands above or below those level on points or on the first criterion; null when there are none. */
  readonly tieBreak: TieBreak | null;
}
