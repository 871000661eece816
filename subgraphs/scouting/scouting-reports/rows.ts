/** The `scouting_report` table: row type, columns and resource description. */
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import type { ScoutingRatings, ScoutingRecommendation, Sport } from '../generated/resolvers.ts';

export interface ScoutingReportRow extends ResourceRow {
  readonly entryId: string;
  readonly date: string;
  readonly matchId: string | null;
  readonly ratings: ScoutingRatings;
  readonly recommendation: ScoutingRecommendation;
  /** The sport that the aspects belong to. */
  readonly sport: Sport | null;
  readonly author: string | null;
  readonly role: string | null;
  readonly summary: string | null;
  readonly strengths: string[];
  readonly weaknesses: string[];
  /** From 1 to 10 in halves. */
  readonly overall: number | null;
  readonly potential: number | null;
  readonly aspects: AspectRatingRow[];
  readonly clips: ClipRow[];
}

export interface AspectRatingRow {
  readonly code: string;
  readonly rating: number;
  readonly comment: string | null;
}

export interface ClipRow {
  readonly url: string;
  readonly title: string | null;
  /** Time of the scene in the clip. */
  readonly atMs: number | null;
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
  sport: 'plain',
  author: 'plain',
  role: 'plain',
  summary: 'plain',
  strengths: 'plain',
  weaknesses: 'plain',
  overall: 'plain',
  potential: 'plain',
  aspects: 'jsonb',
  clips: 'jsonb',
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
