/** Resolvers of the scouting area. */
import type { AreaServices } from '../runtime/subgraph.ts';
import { athleteComparisonResolvers } from './athlete-comparisons/resolvers.ts';
import { contactRequestResolvers } from './contact-requests/resolvers.ts';
import { opportunityMatchResolvers } from './opportunity-matches/resolvers.ts';
import { createProspectReads } from './prospects/reads.ts';
import { prospectResolvers } from './prospects/resolvers.ts';
import { recommendationResolvers } from './recommendations/resolvers.ts';
import type { Resolvers } from './generated/resolvers.ts';
import { savedSearchResolvers } from './saved-searches/resolvers.ts';
import { createScoutingReportReads } from './scouting-reports/reads.ts';
import { scoutingReportResolvers } from './scouting-reports/resolvers.ts';
import { createShortlistEntryReads } from './shortlist-entries/reads.ts';
import { shortlistEntryResolvers } from './shortlist-entries/resolvers.ts';
import { createShortlistReads } from './shortlists/reads.ts';
import { shortlistResolvers } from './shortlists/resolvers.ts';
import { similarAthleteResolvers } from './similar-athletes/resolvers.ts';

export function scoutingResolvers(services: AreaServices): Resolvers {
  const lists = createShortlistReads(services);
  const entryReads = createShortlistEntryReads(services, lists);
  const reportReads = createScoutingReportReads(services);
  const prospectReads = createProspectReads(services);
  const prospects = prospectResolvers(prospectReads);
  const comparisons = athleteComparisonResolvers(prospectReads);
  const similar = similarAthleteResolvers(services, prospectReads);
  const recommendations = recommendationResolvers(services);
  const shortlists = shortlistResolvers(services, lists, entryReads);
  const entries = shortlistEntryResolvers(services, entryReads, reportReads);
  const reports = scoutingReportResolvers(services, entryReads, reportReads);
  const requests = contactRequestResolvers(services);
  const searches = savedSearchResolvers(services, prospectReads);

  return {
    ...prospects,
    ...similar,
    ...opportunityMatchResolvers,
    ...recommendations,
    ...shortlists,
    ...entries,
    ...reports,
    ...requests,
    ...searches,
    Query: {
      ...prospects.Query,
      ...comparisons.Query,
      ...similar.Query,
      ...opportunityMatchResolvers.Query,
      ...recommendations.Query,
      ...shortlists.Query,
      ...entries.Query,
      ...reports.Query,
      ...requests.Query,
      ...searches.Query,
    },
    Mutation: {
      ...recommendations.Mutation,
      ...shortlists.Mutation,
      ...entries.Mutation,
      ...reports.Mutation,
      ...requests.Mutation,
      ...searches.Mutation,
    },
    Shortlist: { ...shortlists.Shortlist, ...searches.Shortlist },
    Athlete: { ...prospects.Athlete, ...recommendations.Athlete },
    AthleteExport: {
      ...prospects.AthleteExport,
      ...recommendations.AthleteExport,
      ...entries.AthleteExport,
      ...reports.AthleteExport,
      ...requests.AthleteExport,
    },
  };
}
