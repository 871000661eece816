/** The parts of a season as the area's database holds them: contests, stages, participants, adjustments and tie-break decisions. */
import type { Page } from '../../../platform/lists/page.ts';
import { table } from '../../../platform/database/table.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import type { RankingRules } from '../../../schema/ranking-rules.ts';
import type {
  AdvancementCriterion,
  AgeGroup,
  CompetitionCategory,
  DecisionCriterion,
  ParticipantType,
  Sport,
  StageType,
} from '../resolvers.generated.ts';

/** What all parts of a season have; `published` is the season's. */
export interface SeasonPartRow extends ResourceRow {
  readonly published: boolean;
  readonly seasonId: string;
  readonly sport: Sport;
}

export interface ContestRow extends SeasonPartRow {
  readonly name: string;
  readonly eventCode: string | null;
  readonly category: CompetitionCategory | null;
  readonly ageGroup: AgeGroup | null;
  readonly weightClass: string | null;
  readonly course: string | null;
  readonly distanceMeters: number | null;
  readonly relay: boolean;
  readonly implied: boolean;
  readonly ordinal: number;
}

export interface StageAdvancement {
  readonly by: AdvancementCriterion;
  readonly count: number;
  readonly toStageId: string | null;
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
  readonly rankingRules: RankingRules | null;
}

export interface ParticipantRow extends SeasonPartRow {
  readonly contestId: string | null;
  readonly type: ParticipantType;
  readonly teamId: string | null;
  readonly athleteId: string | null;
  /** Athletes of a pair or relay. */
  readonly memberIds: string[];
  readonly name: string | null;
  readonly representsTeamId: string | null;
  readonly representsName: string | null;
  readonly representsCountry: string | null;
  readonly groupName: string | null;
  readonly seed: number | null;
  readonly entry: string | null;
  readonly bracketPosition: number | null;
  readonly bib: string | null;
}

export interface AdjustmentRow extends SeasonPartRow {
  readonly stageId: string;
  readonly participantId: string;
  readonly points: number | null;
  readonly timeMs: number | null;
  readonly reason: string;
}

export interface TieBreakDecisionRow extends SeasonPartRow {
  readonly stageId: string;
  readonly groupName: string | null;
  /** The highest first. */
  readonly participantIds: string[];
  readonly criterion: DecisionCriterion;
  readonly reason: string;
}

const part = {
  id: 'plain',
  accountId: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  published: 'plain',
  seasonId: 'plain',
  sport: 'plain',
} as const;

const isPublic = (row: SeasonPartRow): boolean => row.published;

export const contestResource: Resource<ContestRow> = {
  type: 'contest',
  // prettier-ignore
  table: table<ContestRow>('contest', {
    ...part, name: 'plain', eventCode: 'plain', category: 'plain', ageGroup: 'plain', weightClass: 'plain', course: 'plain',
    distanceMeters: 'plain', relay: 'plain', implied: 'plain', ordinal: 'plain',
  }),
  created: 'contest.created',
  updated: 'contest.updated',
  deleted: 'contest.deleted',
  required: ['name', 'ordinal', 'relay'],
  isPublic,
};

export const stageResource: Resource<StageRow> = {
  type: 'stage',
  // prettier-ignore
  table: table<StageRow>('stage', {
    ...part, contestId: 'plain', name: 'plain', type: 'plain', ordinal: 'plain', groups: 'plain', legs: 'plain', bestOf: 'plain',
    awayGoals: 'plain', advancement: 'jsonb', rankingRules: 'jsonb',
  }),
  created: 'stage.created',
  updated: 'stage.updated',
  deleted: 'stage.deleted',
  required: ['name', 'ordinal', 'groups', 'legs', 'awayGoals', 'advancement'],
  replaced: ['rankingRules'],
  isPublic,
};

export const participantResource: Resource<ParticipantRow> = {
  type: 'participant',
  // prettier-ignore
  table: table<ParticipantRow>('participant', {
    ...part, contestId: 'plain', type: 'plain', teamId: 'plain', athleteId: 'plain', memberIds: 'plain', name: 'plain',
    representsTeamId: 'plain', representsName: 'plain', representsCountry: 'plain', groupName: 'plain', seed: 'plain', entry: 'plain', bracketPosition: 'plain',
    bib: 'plain',
  }),
  created: 'participant.created',
  updated: 'participant.updated',
  deleted: 'participant.deleted',
  required: [],
  isPublic,
};

export const adjustmentResource: Resource<AdjustmentRow> = {
  type: 'adjustment',
  // prettier-ignore
  table: table<AdjustmentRow>('adjustment', {
    ...part, stageId: 'plain', participantId: 'plain', points: 'plain', timeMs: 'plain', reason: 'plain',
  }),
  created: 'adjustment.created',
  updated: 'adjustment.updated',
  deleted: 'adjustment.deleted',
  required: ['reason'],
  isPublic,
};

export const tieBreakDecisionResource: Resource<TieBreakDecisionRow> = {
  type: 'tie_break_decision',
  // prettier-ignore
  table: table<TieBreakDecisionRow>('tie_break_decision', {
    ...part, stageId: 'plain', groupName: 'plain', participantIds: 'plain', criterion: 'plain', reason: 'plain',
  }),
  created: 'tie_break_decision.created',
  updated: 'tie_break_decision.updated',
  deleted: 'tie_break_decision.deleted',
  required: ['participantIds', 'criterion', 'reason'],
  isPublic,
};

export type ContestPage = Page<ContestRow>;
export type StagePage = Page<StageRow>;
export type ParticipantPage = Page<ParticipantRow>;
export type AdjustmentPage = Page<AdjustmentRow>;
export type TieBreakDecisionPage = Page<TieBreakDecisionRow>;
