/** What a table is made of: plain data, in any order, of one stage and group. */
import type { DecisionCriterion, TableRules } from '../../../schema/ranking-rules.ts';

export type Outcome = 'WIN' | 'LOSS' | 'DRAW' | 'NO_CONTEST';

export interface TableSide {
  readonly participantId: string;
  /** Null on neutral ground and where a sport knows no home: such a match is in the TOTAL table only. */
  readonly venue: 'HOME' | 'AWAY' | null;
  readonly outcome: Outcome;
  /** After extra time, without a shoot-out; sets where `scoredInSets`; null where a sport only has outcomes. */
  readonly score: number | null;
  /** By half, quarter or set, the first one first; empty when they are not known. */
  readonly periodScores: readonly number[];
  readonly tries: number | null;
  /** This side did not play, or was taken off: its defeat earns `forfeitLoss`, and it earns no bonus. */
  readonly forfeit: boolean;
  /** What the organizer gave for the outcome, in place of what the rules give. */
  readonly points: number | null;
  /** What the organizer gave besides, in place of TRIES_AT_LEAST and LOSS_WITHIN. */
  readonly bonusPoints: number | null;
}

/** A finished match with a result; its sides come in any order. */
export interface TableMatch {
  readonly id: string;
  /** Milliseconds since 1970: the instant the match began. */
  readonly playedAtMs: number;
  readonly matchday: number | null;
  readonly duration: 'REGULAR' | 'EXTRA_TIME' | 'PENALTY_SHOOTOUT';
  /** The result is not official yet: only a live table counts it. */
  readonly provisional: boolean;
  readonly sides: readonly [TableSide, TableSide];
}

/** Points taken (negative) or given by the organizer; the caller leaves out those not in force. */
export interface Adjustment {
  readonly participantId: string;
  readonly points: number;
  readonly reason: string;
}

/**
 * What no number could decide: who stands above whom. It speaks of a tie when it names every one of the tied; of
 * several that do, the last holds.
 */
export interface TieBreakDecision {
  /** Ids of participants, the highest first. */
  readonly order: readonly string[];
  readonly criterion: DecisionCriterion;
  readonly reason: string;
}

export interface TableOptions {
  /** HOME and AWAY count one side of each match, and neither adjustments, UNBEATEN, decisions nor zones; TOTAL by default. */
  readonly type?: 'TOTAL' | 'HOME' | 'AWAY' | undefined;
  /** Matches up to and with this instant, in milliseconds since 1970. */
  readonly asOfMs?: number | undefined;
  /** Matches up to and with this matchday; a match without one is left out. */
  readonly matchday?: number | undefined;
  /** Counts provisional results too. */
  readonly live?: boolean | undefined;
}

export interface TableInput {
  readonly rules: TableRules;
  /** Distinct ids, each with a row. A match against somebody else counts for the one who is listed. */
  readonly participants: readonly string[];
  readonly matches: readonly TableMatch[];
  /**
   * The pairs of every match of this table that is still to be played. ALL_PLAYED and UNBEATEN wait for them, and for
   * the given matches that the options leave out.
   */
  readonly openMatches?: readonly (readonly [string, string])[] | undefined;
  readonly adjustments?: readonly Adjustment[] | undefined;
  readonly decisions?: readonly TieBreakDecision[] | undefined;
  /** A score counts sets and a period is one, as in volleyball and tennis. */
  readonly scoredInSets?: boolean | undefined;
  readonly options?: TableOptions | undefined;
}
