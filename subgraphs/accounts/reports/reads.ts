/** Reports: the SQL of their reads. The account that reported sees its own, administrators see all, nobody else knows of them. */
import { sql, type Sql } from '../../../platform/database/database.ts';
import { readPage, sortBy, type Page } from '../../../platform/lists/page.ts';
import { requireAccount, type Resource, type ResourceRow } from '../../../platform/writes/resource.ts';
import { inOrder, table } from '../../../platform/database/table.ts';
import { owns, hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import type { QueryReportsArgs, ReportCategory, ReportFilter, ReportStatus, ReportSubjectType } from '../resolvers.generated.ts';

export interface ReportRow extends ResourceRow {
  readonly subjectType: ReportSubjectType;
  readonly subjectId: string;
  readonly category: ReportCategory;
  readonly text: string;
  readonly status: ReportStatus;
  readonly note: string | null;
  readonly resolvedAt: string | null;
  readonly resolvedBy: string | null;
}

export type ReportPage = Page<ReportRow>;

export const reports = table<ReportRow>('report', {
  id: 'plain',
  accountId: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  subjectType: 'plain',
  subjectId: 'plain',
  category: 'plain',
  text: 'plain',
  status: 'plain',
  note: 'plain',
  resolvedAt: 'plain',
  resolvedBy: 'plain',
});

export const reportResource: Resource<ReportRow> = {
  type: 'report',
  table: reports,
  created: 'report.created',
  updated: 'report.resolved',
  deleted: 'report.deleted',
  required: [],
  isPublic: () => false,
  hasRegistryIds: false,
};

/** Throws Problem api_key_missing (401) for who neither has an account nor administers. */
const seen = (viewer: Viewer): Sql[] => (hasFullAccess(viewer) ? [] : [sql`report.account_id = ${requireAccount(viewer)}`]);

/** The states are written as in the index of the open ones, the queue of the moderators. */
function statusCondition(status: readonly ReportStatus[]): Sql {
  return status.every((each) => each === 'OPEN') ? sql`report.status = 'OPEN'` : sql`report.status = any(${[...status]})`;
}

function conditions({ status, category, subjectType, subjectId }: ReportFilter): Sql[] {
  const where: Sql[] = [];
  if (status) where.push(statusCondition(status));
  if (category) where.push(sql`report.category = any(${category})`);
  if (subjectType) where.push(sql`report.subject_type = any(${subjectType})`);
  if (subjectId) where.push(sql`report.subject_id = ${subjectId}`);
  return where;
}

/** Reads of reports over the area's database. A minor may be meant by any of them: no cache keeps what is said. */
export function createReportStore({ database, cursors }: AreaServices) {
  const byId: BatchRead<string, ReportRow | null> = async (ids, { viewer, notes }) => {
    notes.minor = true;
    const rows = await database.query<ReportRow>(
      sql`/* reports.byIds */ select ${reports.columns} from report where id = any(${[...ids]}::uuid[])`,
    );
    const shown = rows.filter((row) => owns(viewer, row.accountId) || hasFullAccess(viewer));
    return inOrder(ids, shown, (row) => row.id);
  };

  return {
    byId,
    list({ viewer, notes }: Context, { first, after, filter, sort }: QueryReportsArgs): Promise<ReportPage> {
      notes.minor = true;
      const list = {
        name: 'reports.list',
        columns: reports.columns,
        from: sql`report`,
        id: sql`report.id`,
        where: [...seen(viewer), ...conditions(filter ?? {})],
        sort: sortBy(reports, 'createdAt', 'timestamptz', sort === 'CREATED_ASC' ? 'asc' : 'desc'),
        filter: [filter ?? {}, sort],
      };
      return readPage(database, cursors, list, { first: first ?? 20, after });
    },
  };
}

export type ReportStore = ReturnType<typeof createReportStore>;
