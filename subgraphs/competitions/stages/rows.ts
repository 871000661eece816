/** The table row of a stage and its resource description. */
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource } from '../../../platform/writes/resource.ts';
import type { RankingRules } from '../../../schema/ranking-rules.ts';
import type { AdvancementCriterion, CarriedMatches, CarriedPoints, StageType } from '../generated/resolvers.ts';
import { isPublished, partFields, type SeasonPartRow } from '../season-parts/rows.ts';

export interface StageAdvancement {
  readonly by: AdvancementCriterion;
  readonly count: number;
  readonly toStageId: string | null;
}

/** Results of an earlier stage that count in the tables of a stage. */
export interface StageCarryOver {
  readonly fromStageId: string;
  readonly matches: CarriedMatches;
  readonly points: CarriedPoints;
}

export interface StageRow extends SeasonPartRow {
  readonly contestId: string;
  readonly name: string;
  readonly type: StageType;
  readonly ordinal: number;
  readonly groups: string[];
  readonly legs: number;
  readonly bestOf: number | null;
  readonly awayGoals: boolean;
  readonly advancement: StageAdvancement[];
  readonly carryOver: StageCarryOver | null;
  readonly continuousPositions: boolean;
  /** Null: the rules of the season apply. */
  readonly rankingRules: RankingRules | null;
}

export const stageResource: Resource<StageRow> = {
  type: 'stage',
  // prettier-ignore
  table: table<StageRow>('stage', {
    ...partFields, contestId: 'plain', name: 'plain', type: 'plain', ordinal: 'plain', groups: 'plain', legs: 'plain', bestOf: 'plain',
    awayGoals: 'plain', advancement: 'jsonb', carryOver: 'jsonb', continuousPositions: 'plain', rankingRules: 'jsonb',
  }),
  created: 'stage.created',
  updated: 'stage.updated',
  deleted: 'stage.deleted',
  required: ['name', 'ordinal', 'groups', 'legs', 'awayGoals', 'advancement', 'continuousPositions'],
  replaced: ['rankingRules', 'carryOver'],
  isPublic: isPublished,
};

export type StagePage = Page<StageRow>;
