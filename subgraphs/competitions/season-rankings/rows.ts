/** Rankings as the area's database holds them: one row per table or classification, with its rows as JSON. */
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
} from '../resolvers.generated.ts';

import type { ContestRow, StageRow } from '../season-parts/rows.ts';

/** What a ranking is of. */
export interface RankingScope {
  readonly seasonId: string;
  /** Null: of the whole season. */
  readonly contestId: string | null;
  /** Null: of the whole contest or season. */
  readonly stageId: string | null;
  readonly groupName: string | null;
}

/** A number, or a ratio as `value` won by `by` lost. */
export interface ComparedNumber {
  readonly value: number;
  readonly by: number | null;
}

export interface ComparisonValue {
  readonly criterion: TableCriterion | null;
  readonly value: ComparedNumber | null;
  readonly against: readonly { readonly participantId: string; readonly value: ComparedNumber | null }[];
  readonly reason: string | null;
}

/** A result whose points are part of a sum; days are YYYY-MM-DD. */
export interface CountingResultValue {
  readonly matchId: string;
  readonly points: number;
  readonly from: string;
  readonly dropsOn: string | null;
}

/** One place of a ranking, as `ranking.rows` holds it; what a method does not know is absent. */
export interface RankedPlace {
  readonly position: number | null;
  readonly previousPosition?: number | null;
  readonly shared: boolean;
  readonly vacated: boolean;
  /** Kept where the place is vacated, too: it is not shown then. */
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
  readonly form?: readonly MatchOutcome[];
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

/** A place with the ranking it is of: what the resolvers of RankingRow are given. */
export interface RankingPlace extends RankedPlace {
  readonly method: RankingMethod;
  readonly contestId: string | null;
  readonly stageId: string | null;
  readonly groupName: string | null;
  readonly classification: Classification | null;
  /** Read with the ranking, where they were. */
  readonly contest?: ContestRow | null;
  readonly stage?: StageRow | null;
}

/** A row of the table `ranking`; its id is made from what it is of. */
export interface RankingRecord extends RankingScope {
  readonly id: string;
  readonly type: RankingType;
  readonly classification: Classification | null;
  readonly method: RankingMethod;
  readonly ordinal: number;
  readonly rows: readonly RankedPlace[];
}

/** What a write changed in one ranking: the places that differ, as events tell them. */
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
