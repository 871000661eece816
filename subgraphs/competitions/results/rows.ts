/** Rows of results: the result in `result`, the part of each participant in `match_participant`, and complete versions in `result_version`. */
import type { Page } from '../../../platform/lists/page.ts';
import { table } from '../../../platform/database/table.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import type {
  AttemptOutcome,
  InvalidResultMark,
  MatchDuration,
  MatchOutcome,
  MarkUnit,
  ResultMethod,
  ResultStatus,
  Sport,
} from '../generated/resolvers.ts';
import { resultTransitions } from './rules.ts';

export interface EndingValue {
  readonly method: ResultMethod;
  readonly period: number | null;
  readonly clockMs: number | null;
}

/** An attempt in a field event; `value` in millimeters. */
export interface AttemptValue {
  readonly outcome: AttemptOutcome;
  readonly value: number | null;
  readonly windMmPerS: number | null;
}

/** The scores of a judge for one participant; `total` where the rounds are not known. */
export interface ScorecardValue {
  readonly judge: string;
  readonly periodScores: readonly number[];
  readonly total: number;
}

/** The result of one participant, as stored in the column `match_participant.result`. */
export interface ParticipantPart {
  readonly participantId: string;
  readonly outcome: MatchOutcome | null;
  readonly rank: number | null;
  readonly score: number | null;
  readonly shootoutScore: number | null;
  readonly periodScores: readonly number[];
  readonly tieBreakScores: readonly (number | null)[];
  readonly tries: number | null;
  readonly forfeit: boolean;
  /** In the canonical unit. Null without a valid mark. */
  readonly mark: { readonly value: number; readonly unit: MarkUnit } | null;
  readonly splits: readonly number[];
  readonly countback: readonly number[];
  /** Absent without attempts. */
  readonly attempts?: readonly AttemptValue[];
  /** Values by team metric; absent without statistics. */
  readonly statistics?: Readonly<Record<string, number>>;
  /** Absent without scorecards. */
  readonly scorecards?: readonly ScorecardValue[];
  readonly reactionTimeMs: number | null;
  readonly windMmPerS: number | null;
  readonly invalidResultMark: InvalidResultMark | null;
  readonly bonusMs: number | null;
  readonly penaltyMs: number | null;
  readonly points: number | null;
  readonly bonusPoints: readonly { readonly type: string; readonly points: number }[];
  readonly qualified: boolean | null;
  readonly vacated: boolean;
}

export interface ResultRow extends ResourceRow {
  readonly published: boolean;
  readonly status: ResultStatus;
  readonly matchId: string;
  readonly seasonId: string;
  readonly contestId: string;
  readonly stageId: string;
  readonly sport: Sport;
  readonly duration: MatchDuration;
  readonly endedBy: EndingValue | null;
  readonly reason: string | null;
  readonly certifiedAt: string | null;
  /** Copied from the match. */
  readonly startsAt: string;
}

export interface ResultVersionRow {
  readonly resultId: string;
  readonly matchId: string;
  readonly version: number;
  readonly at: string;
  readonly status: ResultStatus;
  readonly reason: string | null;
  readonly duration: MatchDuration;
  readonly endedBy: EndingValue | null;
  readonly participants: readonly ParticipantPart[];
}

/** The result of one participant with its match: the parent object of the `ParticipantResult` resolvers. */
export interface ParticipantResultRow extends ParticipantPart {
  /** Id of the entry in the match. */
  readonly id: string;
  readonly matchId: string;
  readonly status: ResultStatus;
  /** Copied from the match. */
  readonly startsAt: string;
}

/** Results that count in rankings and statistics. */
export const countingStatuses: readonly ResultStatus[] = ['OFFICIAL', 'CORRECTED'];

export const resultResource: Resource<ResultRow> = {
  type: 'result',
  // prettier-ignore
  table: table<ResultRow>('result', {
    id: 'plain', accountId: 'plain', version: 'plain', createdAt: 'plain', updatedAt: 'plain', published: 'plain', status: 'plain',
    matchId: 'plain', seasonId: 'plain', contestId: 'plain', stageId: 'plain', sport: 'plain', duration: 'plain', endedBy: 'jsonb',
    reason: 'plain', certifiedAt: 'plain', startsAt: 'plain',
  }),
  created: 'result.recorded',
  updated: 'result.recorded',
  required: [],
  isPublic: (row) => row.published,
  lifecycle: { initial: 'PROVISIONAL', transitions: resultTransitions },
};

export type ResultPage = Page<ResultRow>;
export type ParticipantResultPage = Page<ParticipantResultRow>;
export type ResultVersionPage = Page<ResultVersionRow & { readonly id: string }>;
