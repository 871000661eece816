/** Resolvers of shortlists. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { ShortlistEntryReads } from '../shortlist-entries/reads.ts';
import type { ShortlistReads } from './reads.ts';
import { createShortlistWrites } from './writes.ts';

export function shortlistResolvers(services: AreaServices, shortlists: ShortlistReads, entries: ShortlistEntryReads) {
  const writes = createShortlistWrites(services, shortlists);

  return {
    Query: {
      shortlists: (_, args, context) => shortlists.list(context, args),
      shortlist: (_, { id }, context) => context.load(shortlists.byId, id),
    },
    Mutation: {
      createShortlist: (_, { input, idempotencyKey }, context) => writes.create(context, input, idempotencyKey),
      updateShortlist: (_, { id, input, ifMatch }, context) => writes.update(context, id, input, ifMatch),
      deleteShortlist: async (_, { id, ifMatch }, context) => {
        await writes.remove(context, id, ifMatch);
        return { id, deleted: true };
      },
    },
    Shortlist: {
      externalIds: ({ id }, _, context) => context.load(shortlists.externalIds, id),
      entryCount: ({ id }, _, context) => context.load(entries.sizes, id),
      entries: ({ id }, { first, after }, context) => context.load(entries.pagesOfShortlists, { owner: id, first, after }),
    },
  } satisfies Resolvers;
}
