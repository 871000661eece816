/** Reads of reports. An account can read its own reports; administrators can read all. */
import { reviewCountMax } from '../../../schema/review-counts.ts';
import { sql, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readPage, sortBy } from '../../../platform/lists/page.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { hasFullAccess, owns, type Viewer } from '../../../schema/viewer.ts';
import { createAdministratorReads } from '../../clients/administrator-reads.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import type { QueryReportsArgs, ReportFilter, ReportStatus } from '../generated/resolvers.ts';
import { reports, type ReportPage, type ReportRow } from './rows.ts';
import { unreadableReportSubjects } from './unreadable-subjects.ts';

/** The functions through which reports leave the area. */
export const administratorReads = createAdministratorReads<ReportRow>(
  'REPORTS',
  ({ subjectType, subjectId }) => (subjectType === 'ATHLETE' || subjectType === 'REPLAY' ? [subjectId] : []),
  unreadableReportSubjects,
);

/** Limits reports to the viewer's account, except for administrators. Throws Problem api_key_missing (401) without an account. */
const visibleTo = (viewer: Viewer): Sql[] => (hasFullAccess(viewer) ? [] : [sql`report.account_id = ${requireAccount(viewer)}`]);

/** Open reports use the condition of the partial index for the moderators' queue. */
function statusCondition(status: readonly ReportStatus[]): Sql {
  return status.every((each) => each === 'OPEN') ? sql`report.status = 'OPEN'` : sql`report.status = any(${[...status]})`;
}

function conditions({ ids, status, category, subjectType, subjectId }: ReportFilter): Sql[] {
  const where: Sql[] = [];
  if (ids) where.push(sql`report.id = any(${[...ids]}::uuid[])`);
  if (status) where.push(statusCondition(status));
  if (category) where.push(sql`report.category = any(${category})`);
  if (subjectType) where.push(sql`report.subject_type = any(${subjectType})`);
  if (subjectId) where.push(oneOf(sql`report.subject_id`, subjectId));
  return where;
}

/** Reads of reports over the area's database. A report may concern a minor, so responses must not be cached (`notes.minor`). */
export function createReportReads({ database, cursors }: AreaServices) {
  const byId: BatchRead<string, ReportRow | null> = async (ids, context) => {
    const { viewer, notes } = context;
    notes.minor = true;
    const rows = await database.query<ReportRow>(
      sql`/* reports.byIds */ select ${reports.columns} from report where id = any(${[...ids]}::uuid[])`,
      'PAGE',
    );
    const visible = rows.filter((row) => owns(viewer, row.accountId) || hasFullAccess(viewer));
    return inOrder(ids, await administratorReads.rows(context, visible), (row) => row.id);
  };

  return {
    byId,
    /** The open reports, at most `reviewCountMax`. The status is a literal, to match the partial index. */
    async countOpen(): Promise<number> {
      const [row] = await database.query<{ count: number }>(sql`/* reports.countOpen */
        select count(*)::int as count from (select from report where status = 'OPEN' limit ${reviewCountMax}) open`);
      return row?.count ?? 0;
    },
    async list(context: Context, { first, after, filter, sort }: QueryReportsArgs): Promise<ReportPage> {
      const { viewer, notes } = context;
      notes.minor = true;
      const list = {
        name: 'reports.list',
        columns: reports.columns,
        from: sql`report`,
        id: sql`report.id`,
        where: [...visibleTo(viewer), ...conditions(filter ?? {})],
        sort: sortBy(reports, 'createdAt', 'timestamptz', sort === 'CREATED_ASC' ? 'asc' : 'desc'),
        filter: [filter ?? {}, sort],
      };
      return administratorReads.page(context, await readPage(database, cursors, list, { first: first ?? 20, after }));
    },
  };
}

export type ReportReads = ReturnType<typeof createReportReads>;
