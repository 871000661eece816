/** The content of the database as text, for tests of erasure. */
import pg from 'pg';
import type { ClonedDatabase } from '../../database.ts';

/** The rows of a table with these IDs as text, without IDs, versions and times. */
export async function shellsOf(database: ClonedDatabase, table: string, ids: readonly string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ text: string }>(
      `select (to_jsonb(t) - array['id', 'account_id', 'version', 'created_at', 'updated_at'])::text as text from ${table} t where id = any($1)`,
      [ids],
    );
    return rows.map(({ text }) => text);
  } finally {
    await client.end();
  }
}

/** Names of the tables in all schemas that contain one of the words. */
export async function tablesWith(database: ClonedDatabase, words: readonly string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(`select format('%I.%I', schemaname, tablename) as name
      from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`);
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query(
        `select from ${name} t where exists (select from unnest($1::text[]) word
        where t::text ilike '%' || word || '%') limit 1`,
        [words],
      );
      if (rows.length > 0) found.push(name);
    }
    return found.toSorted();
  } finally {
    await client.end();
  }
}
