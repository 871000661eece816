/** The `scouting_report` table: row type, columns and resource description. */
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import type { ScoutingRatings, ScoutingRecommendation } from '../generated/resolvers.ts';

export interface ScoutingReportRow extends ResourceRow {
  readonly entryId: string;
  readonly date: string;
  readonly matchId: string | null;
  readonly ratings: ScoutingRatings;
  readonly recommendation: ScoutingRecommendation;
}

export type ScoutingReportPage = Page<ScoutingReportRow>;

export const reports = table<ScoutingReportRow>('scouting_report', {
  id: 'plain',
  accountId: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  entryId: 'plain',
  date: 'plain',
  matchId: 'plain',
  ratings: 'jsonb',
  recommendation: 'plain',
});

export const reportResource: Resource<ScoutingReportRow> = {
  type: 'scouting_report',
  table: reports,
  created: 'scouting_report.created',
  // Never published: a report cannot be changed, and it is deleted with its entry.
  updated: 'scouting_report.created',
  required: [],
  isPublic: () => false,
  hasRegistryIds: false,
};
