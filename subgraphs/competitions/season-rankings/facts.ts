/** What the rankings of a season are made from: rows as the database holds them, in any order. */
import type { RankingRules } from '../../../schema/ranking-rules.ts';
import { openMatchStatuses } from '../matches/rules.ts';
import type { MatchDuration, MatchSide, MatchStatus, ResultStatus, Sport } from '../resolvers.generated.ts';
import type { ParticipantPart } from '../results/rows.ts';
import { countingStatuses } from '../results/rows.ts';
import type { AdjustmentRow, ContestRow, ParticipantRow, StageRow, TieBreakDecisionRow } from '../season-parts/rows.ts';

export interface SeasonFact {
  readonly id: string;
  readonly sport: Sport;
  /** The competition's. */
  readonly discipline: string | null;
  /** Null: those of the sport. */
  readonly rankingRules: RankingRules | null;
  readonly endDate: string;
}

export type ContestFact = Pick<ContestRow, 'id' | 'eventCode'>;
export type StageFact = Pick<StageRow, 'id' | 'contestId' | 'type' | 'ordinal' | 'groups' | 'advancement' | 'rankingRules'>;
export type ParticipantFact = Pick<
  ParticipantRow,
  'id' | 'contestId' | 'type' | 'teamId' | 'athleteId' | 'representsTeamId' | 'groupName' | 'entry'
>;
export type AdjustmentFact = Pick<AdjustmentRow, 'stageId' | 'participantId' | 'points' | 'timeMs' | 'reason' | 'createdAt'>;
export type DecisionFact = Pick<
  TieBreakDecisionRow,
  'id' | 'stageId' | 'groupName' | 'participantIds' | 'criterion' | 'reason' | 'createdAt'
>;

export interface EntryFact {
  /** Null while it is not known. */
  readonly participantId: string | null;
  readonly side: MatchSide | null;
  /** Its part of the match's result; null without one. */
  readonly part: ParticipantPart | null;
}

export interface MatchFact {
  readonly id: string;
  readonly contestId: string;
  readonly stageId: string;
  readonly groupName: string | null;
  readonly matchday: number | null;
  /** YYYY-MM-DD in the time zone of the place. */
  readonly date: string | null;
  readonly startsAt: string;
  readonly status: MatchStatus;
  /** Nobody is at home there. */
  readonly neutral: boolean;
  /** Null without a result. */
  readonly resultStatus: ResultStatus | null;
  readonly duration: MatchDuration | null;
  readonly entries: readonly EntryFact[];
}

export interface RankingFacts {
  readonly season: SeasonFact;
  readonly contests: readonly ContestFact[];
  readonly stages: readonly StageFact[];
  readonly participants: readonly ParticipantFact[];
  readonly matches: readonly MatchFact[];
  readonly adjustments: readonly AdjustmentFact[];
  readonly decisions: readonly DecisionFact[];
}

/** As of when, and whether results count that are not official yet. */
export interface View {
  /** YYYY-MM-DD: as it stood at the end of this day. */
  readonly asOf?: string | null | undefined;
  /** As it stood after this matchday; a match without one is left out. */
  readonly matchday?: number | null | undefined;
  readonly live?: boolean | null | undefined;
}

/** The day a match counts from, YYYY-MM-DD. */
export const dayOf = ({ date, startsAt }: MatchFact): string => date ?? startsAt.slice(0, 10);

/** Whether a match has a result that the view counts. */
export function counts(match: MatchFact, { asOf, matchday, live }: View): boolean {
  const { resultStatus } = match;
  if (resultStatus === null || match.status === 'CANCELLED') return false;
  if (!countingStatuses.includes(resultStatus) && !(live && resultStatus === 'PROVISIONAL')) return false;
  if (asOf && dayOf(match) > asOf) return false;
  return !matchday || (match.matchday !== null && match.matchday <= matchday);
}

/** Whether a match is still to be decided: to be played, or over and its result not official yet. */
export function isUndecided({ status, resultStatus }: MatchFact): boolean {
  if (openMatchStatuses.includes(status)) return true;
  return (status === 'FINISHED' || status === 'AWARDED') && (resultStatus === null || resultStatus === 'PROVISIONAL');
}

/**
 * Whether what the organizer decided is in force: from the day it was written on. What was written when the season was over (an old
 * season that is imported) has no such day, and always counts.
 */
export function inForce({ createdAt }: { readonly createdAt: string }, { endDate }: SeasonFact, { asOf }: View): boolean {
  const day = createdAt.slice(0, 10);
  return !asOf || day <= asOf || day > endDate;
}
