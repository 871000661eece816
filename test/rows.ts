/** Reads and changes rows of the areas: to check what requests wrote, and to let time pass. */
import pg from 'pg';
import { openDatabase, sql } from '../platform/database/database.ts';
import type { ClonedDatabase } from './database.ts';

/**
 * Counts by `schema.table`, except for the counters of quotas and usage, which change with every request, and the
 * progress of the relay.
 */
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

/** Runs a statement as the owner of the database. */
export async function queryRows(
  { ownerUrl }: ClonedDatabase,
  statement: string,
  values: unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement, values)).rows;
  } finally {
    await client.end();
  }
}
