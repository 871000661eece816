/** Resolvers of scouting reports. */
import { ratingScale, reportAspectsOf } from '../../../schema/report-aspects.ts';
import { sportNames } from '../../../schema/sports.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { ShortlistEntryReads } from '../shortlist-entries/reads.ts';
import type { ScoutingReportReads } from './reads.ts';
import type { ScoutingReportRow } from './rows.ts';
import { createScoutingReportWrites } from './writes.ts';

/** The ratings by aspect with the titles of the template. */
function titled({ sport, aspects }: ScoutingReportRow) {
  const titles = new Map((sport ? reportAspectsOf(sport) : []).map(({ code, title }) => [code, title]));
  return aspects.map((aspect) => ({ ...aspect, title: titles.get(aspect.code) ?? aspect.code }));
}

export function scoutingReportResolvers(services: AreaServices, entries: ShortlistEntryReads, reports: ScoutingReportReads) {
  const writes = createScoutingReportWrites(services, entries, reports);

  const entryOf = async ({ entryId }: Pick<ScoutingReportRow, 'entryId'>, _: unknown, context: Context) => {
    const entry = await context.load(entries.byId, entryId);
    if (!entry) throw new Error(`${entryId} is not visible to a viewer that can read its report`);
    return entry;
  };

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
      accountScoutingReports: (_, args, context) => reports.list(context, args),
      reportTemplates: (_, { sport }, { viewer }) => ({
        nodes: sportNames
          .filter((each) => (sport?.includes(each) ?? true) && (viewer.sport ?? each) === each)
          .map((each) => ({ sport: each, aspects: [...reportAspectsOf(each)], scale: [...ratingScale] })),
      }),
    },
    Mutation: {
      addScoutingReport: (_, args, context) => writes.add(context, args),
    },
    AthleteExport: {
      ratings: ({ id }, { first, after }, context) => context.load(reports.pagesOfAthletes, { owner: id, first, after }),
    },
    ReportedRatings: { aspects: (report) => titled(report).map((aspect) => ({ ...aspect, comment: null })) },
    ScoutingReport: {
      match: ({ matchId }) => (matchId === null ? null : { id: matchId }),
      entry: entryOf,
      shortlistId: async (report, _, context) => (await entryOf(report, _, context)).shortlistId,
      aspects: titled,
    },
  } satisfies Resolvers;
}
