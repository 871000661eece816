/** How adjustments and tie-break decisions are written: what the organizer decides about a stage and its participants. */
import { rejectInvalid, type Violation } from '../../../schema/errors.ts';
import { sql } from '../../../platform/database/database.ts';
import type {
  CreateAdjustmentInput,
  CreateTieBreakDecisionInput,
  UpdateAdjustmentInput,
  UpdateTieBreakDecisionInput,
} from '../resolvers.generated.ts';
import { adjustmentViolations } from '../season-parts/rules.ts';
import {
  adjustmentResource,
  tieBreakDecisionResource,
  type AdjustmentRow,
  type StageRow,
  type TieBreakDecisionRow,
} from '../season-parts/rows.ts';
import type { PartWriting, Writing } from '../season-parts/writes.ts';
import { holdStage } from '../season-parts/implied-parts.ts';

const nothing = (): Promise<null> => Promise.resolve(null);

const unknownParticipant = (pointer: string): Violation => ({
  pointer,
  code: 'unknown_participant',
  detail: 'There is no participant with this id in the season.',
});

/** Those of the ids that are participants of the season. */
async function participantsOf({ transaction, season }: Writing<null>, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await transaction.query<{ id: string }>(sql`/* participants.ofSeason */ select id from participant
    where season_id = ${season.id} and id = any(${[...ids]}::uuid[]) order by id for key share`);
  return new Set(rows.map(({ id }) => id));
}

export const adjustmentWriting: PartWriting<AdjustmentRow, UpdateAdjustmentInput, CreateAdjustmentInput, null> = {
  resource: adjustmentResource,
  title: 'Adjustment',
  plural: 'Adjustments',
  fixed: ['stageId', 'participantId'],
  gather: nothing,
  scope: ({ stageId }) => ({ stageId }),
  async begin(writing, input) {
    const { externalIds: _, stageId, ...values } = input;
    const known = await participantsOf(writing, [input.participantId]);
    rejectInvalid([...adjustmentViolations(input), !known.has(input.participantId) && unknownParticipant('/participantId')]);
    const stage = await holdStage(writing.transaction, writing.season, stageId ?? null);
    return { ...(values as Partial<AdjustmentRow>), stageId: stage.id };
  },
  change(_, before, { points, timeMs, reason }) {
    const kinds = {
      points: points === undefined ? before.points : points,
      timeMs: timeMs === undefined ? before.timeMs : timeMs,
    };
    rejectInvalid(adjustmentViolations(kinds));
    return Promise.resolve({ points, timeMs, reason } as Partial<AdjustmentRow>);
  },
};

/** What is wrong with those whom a decision is about. */
async function decisionViolations(writing: Writing<null>, participantIds: readonly string[]): Promise<(Violation | false)[]> {
  const known = await participantsOf(writing, participantIds);
  return participantIds.map((id, index) => {
    const pointer = `/participantIds/${index}`;
    if (!known.has(id)) return unknownParticipant(pointer);
    const twice = participantIds.indexOf(id) !== index;
    return twice && { pointer, code: 'duplicate', detail: 'Nobody stands above himself: name each participant once.' };
  });
}

/** A decision is about one table: a stage of groups has one for each. */
function groupViolation({ groups }: StageRow, group: string | null | undefined): Violation | false {
  const names = groups.join(', ');
  if (!group) return groups.length > 0 && { pointer: '/group', code: 'required', detail: `Name the group, one of ${names}.` };
  if (groups.includes(group)) return false;
  const detail = groups.length > 0 ? `The groups of the stage are ${names}.` : 'The stage has no groups: leave the group out.';
  return { pointer: '/group', code: 'unknown_group', detail };
}

export const tieBreakDecisionWriting: PartWriting<
  TieBreakDecisionRow,
  UpdateTieBreakDecisionInput,
  CreateTieBreakDecisionInput,
  null
> = {
  resource: tieBreakDecisionResource,
  title: 'TieBreakDecision',
  plural: 'TieBreakDecisions',
  fixed: ['stageId'],
  gather: nothing,
  scope: ({ stageId }) => ({ stageId }),
  async begin(writing, input) {
    const { externalIds: _, stageId, group, ...values } = input;
    const violations = await decisionViolations(writing, input.participantIds);
    const stage = await holdStage(writing.transaction, writing.season, stageId ?? null);
    rejectInvalid([groupViolation(stage, group), ...violations]);
    return { ...(values as Partial<TieBreakDecisionRow>), stageId: stage.id, groupName: group ?? null };
  },
  async change(writing, _, { participantIds, criterion, reason }) {
    rejectInvalid(await decisionViolations(writing, participantIds ?? []));
    return { participantIds, criterion, reason } as Partial<TieBreakDecisionRow>;
  },
};
