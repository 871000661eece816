/** The rows of a database as one compressed file, with the names of its migrations: a release keeps one for the upgrade test of the next release. */
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { migrate } from '../../platform/database/migrate.ts';
import { readMigrations } from '../../platform/database/migration-files.ts';
import { createLog } from '../../platform/log.ts';
import { migratedAreas } from '../../subgraphs/runtime/migrations.ts';

/** A table with its rows in the text format of COPY. */
interface TableRows {
  /** Quoted, with the schema. */
  readonly table: string;
  /** Quoted. */
  readonly columns: readonly string[];
  readonly rows: string;
}

export interface ReleaseData {
  readonly secret: string;
  /** A key of an account with data. */
  readonly key: string;
  /** `<schema> <folder>/<file>` of each applied migration. */
  readonly migrations: readonly string[];
  readonly tables: readonly TableRows[];
  readonly sequences: Readonly<Record<string, string>>;
}

async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const schemas = "n.nspname = any('{platform,accounts,athletes,competitions,opportunities,organizations,scouting}')";

/** Reads everything that the platform stored. */
export function readReleaseData(
  ownerUrl: string,
  access: { readonly secret: string; readonly key: string },
): Promise<ReleaseData> {
  return withClient(ownerUrl, async (client) => {
    const migrations = await client.query<{ name: string }>(
      "select schema || ' ' || name as name from platform.migration order by 1",
    );
    const found = await client.query<{ table: string; columns: string[] }>(
      `select format('%I.%I', n.nspname, c.relname) as table, array_agg(format('%I', a.attname) order by a.attnum) as columns
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       where c.relkind = 'r' and ${schemas} group by 1 order by 1`,
    );
    const tables: TableRows[] = [];
    for (const { table, columns } of found.rows) {
      const rows = await text(client.query(copyTo(`copy ${table} (${columns.join(', ')}) to stdout`)));
      if (rows !== '') tables.push({ table, columns, rows });
    }
    const sequences = await client.query<{ name: string; value: string }>(
      `select format('%I.%I', schemaname, sequencename) as name, last_value::text as value from pg_sequences
       where last_value is not null and schemaname <> 'pg_catalog' order by 1`,
    );
    return {
      ...access,
      migrations: migrations.rows.map(({ name }) => name),
      tables,
      sequences: Object.fromEntries(sequences.rows.map(({ name, value }) => [name, value])),
    };
  });
}

export const compress = (data: ReleaseData): Buffer => brotliCompressSync(JSON.stringify(data));
// Cast: the file was written by `compress`.
export const decompress = (bytes: Buffer): ReleaseData => JSON.parse(brotliDecompressSync(bytes).toString('utf8')) as ReleaseData;

/** Applies only the migrations of the release, as its own version did. Without roles, which belong to the server. */
async function migrateAs(ownerUrl: string, { migrations }: ReleaseData): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'release-'));
  try {
    const areas = [];
    for (const { schema, directories } of migratedAreas) {
      const copies: string[] = [];
      for (const [index, directory] of directories.entries()) {
        const copy = join(folder, schema, String(index), basename(join(directory, '..')), 'migrations');
        await mkdir(copy, { recursive: true });
        for (const { name, path } of await readMigrations([directory]))
          if (migrations.includes(`${schema} ${name}`)) await copyFile(path, join(copy, basename(path)));
        copies.push(copy);
      }
      areas.push({ schema, directories: copies });
    }
    await migrate({ ownerUrl, areas, secrets: null, log: createLog({ name: 'release', level: 'error' }) });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Restores the data of a release into an empty database, whose schema is then that of the release. */
export async function restoreReleaseData(ownerUrl: string, data: ReleaseData): Promise<void> {
  await migrateAs(ownerUrl, data);
  await withClient(ownerUrl, async (client) => {
    // as pg_restore --disable-triggers: rows arrive in the order of the names of tables
    await client.query('set session_replication_role = replica');
    const { rows } = await client.query<{ tables: string }>(
      `select string_agg(format('%I.%I', n.nspname, c.relname), ', ') as tables
       from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and ${schemas}`,
    );
    await client.query(`truncate ${rows[0]?.tables ?? ''}`);
    for (const { table, columns, rows: lines } of data.tables)
      await pipeline(Readable.from([lines]), client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`)));
    for (const [name, value] of Object.entries(data.sequences))
      await client.query('select setval($1::regclass, $2)', [name, value]);
  });
}
