/** The table row of an adjustment and its resource description. */
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource } from '../../../platform/writes/resource.ts';
import { isPublished, partFields, type SeasonPartRow } from '../season-parts/rows.ts';

export interface AdjustmentRow extends SeasonPartRow {
  readonly stageId: string;
  readonly participantId: string;
  readonly points: number | null;
  readonly timeMs: number | null;
  readonly reason: string;
}

export const adjustmentResource: Resource<AdjustmentRow> = {
  type: 'adjustment',
  // prettier-ignore
  table: table<AdjustmentRow>('adjustment', {
    ...partFields, stageId: 'plain', participantId: 'plain', points: 'plain', timeMs: 'plain', reason: 'plain',
  }),
  created: 'adjustment.created',
  updated: 'adjustment.updated',
  deleted: 'adjustment.deleted',
  required: ['reason'],
  isPublic: isPublished,
};

export type AdjustmentPage = Page<AdjustmentRow>;
