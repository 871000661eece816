/** Types of the result rules: the facts of the match, the input, and the complete result. */
import type { Violation } from '../../../schema/errors.ts';
import type { Sport } from '../../../schema/sports.ts';
import type { InputMaybe, MatchDuration, ParticipantResultInput, ResultEndingInput, StageType } from '../generated/resolvers.ts';
import type { EndingValue, ParticipantPart } from './rows.ts';

export interface MatchFacts {
  readonly sport: Sport;
  /** Of the contest. */
  readonly eventCode: string | null;
  readonly stageType: StageType;
  /** Maximum number of sets, if the match has one. */
  readonly bestOf: number | null;
  /** The match belongs to a tie of several matches. A shoot-out then decides the tie, whatever the score of this match. */
  readonly inTie: boolean;
  /** Score from the sub-matches, by entry. Null without sub-matches. */
  readonly subMatchScore?: readonly number[] | null;
  /** Regular rounds or periods of the match, if its format has them. */
  readonly periods?: number | null;
  /** The longest duration that the states of the match show: extra time or a shoot-out was started. */
  readonly reached?: MatchDuration | null;
  /** Recorded goals by side. Null in sports whose score does not count them. */
  readonly goals?: readonly [number, number] | null;
  /** Whether the rules of the competition know a draw. */
  readonly canDraw?: boolean;
  /** By entry, in program order. Null for an entry without a participant. */
  readonly participantIds: readonly (string | null)[];
}

/** A result from an input: of a match, of a result, or of a correction. */
export interface GivenResult {
  readonly duration?: InputMaybe<MatchDuration>;
  readonly endedBy?: InputMaybe<ResultEndingInput>;
  readonly scoreText?: InputMaybe<string>;
  readonly participants: readonly ParticipantResultInput[];
}

/** A result with all derived values. */
export interface CompleteResult {
  readonly duration: MatchDuration;
  readonly endedBy: EndingValue | null;
  /** In program order. */
  readonly parts: readonly ParticipantPart[];
}

/** Pointers are relative to the result: `/participants/0/score`. */
export type Violations = readonly (Violation | false | null | undefined)[];

/** Sports whose score counts sets, with one period for each set. */
export const scoredInSets = (sport: Sport): boolean => sport === 'VOLLEYBALL' || sport === 'TENNIS';

export type Pair<Each> = readonly [Each, Each];
