/** Resolvers of what accounts keep about athletes, and of contact requests: one line a field. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import { owns } from '../../../schema/viewer.ts';
import { statusAt } from '../contact-requests/lifecycle.ts';
import type { Resolvers } from '../resolvers.generated.ts';
import { createContactRequestReads } from '../contact-requests/reads.ts';
import { createContactRequestWrites } from '../contact-requests/writes.ts';
import { createScoutingReportReads } from '../scouting-reports/reads.ts';
import { createShortlistEntryReads } from '../shortlist-entries/reads.ts';
import { createShortlistEntryBatch } from '../shortlist-entries/batch.ts';
import { createShortlistEntryWrites } from '../shortlist-entries/writes.ts';
import { createShortlistReads } from './reads.ts';
import { createShortlistWrites } from './writes.ts';

const deleted = ({ id }: { id: string }) => ({ id, deleted: true });
const reference = (id: string | null) => (id === null ? null : { id });

/** The parts of the area's resolvers, to be joined with those of other types. */
export function keptResolvers(services: AreaServices) {
  const shortlists = createShortlistReads(services);
  const lists = createShortlistWrites(services, shortlists);
  const entries = createShortlistEntryReads(services, shortlists);
  const reports = createScoutingReportReads(services);
  const entryWrites = createShortlistEntryWrites(services, entries, reports);
  const upsertEntries = createShortlistEntryBatch(services);
  const requests = createContactRequestReads(services);
  const requestWrites = createContactRequestWrites(services, requests);

  return {
    Query: {
      shortlists: (_, args, context) => shortlists.list(context, args),
      shortlist: (_, { id }, context) => context.load(shortlists.byId, id),
      shortlistEntries: (_, args, context) => entries.list(context, args),
      shortlistEntry: (_, { shortlistId, id }, context) => entries.one(context, shortlistId, id),
      scoutingReports: async (_, { shortlistId, entryId, first, after }, context) =>
        (await entries.one(context, shortlistId, entryId)) &&
        context.load(reports.pagesOfEntries, { owner: entryId, first, after }),
      scoutingReport: async (_, { shortlistId, entryId, id }, context) => {
        const entry = await entries.one(context, shortlistId, entryId);
        const report = await context.load(reports.byId, id);
        return entry && report?.entryId === entry.id ? report : null;
      },
      contactRequests: (_, args, context) => requests.list(context, args),
      contactRequest: (_, { id }, context) => context.load(requests.byId, id),
    },
    Mutation: {
      createShortlist: (_, { input, idempotencyKey }, context) => lists.create(context, input, idempotencyKey),
      updateShortlist: (_, { id, input, ifMatch }, context) => lists.update(context, id, input, ifMatch),
      deleteShortlist: async (_, { id, ifMatch }, context) => deleted(await lists.remove(context, id, ifMatch)),
      addShortlistEntry: (_, args, context) => entryWrites.add(context, args),
      upsertShortlistEntries: (_, args, context) => upsertEntries(context, args),
      updateShortlistEntry: (_, args, context) => entryWrites.update(context, args),
      removeShortlistEntry: async (_, args, context) => deleted(await entryWrites.remove(context, args)),
      moveShortlistEntry: (_, args, context) => entryWrites.move(context, args),
      addScoutingReport: (_, args, context) => entryWrites.report(context, args),
      sendContactRequest: (_, args, context) => requestWrites.send(context, args),
      acceptContactRequest: (_, args, context) => requestWrites.answer(context, 'accept', args),
      declineContactRequest: (_, args, context) => requestWrites.answer(context, 'decline', args),
    },
    AthleteExport: {
      shortlists: ({ id }, _, context) => context.load(entries.counts, id),
      ratings: ({ id }, { first, after }, context) => context.load(reports.pagesOfAthletes, { owner: id, first, after }),
      contactRequests: ({ id }, { first, after }, context) => context.load(requests.pagesOfAthletes, { owner: id, first, after }),
    },
    Shortlist: {
      externalIds: ({ id }, _, context) => context.load(shortlists.externalIds, id),
      entries: ({ id }, { first, after }, context) => context.load(entries.pagesOfShortlists, { owner: id, first, after }),
    },
    ShortlistEntry: {
      athleteId: ({ namedId }) => namedId,
      athlete: ({ athleteId }) => ({ ref: athleteId }),
      externalIds: ({ id }, _, context) => context.load(entries.externalIds, id),
      reports: ({ id }, { first, after }, context) => context.load(reports.pagesOfEntries, { owner: id, first, after }),
    },
    ScoutingReport: {
      match: ({ matchId }) => reference(matchId),
    },
    ContactRequest: {
      status: (row) => statusAt(row),
      senderAccountId: ({ accountId }) => accountId,
      organization: ({ organizationId }) => reference(organizationId),
      // the owner knows the profile that counts; to the sender it may be hidden
      athleteId: ({ athleteId, namedId, ownerAccountId }, _, { viewer }) => (owns(viewer, ownerAccountId) ? athleteId : namedId),
      athlete: ({ athleteId }) => ({ ref: athleteId }),
    },
  } satisfies Resolvers;
}
