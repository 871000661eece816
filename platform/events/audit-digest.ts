/** Signed digests of the audit logs: each covers a closed range of rows and names the digest before, so that an alteration is detected. */
import { createHash, createHmac } from 'node:crypto';
import type { Logger } from 'pino';
import type { Area } from '../../schema/areas.ts';
import { raw, sql, type Queryable } from '../database/database.ts';
import type { Secrets } from '../security/secrets.ts';
import type { MaintenanceStep } from './maintenance.ts';

/** The purpose of the key that signs digests. The roles of areas and the database do not have it. */
export const auditPurpose = 'audit-digest/1';

export interface AuditKeys {
  /** Signs digests. */
  readonly current: Buffer;
  /** During a rotation of SECRET: signed the digests before it. */
  readonly previous: Buffer | null;
}

/** The keys of digests. */
export const auditKeysOf = (secrets: Secrets): AuditKeys => ({
  current: secrets.derive(auditPurpose),
  previous: secrets.previous?.derive(auditPurpose) ?? null,
});

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

export interface SignedDigest {
  readonly digest: Buffer;
  readonly keyId: string;
  readonly signature: Buffer;
}

/** Whether the key signed the digest. */
export const isSignedWith = (key: Buffer, { digest, keyId, signature }: SignedDigest): boolean =>
  keyId === keyIdOf(key) && signatureOf(key, digest).equals(signature);

/** The names of the audited tables of an area: each has a function `audit_<table>_next`. */
async function auditedTables(database: Queryable, area: Area): Promise<string[]> {
  const rows = await database.query<{ name: string }>(sql`/* audit.tables */
    select substring(p.proname from '^audit_(.*)_next$') as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = ${area} and p.proname like 'audit\\_%\\_next' order by 1`);
  return rows.map(({ name }) => name);
}

/** The log of an area, and where messages about it go. */
interface Target {
  readonly area: Area;
  readonly table: string;
  readonly log: Logger;
}

/** Signs and stores a digest. */
async function append(database: Queryable, key: Buffer, { area, table, log }: Target, range: AuditRange): Promise<void> {
  const at = new Date().toISOString();
  const digest = digestOf(area, table, range, at);
  const { number, first, last, rows, previous } = range;
  await database.query(sql`/* audit.append */ select ${raw(`${area}.audit_append`)}(${table}, ${number}, ${first}, ${last}, ${rows}, ${at},
    ${previous}, ${digest}, ${keyIdOf(key)}, ${signatureOf(key, digest)})`);
  // the copy of the digest outside of the database shows whether the last ones were deleted from it
  log.info({ area, log: table, number, last, digest: digest.toString('hex') }, 'audit digest written');
}

/** Writes the next digest of a log. Returns whether there may be another one. */
async function writeDigest(database: Queryable, key: Buffer, target: Target): Promise<boolean> {
  const { area, table } = target;
  const [closed] = await database.query<{ place: number | null }>(
    sql`/* audit.closed */ select ${raw(`${area}.audit_${table}_closed`)}() as place`,
  );
  if (closed === undefined || closed.place === null) return false;
  const [range] = await database.query<AuditRange>(sql`/* audit.next */ select number, first, last, rows, previous
    from ${raw(`${area}.audit_${table}_next`)}(${closed.place}::bigint, ${rowsMax})`);
  if (!range) return false;
  await append(database, key, target, range);
  return range.last < closed.place;
}

/**
 * During a rotation of SECRET: a log without new rows gets a digest without rows, so that the current key proves the digests before it. Without
 * a valid signature of the previous key there is nothing to prove.
 */
async function signAgain(database: Queryable, { current, previous: key }: AuditKeys, target: Target): Promise<void> {
  if (key === null) return;
  const [head] = await database.query<SignedDigest & Pick<AuditRange, 'number' | 'last'>>(sql`/* audit.head */
    select number, last, digest, key_id as "keyId", signature from ${raw(`${target.area}.audit_head`)}(${target.table})`);
  if (!head || !isSignedWith(key, head)) return;
  const { number, last, digest: previous } = head;
  await append(database, current, target, { number: number + 1, first: last + 1, last, rows: Buffer.alloc(0), previous });
}

/** The hourly steps that write digests, one per area. The database is that of the relay. */
export function auditSteps(database: Queryable, areas: readonly Area[], keys: AuditKeys, log: Logger): MaintenanceStep[] {
  return areas.map((area) => ({
    name: `audit ${area}`,
    async run() {
      let hasMore = false;
      for (const table of await auditedTables(database, area)) {
        const target = { area, table, log };
        hasMore = (await writeDigest(database, keys.current, target)) || hasMore;
        await signAgain(database, keys, target);
      }
      return hasMore;
    },
  }));
}
