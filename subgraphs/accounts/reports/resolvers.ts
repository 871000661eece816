/** Resolvers of reports. */
import { readsMinors } from '../../../schema/viewer.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { forAdministrators, forScope } from '../access.ts';
import type { AccountReads } from '../accounts/reads.ts';
import type { AdministratorReads } from '../administrators/reads.ts';
import type { ReportSubjectType, Resolvers } from '../generated/resolvers.ts';
import { createReportReads } from './reads.ts';
import type { ReportRow } from './rows.ts';
import { createReportWrites } from './writes.ts';

const moderated = forScope('moderation:write');

/** The subject's ID if it has this type: the router fetches the rest from its area. */
const subjectOf =
  (type: ReportSubjectType) =>
  ({ subjectType, subjectId }: ReportRow): { readonly id: string } | null =>
    subjectType === type ? { id: subjectId } : null;

/** Reports of accounts, and their resolution by moderators. */
export function reportResolvers(services: AreaServices, accounts: AccountReads, administrators: AdministratorReads) {
  const reports = createReportReads(services);
  const writes = createReportWrites(services, reports);
  return {
    Query: {
      reports: (_, args, context) => reports.list(context, args),
      report: (_, { id }, context) => context.load(reports.byId, id),
      openReportCount: forAdministrators((_, { viewer }) => (readsMinors(viewer) ? reports.countOpen() : null)),
    },
    Mutation: {
      createReport: (_, args, context) => writes.create(context, args),
      upholdReport: moderated((args, context) => writes.resolve(context, 'uphold', args)),
      dismissReport: moderated((args, context) => writes.resolve(context, 'dismiss', args)),
    },
    Report: {
      resolvedBy: ({ resolvedBy }, _, context) => (resolvedBy === null ? null : context.load(administrators.byId, resolvedBy)),
      account: forAdministrators(async (_, context, { accountId }) => {
        const account = await context.load(accounts.byId, accountId);
        if (account === null) throw new Error('The account of a report does not exist');
        return account;
      }),
      athlete: ({ subjectType, subjectId }) => (subjectType === 'ATHLETE' ? { ref: subjectId } : null),
      organization: subjectOf('ORGANIZATION'),
      opportunity: subjectOf('OPPORTUNITY'),
      replay: subjectOf('REPLAY'),
      competition: subjectOf('COMPETITION'),
    },
  } satisfies Resolvers;
}
