/** Reports on entries of shortlists: written once, and read by their account; of an athlete the owner is told the ratings alone. */
import { sql } from '../../../platform/database/database.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { sortBy, type Page } from '../../../platform/lists/page.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import { inOrder, table } from '../../../platform/database/table.ts';
import { owns, hasFullAccess } from '../../../schema/viewer.ts';
import type { AreaServices, BatchRead } from '../../runtime/subgraph.ts';
import type { ScoutingRatings, ScoutingRecommendation } from '../resolvers.generated.ts';

export interface ScoutingReportRow extends ResourceRow {
  readonly entryId: string;
  readonly date: string;
  readonly matchId: string | null;
  readonly ratings: ScoutingRatings;
  readonly recommendation: ScoutingRecommendation;
}

export type ScoutingReportPage = Page<ScoutingReportRow>;

const reports = table<ScoutingReportRow>('scouting_report', {
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
  // never: a report is written once, and goes with its entry
  updated: 'scouting_report.created',
  required: [],
  isPublic: () => false,
  hasRegistryIds: false,
};

const latest = sortBy(reports, 'date', 'date', 'desc');

/** Reads of reports over the area's database. */
export function createScoutingReportReads({ database, cursors }: AreaServices) {
  const byId: BatchRead<string, ScoutingReportRow | null> = async (ids, { viewer, notes }) => {
    notes.minor = true;
    const rows = await database.query<ScoutingReportRow>(
      sql`/* scoutingReports.byIds */ select ${reports.columns} from scouting_report where id = any(${[...ids]}::uuid[])`,
    );
    return inOrder(
      ids,
      rows.filter(({ accountId }) => owns(viewer, accountId) || hasFullAccess(viewer)),
      (row) => row.id,
    );
  };

  /** The pages of entries that the viewer was shown. */
  const pagesOfEntries: BatchRead<PageKey, ScoutingReportPage> = (keys, { notes }) => {
    notes.minor = true;
    const list = { name: 'scoutingReports.ofEntries', columns: reports.columns, table: 'scouting_report' };
    return readPages(database, cursors, { ...list, owner: 'entry_id', where: [], sort: latest }, keys);
  };

  /** What is held of athletes, whoever wrote it: for the export, whose reader owns the athlete. */
  const pagesOfAthletes: BatchRead<PageKey, ScoutingReportPage> = (keys) =>
    readPages(
      database,
      cursors,
      {
        name: 'scoutingReports.ofAthletes',
        columns: reports.columns,
        table: 'scouting_report',
        from: sql`scouting_report join shortlist_entry e on e.id = scouting_report.entry_id`,
        owner: sql`e.athlete_id`,
        where: [],
        sort: latest,
      },
      keys,
    );

  return { byId, pagesOfEntries, pagesOfAthletes };
}

export type ScoutingReportReads = ReturnType<typeof createScoutingReportReads>;
