/** SQL reads of scouting reports. A report is visible to its account. The owner of the athlete can export the ratings only. */
import { owns, hasFullAccess } from '../../../schema/viewer.ts';
import { sql } from '../../../platform/database/database.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { sortBy } from '../../../platform/lists/page.ts';
import type { AreaServices, BatchRead } from '../../runtime/subgraph.ts';
import { reports, type ScoutingReportPage, type ScoutingReportRow } from './rows.ts';

const latestFirst = sortBy(reports, 'date', 'date', 'desc');

export function createScoutingReportReads({ database, cursors }: AreaServices) {
  const byId: BatchRead<string, ScoutingReportRow | null> = async (ids, { viewer, notes }) => {
    notes.minor = true;
    const rows = await database.query<ScoutingReportRow>(
      sql`/* scoutingReports.byIds */ select ${reports.columns} from scouting_report where id = any(${[...ids]}::uuid[])`,
      'PAGE',
    );
    return inOrder(
      ids,
      rows.filter(({ accountId }) => owns(viewer, accountId) || hasFullAccess(viewer)),
      (row) => row.id,
    );
  };

  const nested = { columns: reports.columns, table: 'scouting_report', where: [], sort: latestFirst };

  /** Pages of entries that the viewer has already been authorized for. */
  const pagesOfEntries: BatchRead<PageKey, ScoutingReportPage> = (keys, { notes }) => {
    notes.minor = true;
    return readPages(database, cursors, { ...nested, name: 'scoutingReports.ofEntries', owner: 'entry_id' }, keys);
  };

  /** Reports on athletes by all accounts, for the export. The export checks that the viewer owns the athlete. */
  const pagesOfAthletes: BatchRead<PageKey, ScoutingReportPage> = (keys) => {
    const from = sql`scouting_report join shortlist_entry e on e.id = scouting_report.entry_id`;
    const list = { ...nested, name: 'scoutingReports.ofAthletes', from, owner: sql`e.athlete_id` };
    return readPages(database, cursors, list, keys);
  };

  return { byId, pagesOfEntries, pagesOfAthletes };
}

export type ScoutingReportReads = ReturnType<typeof createScoutingReportReads>;
