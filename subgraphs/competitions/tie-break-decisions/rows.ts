/** The table row of a tie-break decision and its resource description. */
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource } from '../../../platform/writes/resource.ts';
import type { DecisionCriterion } from '../generated/resolvers.ts';
import { isPublished, partFields, type SeasonPartRow } from '../season-parts/rows.ts';

export interface TieBreakDecisionRow extends SeasonPartRow {
  readonly stageId: string;
  readonly groupName: string | null;
  /** The highest-ranked participant first. */
  readonly participantIds: string[];
  readonly criterion: DecisionCriterion;
  readonly reason: string;
}

export const tieBreakDecisionResource: Resource<TieBreakDecisionRow> = {
  type: 'tie_break_decision',
  // prettier-ignore
  table: table<TieBreakDecisionRow>('tie_break_decision', {
    ...partFields, stageId: 'plain', groupName: 'plain', participantIds: 'plain', criterion: 'plain', reason: 'plain',
  }),
  created: 'tie_break_decision.created',
  updated: 'tie_break_decision.updated',
  deleted: 'tie_break_decision.deleted',
  required: ['participantIds', 'criterion', 'reason'],
  isPublic: isPublished,
};

export type TieBreakDecisionPage = Page<TieBreakDecisionRow>;
