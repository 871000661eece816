/** The listings of contests, stages, participants, adjustments and tie-break decisions. */
import type { ListServices } from '../../../platform/lists/list.ts';
import { sortBy } from '../../../platform/lists/page.ts';
import { visibleTeamIds } from '../../clients/team-facts.ts';
import type {
  AdjustmentFilter,
  ContestFilter,
  ParticipantFilter,
  StageFilter,
  TieBreakDecisionFilter,
} from '../generated/resolvers.ts';
import { adjustmentResource, type AdjustmentRow } from '../adjustments/rows.ts';
import { contestResource, type ContestRow } from '../contests/rows.ts';
import { createParticipantExternalIds, visibleParticipantIds } from '../participants/external-ids.ts';
import { createParticipantStatistics } from '../participants/statistics.ts';
import { participantResource, type ParticipantRow } from '../participants/rows.ts';
import type { SeasonReads } from '../seasons/reads.ts';
import { stageResource, type StageRow } from '../stages/rows.ts';
import { tieBreakDecisionResource, type TieBreakDecisionRow } from '../tie-break-decisions/rows.ts';
import { createReadsOfPart, matching, type PartListing } from './reads.ts';

const contests: PartListing<ContestRow, ContestFilter> = {
  resource: contestResource,
  plural: 'contests',
  sort: sortBy(contestResource.table, 'ordinal', 'int', 'asc'),
  conditions: (_, { eventCode }) => matching({ 'contest.event_code': eventCode }),
};

const stages: PartListing<StageRow, StageFilter> = {
  resource: stageResource,
  plural: 'stages',
  sort: sortBy(stageResource.table, 'ordinal', 'int', 'asc'),
  conditions: (_, { contestId, type }) => matching({ 'stage.contest_id': contestId, 'stage.type': type }),
};

const participants: PartListing<ParticipantRow, ParticipantFilter> = {
  resource: participantResource,
  plural: 'participants',
  sort: sortBy(participantResource.table, 'createdAt', 'timestamptz', 'asc'),
  conditions: async (context, { contestId, group, teamId }) =>
    matching({
      'participant.contest_id': contestId,
      'participant.group_name': group,
      'participant.team_id': await visibleTeamIds(context, teamId),
    }),
  visibleIds: visibleParticipantIds,
};

const adjustments: PartListing<AdjustmentRow, AdjustmentFilter> = {
  resource: adjustmentResource,
  plural: 'adjustments',
  sort: sortBy(adjustmentResource.table, 'createdAt', 'timestamptz', 'asc'),
  conditions: (_, { stageId, participantId }) =>
    matching({ 'adjustment.stage_id': stageId, 'adjustment.participant_id': participantId }),
};

const tieBreakDecisions: PartListing<TieBreakDecisionRow, TieBreakDecisionFilter> = {
  resource: tieBreakDecisionResource,
  plural: 'tieBreakDecisions',
  sort: sortBy(tieBreakDecisionResource.table, 'createdAt', 'timestamptz', 'asc'),
  conditions: (_, { stageId }) => matching({ 'tie_break_decision.stage_id': stageId }),
};

/** Creates the reads of all parts once. */
export function createPartReads(services: ListServices, seasons: Pick<SeasonReads, 'byId'>) {
  return {
    contests: createReadsOfPart(services, seasons, contests),
    stages: createReadsOfPart(services, seasons, stages),
    participants: {
      ...createReadsOfPart(services, seasons, participants),
      visibleExternalIds: createParticipantExternalIds(services.database),
      statistics: createParticipantStatistics(services.database),
    },
    adjustments: createReadsOfPart(services, seasons, adjustments),
    tieBreakDecisions: createReadsOfPart(services, seasons, tieBreakDecisions),
  };
}

export type PartReads = ReturnType<typeof createPartReads>;
