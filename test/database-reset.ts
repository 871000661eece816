/** Restores a database to an earlier state by deleting and reinserting rows: connections, prepared statements and caches survive. */
import pg from 'pg';
import { areas } from '../schema/areas.ts';

/** Tables above this size are truncated: deleting row by row would leave dead rows behind. */
const truncateAboveBytes = 2_000_000;
const idleTimeoutMs = 5_000;

/** The tables with rows, except partitioned parents. */
async function findFilledTables(client: pg.Client): Promise<string[]> {
  const tables = await client.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname = any($1)`,
    [[...areas, 'public']],
  );
  const checks = tables.rows.map(({ name }) => `select '${name}' as name where exists (select from ${name})`);
  const { rows } = await client.query<{ name: string }>(checks.join(' union all '));
  return rows.map(({ name }) => name);
}

/** A digest of the schema: tables, columns, constraints, triggers, functions and grants. */
async function digestSchema(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ digest: string }>(`
    with spaces as (select oid from pg_namespace where nspname !~ '^pg_' and nspname not in ('information_schema', 'pristine'))
    select md5(concat_ws('/',
      (select string_agg(concat_ws(':', oid, relname, relacl, reloptions, relrowsecurity), ',' order by oid)
        from pg_class where relnamespace in (select oid from spaces)),
      (select string_agg(concat_ws(':', attrelid, attname, atttypid, attnotnull, atthasdef, attacl), ',' order by attrelid, attnum)
        from pg_attribute where attnum > 0 and attrelid in (select oid from pg_class where relnamespace in (select oid from spaces))),
      (select string_agg(concat_ws(':', oid, convalidated), ',' order by oid) from pg_constraint where connamespace in (select oid from spaces)),
      (select string_agg(concat_ws(':', oid, tgenabled), ',' order by oid) from pg_trigger),
      (select string_agg(concat_ws(':', oid, prosrc, proacl), ',' order by oid) from pg_proc where pronamespace in (select oid from spaces))
    )) as digest`);
  return rows[0]?.digest ?? '';
}

/** Waits until no other connection runs a statement or holds a transaction open. Returns whether that happened in time. */
async function waitUntilIdle(client: pg.Client): Promise<boolean> {
  const deadline = performance.now() + idleTimeoutMs;
  for (;;) {
    const { rowCount } = await client.query(
      `select from pg_stat_activity
       where datname = current_database() and backend_type = 'client backend' and state <> 'idle' and pid <> pg_backend_pid() limit 1`,
    );
    if (rowCount === 0) return true;
    if (performance.now() > deadline) return false;
    await client.query('select pg_sleep(0.01)');
  }
}

/** The columns that an insert may name. */
const insertableColumns = async (client: pg.Client, table: string): Promise<string> => {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns
     from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return rows[0]?.columns ?? '';
};

export interface DatabaseReset {
  /** Restores the rows. Returns false when the schema has changed or statements are still running: the database cannot be used again. */
  reset(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Stores the rows of a database. `ownerUrl` must be a superuser: triggers and foreign keys are disabled during a reset.
 */
export async function rememberRows(ownerUrl: string): Promise<DatabaseReset> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  const copies: { readonly table: string; readonly copy: string; readonly columns: string }[] = [];
  await client.query('create schema pristine');
  for (const table of await findFilledTables(client)) {
    const copy = `pristine.${table.replaceAll(/\W/g, '_')}`;
    await client.query(`create unlogged table ${copy} as table ${table}`);
    copies.push({ table, copy, columns: await insertableColumns(client, table) });
  }
  const digest = await digestSchema(client);

  async function restoreRows(): Promise<void> {
    const filled = await findFilledTables(client);
    const { rows } = await client.query<{ name: string }>(
      'select name from unnest($1::text[]) name where pg_relation_size(name::regclass) > $2',
      [filled, truncateAboveBytes],
    );
    const large = new Set(rows.map(({ name }) => name));
    const statements = [
      ...(large.size > 0 ? [`truncate ${[...large].join(', ')} cascade`] : []),
      ...filled.filter((table) => !large.has(table)).map((table) => `delete from ${table}`),
      ...copies.flatMap(({ table, copy, columns }) => [
        // TRUNCATE may have cascaded
        `delete from ${table}`,
        `insert into ${table} (${columns}) overriding system value select ${columns} from ${copy}`,
      ]),
    ];
    await client.query(
      ['begin', 'set local session_replication_role = replica', 'set local lock_timeout = 5000', ...statements, 'commit'].join(
        '; ',
      ),
    );
  }

  return {
    async reset() {
      if (!(await waitUntilIdle(client))) return false;
      if ((await digestSchema(client)) !== digest) return false;
      await restoreRows();
      return true;
    },
    close: () => client.end(),
  };
}
