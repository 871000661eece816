/** Reports: made by accounts, upheld or dismissed by moderators. */
import { Problem, validationProblem } from '../../../schema/errors.ts';
import { sql } from '../../../platform/database/database.ts';
import { changeRow, insertResource, lockForModeration, requireAccount } from '../../../platform/writes/resource.ts';
import { nextState, type Transitions } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import type { CreateReportInput, MutationCreateReportArgs, ReportStatus, ReportSubjectType } from '../resolvers.generated.ts';
import { reportResource, type ReportRow, type ReportStore } from './reads.ts';

const reportTransitions = {
  uphold: { from: ['OPEN'], to: 'UPHELD', actors: ['MODERATOR'] },
  dismiss: { from: ['OPEN'], to: 'DISMISSED', actors: ['MODERATOR'] },
} as const satisfies Transitions<ReportStatus, string>;

export type ReportVerb = keyof typeof reportTransitions;

interface Resolution {
  readonly id: string;
  readonly note?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

/** More than anybody writes who means it. */
const openMax = 100;

/** The root field that shows a subject to whoever may see it. */
const subjectFields = {
  ATHLETE: 'athlete',
  ORGANIZATION: 'organization',
  OPPORTUNITY: 'opportunity',
  REPLAY: 'replay',
  COMPETITION: 'competition',
} as const satisfies Record<ReportSubjectType, string>;

/** Whether the viewer sees the subject: a hidden one answers like an unknown one. */
async function isSeen({ graph }: Context, { subjectType, subjectId }: CreateReportInput): Promise<boolean> {
  const field = subjectFields[subjectType];
  const data = await graph(`query ${field}OfReport($id: ID!) { ${field}(id: $id) { id } }`, { id: subjectId });
  return data[field] !== null;
}

/** Throws Problem conflict (409) for an account that has too many reports open; two at once wait for each other. */
async function requireRoom(transaction: WriteTransaction, accountId: string): Promise<void> {
  await transaction.query(
    sql`/* reports.lockAccount */ select pg_advisory_xact_lock(hashtextextended('report ' || ${accountId}, 0))`,
  );
  const open = await transaction.query(
    sql`/* reports.open */ select from report where account_id = ${accountId} and status = 'OPEN' limit ${openMax}`,
  );
  if (open.length < openMax) return;
  throw new Problem('conflict', `Your account has ${openMax} open reports. Wait until moderators have decided on some of them.`);
}

/** Writes of reports over the area's database. */
export function createReportWrites({ writer }: AreaServices, store: ReportStore) {
  const reloading = replaysOf(store.byId);

  return {
    /**
     * Throws Problem validation_failed (422) for a subject that there is not or that the viewer may not see, conflict (409) for what the
     * account reported already, or for too many open reports.
     */
    async create(context: Context, { input, idempotencyKey }: MutationCreateReportArgs): Promise<ReportRow> {
      const accountId = requireAccount(context.viewer);
      // asked before the transaction, so that no connection waits for another area
      const seen = await isSeen(context, input);
      const work = async (transaction: WriteTransaction): Promise<ReportRow> => {
        if (!seen) {
          const detail = 'There is nothing of this kind with this id that you may see.';
          throw validationProblem([{ pointer: '/subjectId', code: 'unknown_subject', detail }]);
        }
        await requireRoom(transaction, accountId);
        const { subjectType, subjectId, category, text } = input;
        const data = { subjectType, subjectId };
        return insertResource(transaction, reportResource, { accountId, subjectType, subjectId, category, text }, null, data);
      };
      context.notes.minor = true;
      return writer.write(context, work, reloading(context, 'createReport', idempotencyKey, input));
    },
    /** Throws Problem not_found (404), not_owner (403) for a report of the own account, or invalid_transition (409). */
    resolve(context: Context, verb: ReportVerb, { id, note, idempotencyKey }: Resolution): Promise<ReportRow> {
      const work = async (transaction: WriteTransaction): Promise<ReportRow> => {
        const before = await lockForModeration(transaction, reportResource, context.viewer, id);
        const status = nextState(reportTransitions, verb, before.status, ['MODERATOR']);
        const resolvedBy = context.viewer.administrator?.id ?? null;
        const values = { status, note: note ?? null, resolvedAt: new Date().toISOString(), resolvedBy };
        const { subjectType, subjectId } = before;
        const moved = { action: verb, event: 'report.resolved', data: { subjectType, subjectId } } as const;
        return changeRow(transaction, reportResource, before, values, moved);
      };
      context.notes.minor = true;
      return writer.write(context, work, reloading(context, `${verb}Report`, idempotencyKey, { id, note }));
    },
  };
}
