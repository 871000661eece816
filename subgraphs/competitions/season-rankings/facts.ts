/** The facts that the rankings of a season are computed from, in any order. */
import type { RankingRules } from '../../../schema/ranking-rules.ts';
import type { AdjustmentRow } from '../adjustments/rows.ts';
import type { ContestRow } from '../contests/rows.ts';
import { openMatchStatuses } from '../matches/rules.ts';
import type { ParticipantRow } from '../participants/rows.ts';
import type { MatchDuration, MatchSide, MatchStatus, ResultStatus, Sport } from '../generated/resolvers.ts';
import { countingStatuses, type ParticipantPart } from '../results/rows.ts';
import type { StageRow } from '../stages/rows.ts';
import type { TieBreakDecisionRow } from '../tie-break-decisions/rows.ts';

export interface SeasonFact {
  readonly id: string;
  readonly sport: Sport;
  /** Of the competition. */
  readonly discipline: string | null;
  /** Null: the default rules of the sport. */
  readonly rankingRules: RankingRules | null;
  readonly endDate: string;
}

export type ContestFact = Pick<ContestRow, 'id' | 'eventCode'>;
export type StageFact = Pick<
  StageRow,
  'id' | 'contestId' | 'type' | 'ordinal' | 'groups' | 'advancement' | 'carryOver' | 'continuousPositions' | 'rankingRules'
>;
export type ParticipantFact = Pick<
  ParticipantRow,
  'id' | 'contestId' | 'type' | 'teamId' | 'athleteId' | 'representsTeamId' | 'groupName' | 'division' | 'entry'
>;
export type AdjustmentFact = Pick<AdjustmentRow, 'stageId' | 'participantId' | 'points' | 'timeMs' | 'reason' | 'createdAt'>;
export type DecisionFact = Pick<
  TieBreakDecisionRow,
  'id' | 'stageId' | 'groupName' | 'participantIds' | 'criterion' | 'reason' | 'createdAt'
>;

export interface EntryFact {
  /** Null for an entry without a participant. */
  readonly participantId: string | null;
  readonly side: MatchSide | null;
  /** Its part of the result of the match; null without a result. */
  readonly part: ParticipantPart | null;
}

export interface MatchFact {
  readonly id: string;
  readonly contestId: string;
  readonly stageId: string;
  readonly groupName: string | null;
  readonly matchday: number | null;
  /** YYYY-MM-DD in the time zone of the venue. */
  readonly date: string | null;
  readonly startsAt: string;
  readonly status: MatchStatus;
  /** On neutral ground: no side is at home. */
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

/** The date or matchday of a ranking, and whether provisional results count. */
export interface View {
  /** YYYY-MM-DD: the ranking at the end of this day. */
  readonly asOf?: string | null | undefined;
  /** The ranking after this matchday, without matches that have no matchday. */
  readonly matchday?: number | null | undefined;
  readonly live?: boolean | null | undefined;
  /** One table over all groups of each stage, instead of its other tables. */
  readonly overall?: boolean | undefined;
}

/** The date from which a match counts, YYYY-MM-DD. */
export const dayOf = ({ date, startsAt }: MatchFact): string => date ?? startsAt.slice(0, 10);

/** Whether a match has a result that counts in the view. */
export function counts(match: MatchFact, { asOf, matchday, live }: View): boolean {
  const { resultStatus } = match;
  if (resultStatus === null || match.status === 'CANCELLED') return false;
  if (!countingStatuses.includes(resultStatus) && !(live && resultStatus === 'PROVISIONAL')) return false;
  if (asOf && dayOf(match) > asOf) return false;
  return !matchday || (match.matchday !== null && match.matchday <= matchday);
}

/** Whether a match is still to be played, or has ended without an official result. */
export function isUndecided({ status, resultStatus }: MatchFact): boolean {
  if (openMatchStatuses.includes(status)) return true;
  return (status === 'FINISHED' || status === 'AWARDED') && (resultStatus === null || resultStatus === 'PROVISIONAL');
}

/**
 * Whether a decision of the organizer is in force: from the date of its creation. Decisions created after the end of the season, such as those
 * of an imported old season, always count.
 */
export function inForce({ createdAt }: { readonly createdAt: string }, { endDate }: SeasonFact, { asOf }: View): boolean {
  const day = createdAt.slice(0, 10);
  return !asOf || day <= asOf || day > endDate;
}
