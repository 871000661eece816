/** Resolvers of contests, stages, participants, adjustments and tie-break decisions: one line a field. */
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import { shownRules } from '../ranking-rules/rules.ts';
import type { Resolvers } from '../resolvers.generated.ts';
import { athleteOf, teamOf } from '../references.ts';
import { adjustmentWriting, tieBreakDecisionWriting } from '../adjustments/writes.ts';
import { contestWriting, stageWriting } from '../stages/writes.ts';
import { participantWriting } from '../participants/writes.ts';
import { createPartWrites } from './writes.ts';
import type { Stores } from '../reads.ts';

/** Reads what a row is shown with: who sees the one sees the other. */
async function shownWith<Row>(context: Context, byId: BatchRead<string, Row | null>, id: string): Promise<Row> {
  const row = await context.load(byId, id);
  if (row === null) throw new Error(`${id} is not seen by who sees what belongs to it`);
  return row;
}

export function seasonPartResolvers(services: AreaServices, stores: Stores): Resolvers {
  const { seasons, contests, stages, participants, adjustments, tieBreakDecisions } = stores;
  const contestWrites = createPartWrites(services, contests, contestWriting);
  const stageWrites = createPartWrites(services, stages, stageWriting);
  const participantWrites = createPartWrites(services, participants, participantWriting);
  const adjustmentWrites = createPartWrites(services, adjustments, adjustmentWriting);
  const decisionWrites = createPartWrites(services, tieBreakDecisions, tieBreakDecisionWriting);

  return {
    Query: {
      contests: (_, args, context) => contests.list(context, args),
      contest: (_, path, context) => contests.one(context, path),
      stages: (_, args, context) => stages.list(context, args),
      stage: (_, path, context) => stages.one(context, path),
      participants: (_, args, context) => participants.list(context, args),
      participant: (_, path, context) => participants.one(context, path),
      adjustments: (_, args, context) => adjustments.list(context, args),
      adjustment: (_, path, context) => adjustments.one(context, path),
      tieBreakDecisions: (_, args, context) => tieBreakDecisions.list(context, args),
      tieBreakDecision: (_, path, context) => tieBreakDecisions.one(context, path),
    },
    Mutation: {
      createContest: (_, { seasonId, input, idempotencyKey: key }, context) =>
        contestWrites.create(context, seasonId, input, key),
      updateContest: (_, { input, ifMatch, ...path }, context) => contestWrites.update(context, path, input, ifMatch),
      deleteContest: (_, { ifMatch, ...path }, context) => contestWrites.remove(context, path, ifMatch),
      upsertContests: (_, { seasonId, items, idempotencyKey: key }, context) =>
        contestWrites.upsert(context, seasonId, items, key),
      createStage: (_, { seasonId, input, idempotencyKey: key }, context) => stageWrites.create(context, seasonId, input, key),
      updateStage: (_, { input, ifMatch, ...path }, context) => stageWrites.update(context, path, input, ifMatch),
      deleteStage: (_, { ifMatch, ...path }, context) => stageWrites.remove(context, path, ifMatch),
      upsertStages: (_, { seasonId, items, idempotencyKey: key }, context) => stageWrites.upsert(context, seasonId, items, key),
      createParticipant: (_, { seasonId, input, idempotencyKey: key }, context) =>
        participantWrites.create(context, seasonId, input, key),
      updateParticipant: (_, { input, ifMatch, ...path }, context) => participantWrites.update(context, path, input, ifMatch),
      deleteParticipant: (_, { ifMatch, ...path }, context) => participantWrites.remove(context, path, ifMatch),
      upsertParticipants: (_, { seasonId, items, idempotencyKey: key }, context) =>
        participantWrites.upsert(context, seasonId, items, key),
      createAdjustment: (_, { seasonId, input, idempotencyKey: key }, context) =>
        adjustmentWrites.create(context, seasonId, input, key),
      updateAdjustment: (_, { input, ifMatch, ...path }, context) => adjustmentWrites.update(context, path, input, ifMatch),
      deleteAdjustment: (_, { ifMatch, ...path }, context) => adjustmentWrites.remove(context, path, ifMatch),
      upsertAdjustments: (_, { seasonId, items, idempotencyKey: key }, context) =>
        adjustmentWrites.upsert(context, seasonId, items, key),
      createTieBreakDecision: (_, { seasonId, input, idempotencyKey: key }, context) =>
        decisionWrites.create(context, seasonId, input, key),
      updateTieBreakDecision: (_, { input, ifMatch, ...path }, context) => decisionWrites.update(context, path, input, ifMatch),
      deleteTieBreakDecision: (_, { ifMatch, ...path }, context) => decisionWrites.remove(context, path, ifMatch),
      upsertTieBreakDecisions: (_, { seasonId, items, idempotencyKey: key }, context) =>
        decisionWrites.upsert(context, seasonId, items, key),
    },
    Season: {
      contests: ({ id }, { first, after }, context) => context.load(contests.pagesOfSeasons, { owner: id, first, after }),
      stages: ({ id }, { first, after }, context) => context.load(stages.pagesOfSeasons, { owner: id, first, after }),
      participants: ({ id }, { first, after }, context) => context.load(participants.pagesOfSeasons, { owner: id, first, after }),
    },
    Contest: {
      season: ({ seasonId }, _, context) => shownWith(context, seasons.byId, seasonId),
      order: ({ ordinal }) => ordinal,
      externalIds: ({ id }, _, context) => context.load(contests.externalIds, id),
      stages: ({ id }, { first, after }, context) => context.load(stages.pagesOfContests, { owner: id, first, after }),
    },
    Stage: {
      season: ({ seasonId }, _, context) => shownWith(context, seasons.byId, seasonId),
      contest: ({ contestId }, _, context) => shownWith(context, contests.byId, contestId),
      order: ({ ordinal }) => ordinal,
      rankingRules: ({ rankingRules }) => (rankingRules === null ? null : shownRules(rankingRules)),
      externalIds: ({ id }, _, context) => context.load(stages.externalIds, id),
    },
    Advancement: {
      toStage: ({ toStageId }, _, context) => (toStageId === null ? null : context.load(stages.byId, toStageId)),
    },
    Participant: {
      season: ({ seasonId }, _, context) => shownWith(context, seasons.byId, seasonId),
      contest: ({ contestId }, _, context) => (contestId === null ? null : context.load(contests.byId, contestId)),
      team: ({ teamId }) => teamOf(teamId),
      athlete: ({ athleteId }) => athleteOf(athleteId),
      members: ({ memberIds }) => memberIds.map(athleteOf),
      representsTeam: ({ representsTeamId }) => teamOf(representsTeamId),
      group: ({ groupName }) => groupName,
      externalIds: (row, _, context) => context.load(participants.seenExternalIds, row),
    },
    Adjustment: {
      season: ({ seasonId }, _, context) => shownWith(context, seasons.byId, seasonId),
      stage: ({ stageId }, _, context) => shownWith(context, stages.byId, stageId),
      participant: ({ participantId }, _, context) => shownWith(context, participants.byId, participantId),
      externalIds: ({ id }, _, context) => context.load(adjustments.externalIds, id),
    },
    TieBreakDecision: {
      season: ({ seasonId }, _, context) => shownWith(context, seasons.byId, seasonId),
      stage: ({ stageId }, _, context) => shownWith(context, stages.byId, stageId),
      group: ({ groupName }) => groupName,
      participants: ({ participantIds }, _, context) =>
        Promise.all(participantIds.map((id) => shownWith(context, participants.byId, id))),
      externalIds: ({ id }, _, context) => context.load(tieBreakDecisions.externalIds, id),
    },
  };
}
