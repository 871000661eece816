/** Resolvers of transfers, including those of athletes and of their exports. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Reads } from '../reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createTransferBatch } from './batch.ts';
import { createTransferWrites } from './writes.ts';

export function transferResolvers(services: AreaServices, reads: Reads): Resolvers {
  const { organizations, teams, memberships, transfers } = reads;
  const writes = createTransferWrites(services, transfers, reads);
  const upsert = createTransferBatch(services, reads);

  return {
    Query: {
      transfers: (_, args, context) => transfers.list(context, args),
      transfer: (_, { id }, context) => context.load(transfers.byId, id),
    },
    Mutation: {
      createTransfer: (_, { input, idempotencyKey }, context) => writes.create(context, input, idempotencyKey),
      updateTransfer: (_, { id, input, ifMatch }, context) => writes.update(context, id, input, ifMatch),
      confirmTransfer: (_, args, context) => writes.settle(context, 'confirm', args),
      declineTransfer: (_, args, context) => writes.settle(context, 'decline', args),
      upsertTransfers: (_, { items, idempotencyKey }, context) => upsert(context, items, idempotencyKey),
      deleteTransfer: async (_, { id, ifMatch }, context) => {
        await writes.remove(context, id, ifMatch);
        return { id, deleted: true };
      },
    },
    Transfer: {
      __resolveReference: ({ id }, context) => context.load(transfers.byId, id),
      athlete: ({ athleteId }) => ({ ref: athleteId }),
      fromOrganization: ({ fromOrganizationId: id }, _, context) => (id === null ? null : context.load(organizations.byId, id)),
      fromTeam: ({ fromTeamId: id }, _, context) => (id === null ? null : context.load(teams.byId, id)),
      fromMembership: ({ fromMembershipId: id }, _, context) => (id === null ? null : context.load(memberships.byId, id)),
      toOrganization: ({ toOrganizationId: id }, _, context) => (id === null ? null : context.load(organizations.byId, id)),
      toTeam: ({ toTeamId: id }, _, context) => (id === null ? null : context.load(teams.byId, id)),
      toMembership: ({ toMembershipId: id }, _, context) => (id === null ? null : context.load(memberships.byId, id)),
      externalIds: ({ id }, _, context) => context.load(transfers.externalIds, id),
    },
    Athlete: {
      transfers: ({ ref }, { first, after }, context) => context.load(transfers.ofAthletes, { owner: ref, first, after }),
    },
    AthleteExport: {
      transfers: ({ id }, { first, after }, context) => context.load(transfers.exported, { owner: id, first, after }),
    },
  };
}
