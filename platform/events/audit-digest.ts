/** Signed digests of the audit logs: each covers a closed range of rows and names the digest before, so that an alteration is detected. */
import { createHash, createHmac } from 'node:crypto';
import type { Logger } from 'pino';
import type { Area } from '../../schema/areas.ts';
import { raw, sql, type Queryable } from '../database/database.ts';
import type { MaintenanceStep } from './maintenance.ts';

/** The purpose of the key that signs digests. The roles of areas and the database do not have it. */
export const auditPurpose = 'audit-digest/1';

/** Rows of a digest. */
const rowsMax = 5_000;

/** The signed facts of a range of rows. */
export interface AuditRange {
  readonly number: number;
  /** The places of its first and last row, inclusive. */
  readonly first: number;
  readonly last: number;
  /** For each row its id (16 bytes) and its hash (32 bytes). */
  readonly rows: Buffer;
  /** The digest before; empty for the first one. */
  readonly previous: Buffer;
}

/** The SHA-256 of a range. `at` is an ISO time. */
export function digestOf(area: Area, log: string, { number, first, last, rows, previous }: AuditRange, at: string): Buffer {
  const head = JSON.stringify([area, log, number, first, last, at]);
  return createHash('sha256').update(head).update(createHash('sha256').update(rows).digest()).update(previous).digest();
}

/** The HMAC-SHA256 of a digest. */
export const signatureOf = (key: Buffer, digest: Buffer): Buffer => createHmac('sha256', key).update(digest).digest();

/** A name of the key that does not reveal it. */
export const keyIdOf = (key: Buffer): string => createHash('sha256').update('key-id').update(key).digest('hex').slice(0, 16);

/** The names of the audited tables of an area: each has a function `audit_<table>_next`. */
async function auditedTables(database: Queryable, area: Area): Promise<string[]> {
  const rows = await database.query<{ name: string }>(sql`/* audit.tables */
    select substring(p.proname from '^audit_(.*)_next$') as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = ${area} and p.proname like 'audit\\_%\\_next' order by 1`);
  return rows.map(({ name }) => name);
}

/** Writes the next digest of a log. Returns whether there may be another one. */
async function writeDigest(database: Queryable, key: Buffer, log: Logger, area: Area, table: string): Promise<boolean> {
  const [closed] = await database.query<{ place: number | null }>(
    sql`/* audit.closed */ select ${raw(`${area}.audit_${table}_closed`)}() as place`,
  );
  if (closed === undefined || closed.place === null) return false;
  const [range] = await database.query<AuditRange>(sql`/* audit.next */ select number, first, last, rows, previous
    from ${raw(`${area}.audit_${table}_next`)}(${closed.place}::bigint, ${rowsMax})`);
  if (!range) return false;
  const at = new Date().toISOString();
  const digest = digestOf(area, table, range, at);
  const { number, first, last, rows, previous } = range;
  await database.query(sql`/* audit.append */ select ${raw(`${area}.audit_append`)}(${table}, ${number}, ${first}, ${last}, ${rows}, ${at},
    ${previous}, ${digest}, ${keyIdOf(key)}, ${signatureOf(key, digest)})`);
  // the copy of the digest outside of the database shows whether the last ones were deleted from it
  log.info({ area, log: table, number, last, digest: digest.toString('hex') }, 'audit digest written');
  return last < closed.place;
}

/** The hourly steps that write digests, one per area. The database is that of the relay. */
export function auditSteps(database: Queryable, areas: readonly Area[], key: Buffer, log: Logger): MaintenanceStep[] {
  return areas.map((area) => ({
    name: `audit ${area}`,
    async run() {
      let hasMore = false;
      for (const table of await auditedTables(database, area))
        hasMore = (await writeDigest(database, key, log, area, table)) || hasMore;
      return hasMore;
    },
  }));
}
