/** Resolvers of shortlist entries. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { ScoutingReportReads } from '../scouting-reports/reads.ts';
import { createShortlistEntryBatch } from './batch.ts';
import type { ShortlistEntryReads } from './reads.ts';
import { createShortlistEntryWrites } from './writes.ts';

export function shortlistEntryResolvers(services: AreaServices, entries: ShortlistEntryReads, reports: ScoutingReportReads) {
  const writes = createShortlistEntryWrites(services, entries);
  const upsert = createShortlistEntryBatch(services);

  return {
    Query: {
      shortlistEntries: (_, args, context) => entries.list(context, args),
      shortlistEntry: (_, { shortlistId, id }, context) => entries.one(context, shortlistId, id),
    },
    Mutation: {
      addShortlistEntry: (_, args, context) => writes.add(context, args),
      upsertShortlistEntries: (_, args, context) => upsert(context, args),
      updateShortlistEntry: (_, args, context) => writes.update(context, args),
      removeShortlistEntry: async (_, args, context) => {
        await writes.remove(context, args);
        return { id: args.id, deleted: true };
      },
      moveShortlistEntry: (_, args, context) => writes.move(context, args),
    },
    AthleteExport: {
      shortlists: ({ id }, _, context) => context.load(entries.counts, id),
    },
    ShortlistEntry: {
      athleteId: ({ namedId }) => namedId,
      athlete: ({ athleteId }) => ({ ref: athleteId }),
      externalIds: ({ id }, _, context) => context.load(entries.externalIds, id),
      history: ({ id }, _, context) => context.load(entries.moves, id),
      reports: ({ id }, { first, after }, context) => context.load(reports.pagesOfEntries, { owner: id, first, after }),
    },
  } satisfies Resolvers;
}
