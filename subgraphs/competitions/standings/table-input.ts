/** The input of a table: plain data of one stage and group, in any order. */
import type { DecisionCriterion, TableRules } from '../../../schema/ranking-rules.ts';

export type Outcome = 'WIN' | 'LOSS' | 'DRAW' | 'NO_CONTEST';

export interface TableSide {
  readonly participantId: string;
  /** Null on neutral ground and in sports without home advantage: the match then counts in the TOTAL table only. */
  readonly venue: 'HOME' | 'AWAY' | null;
  readonly outcome: Outcome;
  /** After extra time, without a shoot-out; sets where `scoredInSets`. Null in sports that only have outcomes. */
  readonly score: number | null;
  /** By half, quarter or set, in order. Empty where they are not known. */
  readonly periodScores: readonly number[];
  readonly tries: number | null;
  /** This side did not play or was removed: its defeat earns `forfeitLoss`, and it earns no bonus. */
  readonly forfeit: boolean;
  /** Recorded points for the outcome, which replace those of the rules. */
  readonly points: number | null;
  /** Recorded bonus points, which replace TRIES_AT_LEAST and LOSS_WITHIN. */
  readonly bonusPoints: number | null;
}

/** A finished match with a result. Its sides are in any order. */
export interface TableMatch {
  readonly id: string;
  /** Start of the match in milliseconds since 1970. */
  readonly playedAtMs: number;
  readonly matchday: number | null;
  readonly duration: 'REGULAR' | 'EXTRA_TIME' | 'PENALTY_SHOOTOUT';
  /** The result is not official: it counts in a live table only. */
  readonly provisional: boolean;
  readonly sides: readonly [TableSide, TableSide];
}

/** Points that the organizer added or deducted (negative). Contains only adjustments in force. */
export interface Adjustment {
  readonly participantId: string;
  readonly points: number;
  readonly reason: string;
}

/**
 * A decision of the organizer on the order of participants that no criterion separates. It applies to a tie if it lists every tied participant. Of
 * several decisions, the last one applies.
 */
export interface TieBreakDecision {
  /** Participant IDs, highest rank first. */
  readonly order: readonly string[];
  readonly criterion: DecisionCriterion;
  readonly reason: string;
}

export interface TableOptions {
  /** HOME and AWAY count one side of each match, without adjustments, UNBEATEN, decisions and zones. Default: TOTAL. */
  readonly type?: 'TOTAL' | 'HOME' | 'AWAY' | undefined;
  /** Includes matches up to this instant, in milliseconds since 1970. */
  readonly asOfMs?: number | undefined;
  /** Includes matches up to this matchday, and no matches without a matchday. */
  readonly matchday?: number | undefined;
  /** Counts provisional results, too. */
  readonly live?: boolean | undefined;
}

/** Points from an earlier stage. */
export interface CarriedPoints {
  /** Points that count in the table. */
  readonly points: number;
  /** The part of them that the carried matches and adjustments of the input already award. */
  readonly included: number;
  /** What rounding added to `points`, such as 0.5. */
  readonly rounding: number;
}

export interface TableInput {
  readonly rules: TableRules;
  /** Distinct IDs, each with a row. A match against another participant counts for the listed one. */
  readonly participants: readonly string[];
  readonly matches: readonly TableMatch[];
  /**
   * The pairs of all open matches of this table. ALL_PLAYED and UNBEATEN wait for them and for the matches that the options
   * exclude.
   */
  readonly openMatches?: readonly (readonly [string, string])[] | undefined;
  readonly adjustments?: readonly Adjustment[] | undefined;
  readonly decisions?: readonly TieBreakDecision[] | undefined;
  /** Participant → points from an earlier stage, for the TOTAL table. */
  readonly carriedPoints?: ReadonlyMap<string, CarriedPoints> | undefined;
  /** Participant → its group, for a table over several groups. Default: all participants are of one group. */
  readonly groups?: ReadonlyMap<string, string> | undefined;
  /** Participant → its division. Divisions of different groups have different names. */
  readonly divisions?: ReadonlyMap<string, string> | undefined;
  /** A score counts sets and each period is a set, as in volleyball and tennis. */
  readonly scoredInSets?: boolean | undefined;
  readonly options?: TableOptions | undefined;
}
