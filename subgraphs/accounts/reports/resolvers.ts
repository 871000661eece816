/** Resolvers of reports: one line a field. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { ReportSubjectType, Resolvers } from '../resolvers.generated.ts';
import { requireRight } from '../administrators/rules.ts';
import { requireAdministrator } from '../rules.ts';
import type { createAccountStore } from '../accounts/reads.ts';
import type { createAdministratorStore } from '../administrators/reads.ts';
import { createReportStore, type ReportRow } from './reads.ts';
import { createReportWrites } from './writes.ts';

/** The id of the subject, where it is of this kind: enough for the router to ask its area. */
const subjectOf =
  (type: ReportSubjectType) =>
  ({ subjectType, subjectId }: ReportRow): { readonly id: string } | null =>
    subjectType === type ? { id: subjectId } : null;

/** The part of the area's resolvers that is about reports. */
export function reportResolvers(
  services: AreaServices,
  accounts: ReturnType<typeof createAccountStore>,
  administrators: ReturnType<typeof createAdministratorStore>,
) {
  const reports = createReportStore(services);
  const writes = createReportWrites(services, reports);
  return {
    Query: {
      reports: (_, args, context) => reports.list(context, args),
      report: (_, { id }, context) => context.load(reports.byId, id),
    },
    Mutation: {
      createReport: (_, args, context) => writes.create(context, args),
      upholdReport(_, args, context) {
        requireRight(context.viewer, 'moderation:write');
        return writes.resolve(context, 'uphold', args);
      },
      dismissReport(_, args, context) {
        requireRight(context.viewer, 'moderation:write');
        return writes.resolve(context, 'dismiss', args);
      },
    },
    Report: {
      resolvedBy: ({ resolvedBy }, _, context) => (resolvedBy === null ? null : context.load(administrators.byId, resolvedBy)),
      async account({ accountId }, _, context) {
        requireAdministrator(context.viewer);
        const account = await context.load(accounts.byId, accountId);
        if (account === null) throw new Error('The account that a foreign key refers to is missing.');
        return account;
      },
      athlete: ({ subjectType, subjectId }) => (subjectType === 'ATHLETE' ? { ref: subjectId } : null),
      organization: subjectOf('ORGANIZATION'),
      opportunity: subjectOf('OPPORTUNITY'),
      replay: subjectOf('REPLAY'),
      competition: subjectOf('COMPETITION'),
    },
  } satisfies Resolvers;
}
