/** Rows of rankings: one database row for each table or classification, with its places as JSON. */
import type { Page } from '../../../platform/lists/page.ts';
import type {
  Classification,
  InvalidResultMark,
  MarkUnit,
  MatchOutcome,
  RankingMethod,
  RankingType,
  SeparationCriterion,
  TableCriterion,
} from '../generated/resolvers.ts';
import type { ContestRow } from '../contests/rows.ts';
import type { StageRow } from '../stages/rows.ts';
import type { MatchRecord } from '../standings/standing-row.ts';

/** The part of a season that a ranking covers. */
export interface RankingScope {
  readonly seasonId: string;
  /** Null: the whole season. */
  readonly contestId: string | null;
  /** Null: the whole contest or season. */
  readonly stageId: string | null;
  readonly groupName: string | null;
}

/** A number, or a ratio: `value` won to `by` lost. */
export interface ComparedValue {
  readonly value: number;
  readonly by: number | null;
}

export interface ComparisonValue {
  readonly criterion: TableCriterion | null;
  readonly value: ComparedValue | null;
  readonly against: readonly { readonly participantId: string; readonly value: ComparedValue | null }[];
  readonly reason: string | null;
}

/** A result whose points are part of a sum. Dates are YYYY-MM-DD. */
export interface CountingResultValue {
  readonly matchId: string;
  readonly points: number;
  readonly from: string;
  readonly dropsOn: string | null;
}

/** One place of a ranking, as stored in `ranking.rows`. Members that a method does not have are absent. */
export interface RankedPlace {
  readonly position: number | null;
  readonly previousPosition?: number | null;
  readonly shared: boolean;
  readonly vacated: boolean;
  /** Also stored for a vacated place, but not returned then. */
  readonly participantId: string;
  readonly matchesPlayed?: number;
  readonly won?: number;
  readonly draw?: number;
  readonly lost?: number;
  readonly scoreFor?: number;
  readonly scoreAgainst?: number;
  readonly scoreDifference?: number;
  readonly setsWon?: number;
  readonly setsLost?: number;
  readonly bonusPoints?: number;
  readonly pointsDeducted?: { readonly value: number; readonly reasons: readonly string[] };
  readonly points?: number;
  readonly carriedPoints?: number;
  readonly form?: readonly MatchOutcome[];
  readonly winPercentage?: number | null;
  readonly gamesBehind?: number;
  readonly streak?: { readonly outcome: MatchOutcome; readonly count: number } | null;
  readonly lastTen?: MatchRecord;
  readonly groupRecord?: MatchRecord;
  readonly division?: string;
  readonly divisionRecord?: MatchRecord;
  /** The group of the participant, in a table over all groups. */
  readonly ownGroup?: string;
  readonly zone?: string | null;
  readonly tieBreak?: (ComparisonValue & { readonly chain: readonly ComparisonValue[] }) | null;
  readonly mark?: { readonly value: number; readonly unit: MarkUnit } | null;
  readonly gap?: number | null;
  readonly invalidResultMark?: InvalidResultMark | null;
  readonly windMmPerS?: number | null;
  readonly windAssisted?: boolean;
  readonly qualified?: boolean | null;
  readonly matchId?: string | null;
  readonly separatedBy?: SeparationCriterion | null;
  readonly countingResults?: readonly CountingResultValue[];
}

/** A place with its ranking: the parent object of the `RankingRow` resolvers. */
export interface RankingPlace extends RankedPlace {
  readonly method: RankingMethod;
  readonly contestId: string | null;
  readonly stageId: string | null;
  readonly groupName: string | null;
  readonly classification: Classification | null;
  /** Present where it was read with the ranking. */
  readonly contest?: ContestRow | null;
  readonly stage?: StageRow | null;
}

/** A row of the table `ranking`. Its id is derived from its scope. */
export interface RankingRecord extends RankingScope {
  readonly id: string;
  readonly type: RankingType;
  readonly classification: Classification | null;
  readonly method: RankingMethod;
  readonly ordinal: number;
  readonly rows: readonly RankedPlace[];
}

/** The changed places of one ranking, as events report them. */
export interface RankingChange extends RankingScope {
  readonly type: RankingType;
  readonly classification: Classification | null;
  readonly changed: readonly {
    readonly participantId: string;
    readonly before: { readonly position: number | null; readonly points: number | null } | null;
    readonly after: { readonly position: number | null; readonly points: number | null } | null;
  }[];
}

export type RankingPage = Page<RankingPlace & { readonly id: string }>;
