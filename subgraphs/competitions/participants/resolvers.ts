/** Resolvers of participants. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Reads } from '../reads.ts';
import { athleteReference, teamReference } from '../references.ts';
import { loadRequired } from '../required-reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createPartWrites } from '../season-parts/writes.ts';
import { participantDescription } from './writes.ts';

export function participantResolvers(services: AreaServices, { contests, participants, seasons }: Reads): Resolvers {
  const writes = createPartWrites(services, participants, participantDescription);

  return {
    Query: {
      participants: (_, args, context) => participants.list(context, args),
      participant: (_, path, context) => participants.one(context, path),
    },
    Mutation: {
      createParticipant: (_, { seasonId, input, idempotencyKey }, context) =>
        writes.create(context, seasonId, input, idempotencyKey),
      updateParticipant: (_, { input, ifMatch, ...path }, context) => writes.update(context, path, input, ifMatch),
      deleteParticipant: (_, { ifMatch, ...path }, context) => writes.remove(context, path, ifMatch),
      upsertParticipants: (_, { seasonId, items, idempotencyKey }, context) =>
        writes.upsert(context, seasonId, items, idempotencyKey),
    },
    Season: {
      participants: ({ id }, { first, after }, context) => context.load(participants.pagesOfSeasons, { owner: id, first, after }),
    },
    Participant: {
      __resolveReference: ({ id }, context) => context.load(participants.byId, id),
      season: ({ seasonId }, _, context) => loadRequired(context, seasons.byId, seasonId),
      contest: ({ contestId }, _, context) => (contestId === null ? null : context.load(contests.byId, contestId)),
      team: ({ teamId }) => teamReference(teamId),
      athlete: ({ athleteId }) => athleteReference(athleteId),
      members: ({ memberIds }) => memberIds.map(athleteReference),
      representsTeam: ({ representsTeamId }) => teamReference(representsTeamId),
      group: ({ groupName }) => groupName,
      statistics: ({ id }, _, context) => context.load(participants.statistics, id),
      externalIds: (row, _, context) => context.load(participants.visibleExternalIds, row),
    },
  };
}
