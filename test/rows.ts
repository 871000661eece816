/** How many rows every table of the areas holds: to see that something was written, or that nothing was. */
import { openDatabase, sql } from '../platform/database/database.ts';
import type { ClonedDatabase } from './database.ts';

/** Counts by `schema.table`; counters of quotas and of usage are left out, for they move with every request, and what the relay has read. */
export async function countRows({ ownerUrl }: ClonedDatabase): Promise<Record<string, number>> {
  const database = openDatabase({ url: ownerUrl, name: 'test-rows', poolSize: 1 });
  try {
    const rows = await database.query<{ name: string; count: number }>(sql`/* test.countRows */
      select table_schema || '.' || table_name as name,
        (xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I.%I', table_schema, table_name), false, true, '')))[1]::text::int as count
      from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') and table_name not in ('quota_counter', 'quota_debt', 'quota_threshold', 'subject_usage', 'inbox')
        and table_name !~ '^usage(_|$)'
      order by 1`);
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  } finally {
    await database.close();
  }
}
