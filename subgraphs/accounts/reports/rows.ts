/** The report table and its rows. */
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import type { ReportCategory, ReportStatus, ReportSubjectType } from '../generated/resolvers.ts';

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
