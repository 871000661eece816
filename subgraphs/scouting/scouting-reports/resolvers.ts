/** Resolvers of scouting reports. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { ShortlistEntryReads } from '../shortlist-entries/reads.ts';
import type { ScoutingReportReads } from './reads.ts';
import { createScoutingReportWrites } from './writes.ts';

export function scoutingReportResolvers(services: AreaServices, entries: ShortlistEntryReads, reports: ScoutingReportReads) {
  const writes = createScoutingReportWrites(services, entries, reports);

  return {
    Query: {
      scoutingReports: async (_, { shortlistId, entryId, first, after }, context) =>
        (await entries.one(context, shortlistId, entryId)) &&
        context.load(reports.pagesOfEntries, { owner: entryId, first, after }),
      scoutingReport: async (_, { shortlistId, entryId, id }, context) => {
        const entry = await entries.one(context, shortlistId, entryId);
        const report = await context.load(reports.byId, id);
        return entry && report?.entryId === entry.id ? report : null;
      },
    },
    Mutation: {
      addScoutingReport: (_, args, context) => writes.add(context, args),
    },
    AthleteExport: {
      ratings: ({ id }, { first, after }, context) => context.load(reports.pagesOfAthletes, { owner: id, first, after }),
    },
    ScoutingReport: {
      match: ({ matchId }) => (matchId === null ? null : { id: matchId }),
    },
  } satisfies Resolvers;
}
