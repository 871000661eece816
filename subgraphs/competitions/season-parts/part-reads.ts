/** How each kind of parts is listed: contests, stages, participants, adjustments and tie-break decisions. */
import { sql } from '../../../platform/database/database.ts';
import type { ListServices } from '../../../platform/lists/list.ts';
import { sortBy } from '../../../platform/lists/page.ts';
import { isHiddenTeam } from '../../clients/team-facts.ts';
import type {
  AdjustmentFilter,
  ContestFilter,
  ParticipantFilter,
  StageFilter,
  TieBreakDecisionFilter,
} from '../resolvers.generated.ts';
import {
  adjustmentResource,
  contestResource,
  participantResource,
  stageResource,
  tieBreakDecisionResource,
  type AdjustmentRow,
  type ContestRow,
  type ParticipantRow,
  type StageRow,
  type TieBreakDecisionRow,
} from './rows.ts';
import { createParticipantIds, seenIdsOfParticipants } from '../participants/external-ids.ts';
import { createPartStore, matching, type PartReading } from './reads.ts';
import type { SeasonStore } from '../seasons/reads.ts';

const contests: PartReading<ContestRow, ContestFilter> = {
  resource: contestResource,
  plural: 'contests',
  sort: sortBy(contestResource.table, 'ordinal', 'int', 'asc'),
  conditions: (_, { eventCode }) => matching({ 'contest.event_code': eventCode }),
};

const stages: PartReading<StageRow, StageFilter> = {
  resource: stageResource,
  plural: 'stages',
  sort: sortBy(stageResource.table, 'ordinal', 'int', 'asc'),
  conditions: (_, { contestId, type }) => matching({ 'stage.contest_id': contestId, 'stage.type': type }),
};

const participants: PartReading<ParticipantRow, ParticipantFilter> = {
  resource: participantResource,
  plural: 'participants',
  sort: sortBy(participantResource.table, 'createdAt', 'timestamptz', 'asc'),
  conditions: async (context, { contestId, group, teamId }) => [
    ...matching({ 'participant.contest_id': contestId, 'participant.group_name': group, 'participant.team_id': teamId }),
    ...((await isHiddenTeam(context, teamId)) ? [sql`false`] : []),
  ],
  seenIds: seenIdsOfParticipants,
};

const adjustments: PartReading<AdjustmentRow, AdjustmentFilter> = {
  resource: adjustmentResource,
  plural: 'adjustments',
  sort: sortBy(adjustmentResource.table, 'createdAt', 'timestamptz', 'asc'),
  conditions: (_, { stageId, participantId }) =>
    matching({ 'adjustment.stage_id': stageId, 'adjustment.participant_id': participantId }),
};

const tieBreakDecisions: PartReading<TieBreakDecisionRow, TieBreakDecisionFilter> = {
  resource: tieBreakDecisionResource,
  plural: 'tieBreakDecisions',
  sort: sortBy(tieBreakDecisionResource.table, 'createdAt', 'timestamptz', 'asc'),
  conditions: (_, { stageId }) => matching({ 'tie_break_decision.stage_id': stageId }),
};

/** The stores of all parts, each made once. */
export function createPartStores(services: ListServices, seasons: Pick<SeasonStore, 'byId'>) {
  return {
    contests: createPartStore(services, seasons, contests),
    stages: createPartStore(services, seasons, stages),
    participants: {
      ...createPartStore(services, seasons, participants),
      seenExternalIds: createParticipantIds(services.database),
    },
    adjustments: createPartStore(services, seasons, adjustments),
    tieBreakDecisions: createPartStore(services, seasons, tieBreakDecisions),
  };
}

export type PartStores = ReturnType<typeof createPartStores>;
