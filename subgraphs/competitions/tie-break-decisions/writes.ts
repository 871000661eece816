/** Write description of tie-break decisions: the order of participants that no criterion separates. */
import { rejectInvalid, type Violation } from '../../../schema/errors.ts';
import { sql } from '../../../platform/database/database.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { RankedPlace } from '../season-rankings/rows.ts';
import type { CreateTieBreakDecisionInput, UpdateTieBreakDecisionInput } from '../generated/resolvers.ts';
import { rowValues } from '../../runtime/row-values.ts';
import { lockOrCreateStage } from '../season-parts/implied-parts.ts';
import { lockParticipants, unknownParticipantViolation } from '../season-parts/references.ts';
import { noFacts, type PartDescription, type PartWrite } from '../season-parts/writes.ts';
import type { StageRow } from '../stages/rows.ts';
import { tieBreakDecisionResource, type TieBreakDecisionRow } from './rows.ts';

async function participantViolations(write: PartWrite<null>, participantIds: readonly string[]): Promise<(Violation | false)[]> {
  const known = await lockParticipants(write, participantIds);
  return participantIds.map((id, index) => {
    const pointer = `/participantIds/${index}`;
    if (!known.has(id)) return unknownParticipantViolation(pointer);
    const isDuplicate = participantIds.indexOf(id) !== index;
    return isDuplicate && { pointer, code: 'duplicate', detail: 'The participant is already in the list.' };
  });
}

/** A decision applies to one table: in a stage with groups, to the table of one group, or to that of those placed next over all groups. */
function groupViolation({ groups, advancement }: StageRow, group: string | null | undefined): Violation | false {
  const names = groups.join(', ');
  if (!group)
    return (
      groups.length > 0 &&
      !advancement.some(({ by }) => by === 'NEXT_PLACED') && {
        pointer: '/group',
        code: 'required',
        detail: `\`group\` is required. The stage has the groups ${names}.`,
      }
    );
  if (groups.includes(group)) return false;
  const detail = groups.length > 0 ? `The stage has the groups ${names}.` : 'The stage has no groups. Remove `group`.';
  return { pointer: '/group', code: 'unknown_group', detail };
}

/** Rejects a decision that no row of the table reports: its participants are not tied, or others are tied with them. */
async function requireEffect(transaction: WriteTransaction, decision: TieBreakDecisionRow): Promise<void> {
  const { stageId, groupName, participantIds, criterion, reason } = decision;
  const [table] = await transaction.query<{
    rows: readonly RankedPlace[];
  }>(sql`/* tieBreakDecisions.table */ select rows from ranking
    where stage_id = ${stageId} and group_name is not distinct from ${groupName} and type = 'TOTAL'`);
  const rows = table?.rows.filter(({ participantId }) => participantIds.includes(participantId)) ?? [];
  if (rows.some(({ tieBreak }) => tieBreak?.chain.some((each) => each.criterion === criterion && each.reason === reason))) return;
  const hint = rows.some(({ shared }) => shared)
    ? 'List every participant that shares the position.'
    : 'The ranking rules already separate these participants. To decide before them, put the criterion earlier in `rankingRules.order`.';
  rejectInvalid([{ pointer: '/participantIds', code: 'no_effect', detail: `The decision has no effect. ${hint}` }]);
}

export const tieBreakDecisionDescription: PartDescription<
  TieBreakDecisionRow,
  UpdateTieBreakDecisionInput,
  CreateTieBreakDecisionInput,
  null
> = {
  resource: tieBreakDecisionResource,
  title: 'TieBreakDecision',
  plural: 'TieBreakDecisions',
  immutable: ['stageId'],
  fetchFacts: noFacts,
  rankingScope: ({ stageId }) => ({ stageId }),
  afterRanking: requireEffect,
  async newValues(write, { stageId, group, participantIds, criterion, reason }) {
    const violations = await participantViolations(write, participantIds);
    const stage = await lockOrCreateStage(write.transaction, write.season, stageId ?? null);
    rejectInvalid([groupViolation(stage, group), ...violations]);
    return rowValues<TieBreakDecisionRow>({ stageId: stage.id, groupName: group, participantIds, criterion, reason });
  },
  async patchValues(write, _, { participantIds, criterion, reason }) {
    rejectInvalid(await participantViolations(write, participantIds ?? []));
    return rowValues<TieBreakDecisionRow>({ participantIds, criterion, reason });
  },
};
