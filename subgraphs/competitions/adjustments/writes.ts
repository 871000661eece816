/** Write description of adjustments: points and time that the organizer adds or deducts. */
import { rejectInvalid } from '../../../schema/errors.ts';
import type { CreateAdjustmentInput, UpdateAdjustmentInput } from '../generated/resolvers.ts';
import { rowValues } from '../../runtime/row-values.ts';
import { lockOrCreateStage } from '../season-parts/implied-parts.ts';
import { lockParticipants, unknownParticipantViolation } from '../season-parts/references.ts';
import { noFacts, type PartDescription } from '../season-parts/writes.ts';
import { adjustmentViolations } from './rules.ts';
import { adjustmentResource, type AdjustmentRow } from './rows.ts';

export const adjustmentDescription: PartDescription<AdjustmentRow, UpdateAdjustmentInput, CreateAdjustmentInput, null> = {
  resource: adjustmentResource,
  title: 'Adjustment',
  plural: 'Adjustments',
  immutable: ['stageId', 'participantId'],
  fetchFacts: noFacts,
  rankingScope: ({ stageId }) => ({ stageId }),
  async newValues(write, { stageId, participantId, points, timeMs, reason }) {
    const known = await lockParticipants(write, [participantId]);
    rejectInvalid([
      ...adjustmentViolations({ points, timeMs }),
      !known.has(participantId) && unknownParticipantViolation('/participantId'),
    ]);
    const stage = await lockOrCreateStage(write.transaction, write.season, stageId ?? null);
    return rowValues<AdjustmentRow>({ stageId: stage.id, participantId, points, timeMs, reason });
  },
  patchValues(_, before, { points, timeMs, reason }) {
    rejectInvalid(
      adjustmentViolations({
        points: points === undefined ? before.points : points,
        timeMs: timeMs === undefined ? before.timeMs : timeMs,
      }),
    );
    return Promise.resolve(rowValues<AdjustmentRow>({ points, timeMs, reason }));
  },
};
