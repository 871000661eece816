/** Resolvers of saved searches. */
import { readsMinors } from '../../../schema/viewer.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { ProspectReads } from '../prospects/reads.ts';
import { createSavedSearchReads } from './reads.ts';
import { createSavedSearchWrites } from './writes.ts';

export function savedSearchResolvers(services: AreaServices, prospects: ProspectReads) {
  const reads = createSavedSearchReads(services);
  const writes = createSavedSearchWrites(services, reads);

  return {
    Query: {
      savedSearches: (_, args, context) => reads.list(context, args),
      savedSearch: (_, { id }, context) => context.load(reads.byId, id),
      savedSearchMatches: (_, args, context) => reads.matches(context, args),
    },
    Mutation: {
      createSavedSearch: (_, { input, idempotencyKey }, context) => writes.create(context, input, idempotencyKey),
      updateSavedSearch: (_, args, context) => writes.update(context, args),
      deleteSavedSearch: async (_, args, context) => {
        await writes.remove(context, args);
        return { id: args.id, deleted: true };
      },
    },
    Shortlist: {
      savedSearches: ({ id }, _, context) => context.load(reads.ofShortlists, id),
    },
    SavedSearch: {
      filter: ({ filter }) => ({ ...filter }),
      matchCount: ({ id, kind }, _, context) =>
        readsMinors(context.viewer) || kind === 'OPPORTUNITIES' ? context.load(reads.matchCounts, id) : null,
      account: ({ accountId }) => ({ id: accountId }),
    },
    SavedSearchMatch: {
      athlete: ({ kind, subjectId }) => (kind === 'ATHLETES' ? { ref: subjectId } : null),
      prospect: ({ kind, subjectId }, _, context) => (kind === 'PROSPECTS' ? context.load(prospects.byAthlete, subjectId) : null),
      opportunity: ({ kind, subjectId }) => (kind === 'OPPORTUNITIES' ? { id: subjectId } : null),
    },
  } satisfies Resolvers;
}
