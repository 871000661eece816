/** Writes of reports: accounts create them, moderators uphold or dismiss them. */
import { validationProblem } from '../../../schema/errors.ts';
import { changeRow, insertResource, lockForModeration, requireAccount } from '../../../platform/writes/resource.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import type { CreateReportInput, MutationCreateReportArgs, ReportSubjectType } from '../generated/resolvers.ts';
import { requireBelowOpenMax } from '../open-limit.ts';
import { administratorReads, type ReportReads } from './reads.ts';
import { reportResource, type ReportRow } from './rows.ts';
import { reportTransitions, type ReportVerb } from './rules.ts';

interface Resolution {
  readonly id: string;
  readonly note?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

/** The root field of each subject type, which returns the subject only if it is visible to the viewer. */
const subjectFields = {
  ATHLETE: 'athlete',
  ORGANIZATION: 'organization',
  OPPORTUNITY: 'opportunity',
  REPLAY: 'replay',
  COMPETITION: 'competition',
} as const satisfies Record<ReportSubjectType, string>;

/** Whether the subject is visible to the viewer; a hidden subject is treated like an unknown one. */
async function isVisible({ graph }: Context, { subjectType, subjectId }: CreateReportInput): Promise<boolean> {
  const field = subjectFields[subjectType];
  const data = await graph(`query ${field}OfReport($id: ID!) { ${field}(id: $id) { id } }`, { id: subjectId });
  return data[field] !== null;
}

/** Writes of reports over the area's database. */
export function createReportWrites({ writer }: AreaServices, reads: ReportReads) {
  const replayable = replaysOf(reads.byId);

  return {
    /**
     * Throws Problem validation_failed (422) for a subject that does not exist or is not visible, conflict (409) for a duplicate report or too
     * many open reports.
     */
    async create(context: Context, { input, idempotencyKey }: MutationCreateReportArgs): Promise<ReportRow> {
      const accountId = requireAccount(context.viewer);
      // checked before the transaction, so that no connection waits for another area
      const subjectIsVisible = await isVisible(context, input);
      const work = async (transaction: WriteTransaction): Promise<ReportRow> => {
        if (!subjectIsVisible) {
          const detail = 'There is no resource of this type with this ID that is visible to you.';
          throw validationProblem([{ pointer: '/subjectId', code: 'unknown_subject', detail }]);
        }
        await requireBelowOpenMax(transaction, 'report', accountId);
        const { subjectType, subjectId, category, text } = input;
        const data = { subjectType, subjectId };
        return insertResource(transaction, reportResource, { accountId, subjectType, subjectId, category, text }, null, data);
      };
      context.notes.minor = true;
      return writer.write(context, work, replayable(context, 'createReport', idempotencyKey, input));
    },
    /** Throws Problem not_found (404), not_owner (403: the moderator's account created the report) or invalid_transition (409). */
    async resolve(context: Context, verb: ReportVerb, { id, note, idempotencyKey }: Resolution): Promise<ReportRow> {
      const work = async (transaction: WriteTransaction): Promise<ReportRow> => {
        const before = await lockForModeration(transaction, reportResource, context.viewer, id);
        const status = nextState(reportTransitions, verb, before.status, ['MODERATOR']);
        const resolvedBy = context.viewer.administrator?.id ?? null;
        const values = { status, note: note ?? null, resolvedAt: new Date().toISOString(), resolvedBy };
        const { subjectType, subjectId } = before;
        const change = { action: verb, event: 'report.resolved', data: { subjectType, subjectId } } as const;
        return changeRow(transaction, reportResource, before, values, change);
      };
      context.notes.minor = true;
      const replay = replayable(context, `${verb}Report`, idempotencyKey, { id, note });
      return administratorReads.written(context, await writer.write(context, work, replay));
    },
  };
}
