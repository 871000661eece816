/** What the rules of results need to know of a match, and what they make of what was given. */
import type { Violation } from '../../../schema/errors.ts';
import type { Sport } from '../../../schema/sports.ts';
import type { InputMaybe, MatchDuration, ParticipantResultInput, ResultEndingInput, StageType } from '../resolvers.generated.ts';
import type { EndingValue, ParticipantPart } from './rows.ts';

export interface MatchFacts {
  readonly sport: Sport;
  /** The contest's. */
  readonly eventCode: string | null;
  readonly stageType: StageType;
  /** Most sets, where the match says so. */
  readonly bestOf: number | null;
  /** One of several matches of a tie: its shoot-out decides the tie, whatever the score of this match. */
  readonly inTie: boolean;
  /** By entry, in the order of the programme; null where nobody is known, or nobody comes. */
  readonly participantIds: readonly (string | null)[];
}

/** A result as callers give it: with a match, for a match, or in place of another. */
export interface GivenResult {
  readonly duration?: InputMaybe<MatchDuration>;
  readonly endedBy?: InputMaybe<ResultEndingInput>;
  readonly scoreText?: InputMaybe<string>;
  readonly participants: readonly ParticipantResultInput[];
}

/** A result with all that follows from what was given. */
export interface WholeResult {
  readonly duration: MatchDuration;
  readonly endedBy: EndingValue | null;
  /** In the order of the programme. */
  readonly parts: readonly ParticipantPart[];
}

/** Faults point below the result: `/participants/0/score`. */
export type Violations = readonly (Violation | false | null | undefined)[];

/** Sports in which a score counts sets and a period is one. */
export const scoredInSets = (sport: Sport): boolean => sport === 'VOLLEYBALL' || sport === 'TENNIS';

export type Pair<Each> = readonly [Each, Each];
