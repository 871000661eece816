/** Resolvers of contact requests. */
import { owns } from '../../../schema/viewer.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { statusAt } from './lifecycle.ts';
import { createContactRequestReads } from './reads.ts';
import { createContactRequestWrites } from './writes.ts';

export function contactRequestResolvers(services: AreaServices) {
  const requests = createContactRequestReads(services);
  const writes = createContactRequestWrites(services, requests);

  return {
    Query: {
      contactRequests: (_, args, context) => requests.list(context, args),
      contactRequest: (_, { id }, context) => context.load(requests.byId, id),
    },
    Mutation: {
      sendContactRequest: (_, args, context) => writes.send(context, args),
      acceptContactRequest: (_, args, context) => writes.answer(context, 'accept', args),
      declineContactRequest: (_, args, context) => writes.answer(context, 'decline', args),
    },
    AthleteExport: {
      contactRequests: ({ id }, { first, after }, context) => context.load(requests.pagesOfAthletes, { owner: id, first, after }),
    },
    ContactRequest: {
      status: (row) => statusAt(row),
      senderAccountId: ({ accountId }) => accountId,
      organization: ({ organizationId }) => (organizationId === null ? null : { id: organizationId }),
      // After a merge, the remaining profile may be hidden from the sender.
      athleteId: ({ athleteId, namedId, ownerAccountId }, _, { viewer }) => (owns(viewer, ownerAccountId) ? athleteId : namedId),
      athlete: ({ athleteId }) => ({ ref: athleteId }),
    },
  } satisfies Resolvers;
}
