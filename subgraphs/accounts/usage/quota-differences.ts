/** Lineages whose quota counters differ from the rollups. */
import { sql } from '../../../platform/database/database.ts';
import type { ListServices } from '../../../platform/lists/list.ts';
import { readPage, type Page, type PageArguments, type Sort } from '../../../platform/lists/page.ts';
import { table } from '../../../platform/database/table.ts';

export interface QuotaDifferenceRow {
  /** The lineage. */
  readonly id: string;
  readonly accountId: string | null;
  readonly day: string;
  readonly dayUnits: number;
  readonly dayCounted: number;
  readonly month: string;
  readonly monthUnits: number;
  readonly monthCounted: number;
}

export type QuotaDifferencePage = Page<QuotaDifferenceRow>;

const id = sql`encode(subject_usage.subject, 'hex')::uuid`;

const differences = table<QuotaDifferenceRow>('subject_usage', {
  id,
  accountId: sql`select k.account_id from api_key k where k.quota_subject_id = ${id} limit 1`,
  day: 'plain',
  dayUnits: 'plain',
  dayCounted: 'plain',
  month: 'plain',
  monthUnits: 'plain',
  monthCounted: 'plain',
});

const usedLastFirst: Sort<QuotaDifferenceRow> = {
  column: sql`subject_usage.day`,
  type: 'date',
  direction: 'desc',
  value: ({ day }) => day,
};

/** Client addresses are excluded. The first condition matches the index subject_usage_lineage. */
export function readDifferences({ database, cursors }: ListServices, args: PageArguments): Promise<QuotaDifferencePage> {
  const list = {
    name: 'quotaDifferences.list',
    columns: differences.columns,
    from: sql`subject_usage`,
    id,
    where: [sql`octet_length(subject_usage.subject) = 16 and (day_units <> day_counted or month_units <> month_counted)`],
    sort: usedLastFirst,
    filter: null,
  };
  return readPage(database, cursors, list, args);
}
