/** SQL reads of scouting reports. A report is visible to its account. The owner of the athlete can export the ratings only. */
import { owns, hasFullAccess } from '../../../schema/viewer.ts';
import { sql, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readList } from '../../../platform/lists/list.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { sortBy } from '../../../platform/lists/page.ts';
import { visibleAthletes } from '../../clients/visible-athletes.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import type { QueryAccountScoutingReportsArgs, ScoutingReportFilter } from '../generated/resolvers.ts';
import { reportResource, reports, type ScoutingReportPage, type ScoutingReportRow } from './rows.ts';

const latestFirst = sortBy(reports, 'date', 'date', 'desc');

const ofEntries = (condition: Sql): Sql =>
  sql`scouting_report.entry_id in (select e.id from shortlist_entry e where ${condition})`;

/** Only a viewer that can read an athlete finds reports that were written on another profile, which has been merged into it. */
async function onAthletes(context: Context, ids: readonly string[]): Promise<Sql> {
  const visible = await visibleAthletes(context, ids);
  const named = oneOf(sql`e.named_id`, ids);
  return ofEntries(visible.size === 0 ? named : sql`${oneOf(sql`e.athlete_id`, [...visible.keys()])} or ${named}`);
}

async function conditions(context: Context, filter: ScoutingReportFilter): Promise<Sql[]> {
  const { athleteId, shortlistId, matchId, recommendation, author, overallMin, potentialMin, dateFrom, dateTo } = filter;
  const where: Sql[] = [];
  if (athleteId) where.push(await onAthletes(context, athleteId));
  if (shortlistId) where.push(ofEntries(oneOf(sql`e.shortlist_id`, shortlistId)));
  if (matchId) where.push(oneOf(sql`scouting_report.match_id`, matchId));
  if (recommendation) where.push(sql`scouting_report.recommendation = any(${recommendation})`);
  if (author) where.push(sql`platform.fold(scouting_report.author) = platform.fold(${author})`);
  if (typeof overallMin === 'number') where.push(sql`scouting_report.overall >= ${overallMin}`);
  if (typeof potentialMin === 'number') where.push(sql`scouting_report.potential >= ${potentialMin}`);
  if (dateFrom) where.push(sql`scouting_report.date >= ${dateFrom}::date`);
  if (dateTo) where.push(sql`scouting_report.date <= ${dateTo}::date`);
  return where;
}

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

  /** All reports of the viewer's account. Throws Problem api_key_missing (401). */
  async function list(context: Context, args: QueryAccountScoutingReportsArgs): Promise<ScoutingReportPage> {
    const { viewer, notes } = context;
    notes.minor = true;
    const where = [
      sql`scouting_report.account_id = ${requireAccount(viewer)}`,
      ...(await conditions(context, args.filter ?? {})),
    ];
    const description = { name: 'scoutingReports.list', resource: reportResource, where, sort: latestFirst };
    return readList({ database, cursors }, description, viewer, { ...args, filter: { ...args.filter, mine: true } });
  }

  return { byId, list, pagesOfEntries, pagesOfAthletes };
}

export type ScoutingReportReads = ReturnType<typeof createScoutingReportReads>;
