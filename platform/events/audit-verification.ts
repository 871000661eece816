/** Verifies an audit log against its signed digests. It computes the hashes itself: functions of the database could have been replaced. */
import type { Area } from '../../schema/areas.ts';
import { raw, sql, type Queryable, type Sql } from '../database/database.ts';
import { digestOf, isSignedWith, keyIdOf, type AuditRange, type SignedDigest } from './audit-digest.ts';

/** An audited table and how its rows are hashed. The SQL uses the table's name and no schema. */
export interface AuditedLog {
  readonly area: Area;
  readonly table: string;
  /** The place of a row in the ranges of digests. */
  readonly place: Sql;
  /** The hash of a row, as the function `audit_<table>_hash` computes it. */
  readonly hash: Sql;
  /** Whether an erased row still has values. */
  readonly isHalfErased: Sql;
  /** A table of the ids of rows whose erasure was recorded. */
  readonly erasures: string;
  /** Whether an erasure deletes the row; otherwise the row stays without values. */
  readonly erasesRows: boolean;
}

/** The history of an area. */
export const historyLog = (area: Area): AuditedLog => ({
  area,
  table: 'history',
  place: sql`seq`,
  hash: sql`sha256(convert_to(jsonb_build_array(seq, id, resource_type, resource_id, version, action, actor, extract(epoch from at))::text, 'UTF8')
    || coalesce(erased_hash, sha256(convert_to(jsonb_build_array(salt, changes, reason)::text, 'UTF8'))))`,
  isHalfErased: sql`erased_hash is not null and (changes <> '{}' or reason is not null or salt is not null)`,
  erasures: 'audit_history_erasure',
  erasesRows: false,
});

/** A difference: what happened to which row, or which digest is invalid. */
export interface AuditFinding {
  readonly log: string;
  readonly number: number;
  readonly detail: string;
}

export interface AuditReport {
  readonly log: string;
  readonly digests: number;
  readonly rows: number;
  /** Rows after the last digest, which the next one covers. */
  readonly uncovered: number;
  readonly erased: number;
  /** The last digest, in hex; null without digests. */
  readonly head: string | null;
  /** The digests in hex, in order. */
  readonly chain: readonly string[];
  /** The first difference; null: the log was not altered. */
  readonly finding: AuditFinding | null;
}

interface StoredDigest extends AuditRange, SignedDigest {
  readonly at: string;
}

interface StoredRow {
  readonly id: string;
  readonly place: number;
  readonly hash: Buffer;
  readonly isErased: boolean;
  readonly isHalfErased: boolean;
}

const entryBytes = 48;

/** The rows that a digest covers: hashes in hex by id. */
function coveredRows({ rows }: AuditRange): Map<string, string> {
  const covered = new Map<string, string>();
  for (let at = 0; at < rows.length; at += entryBytes) {
    const id = rows.toString('hex', at, at + 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    covered.set(id, rows.toString('hex', at + 16, at + entryBytes));
  }
  return covered;
}

/** What is wrong with the digest itself; null for a valid one. */
function digestError({ area, table }: AuditedLog, stored: StoredDigest, before: StoredDigest | undefined): string | null {
  const { number, first } = stored;
  if (number !== (before?.number ?? 0) + 1) return `digest ${(before?.number ?? 0) + 1} is missing`;
  if (first !== (before?.last ?? 0) + 1 || !stored.previous.equals(before?.digest ?? Buffer.alloc(0)))
    return 'the digest does not continue the one before it';
  return digestOf(area, table, stored, stored.at).equals(stored.digest) ? null : 'the digest was altered';
}

/** Whether one of the keys signed the digest; false for the key of another root secret. `error` describes an invalid signature. */
function checkSignature(stored: StoredDigest, keys: readonly Buffer[]) {
  const key = keys.find((each) => keyIdOf(each) === stored.keyId);
  if (key === undefined) return { isProven: false, error: null };
  const isProven = isSignedWith(key, stored);
  return { isProven, error: isProven ? null : 'the signature of the digest is invalid' };
}

/** The finding of a log: `found`, or that its last digests are signed with the key of another root secret only. */
const findingOf = (log: string, found: AuditFinding | null, unproven: StoredDigest | undefined): AuditFinding | null =>
  found !== null || unproven === undefined
    ? found
    : { log, number: unproven.number, detail: 'the digest was signed with the key of another SECRET' };

/**
 * Verifies a log. The role of the database must be able to read the area.
 * @param keys the valid keys. Digests of an earlier root secret are proven by a later signature, because each digest names the one before.
 */
export async function verifyLog(database: Queryable, log: AuditedLog, keys: readonly Buffer[]): Promise<AuditReport> {
  const { area, table, place, hash, isHalfErased, erasures, erasesRows } = log;
  const from = raw(`${area}.${table}`);
  const name = `${area}.${table}`;
  const chain: string[] = [];
  const counts = { rows: 0, erased: 0 };

  const readDigest = async (number: number): Promise<StoredDigest | undefined> => {
    const [row] =
      await database.query<StoredDigest>(sql`/* audit.digest */ select number, first, last, rows, at, previous, digest,
      key_id as "keyId", signature from ${raw(area)}.audit_digest where log = ${table} and number >= ${number} order by number limit 1`);
    return row;
  };

  const readRows = (lower: Sql, last: number): Promise<StoredRow[]> =>
    database.query<StoredRow>(sql`/* audit.rows */ select id, ${place} as place, ${hash} as hash, ${isHalfErased} as "isHalfErased",
      ${erasesRows ? sql`false` : sql`erased_hash is not null`} as "isErased"
      from ${from} where ${lower} and ${place} <= ${last} order by ${place}, id`);

  /** Those of the rows whose erasure was recorded. */
  async function recordedErasures(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const rows = await database.query<{ id: string }>(sql`/* audit.erasures */
      select id from ${raw(`${area}.${erasures}`)} where id = any(${[...ids]}::uuid[])`);
    return new Set(rows.map(({ id }) => id));
  }

  /** The first difference between the rows of a digest and the table. */
  async function compare(stored: StoredDigest): Promise<string | null> {
    const covered = coveredRows(stored);
    const rows = await readRows(stored.number === 1 ? sql`true` : sql`${place} >= ${stored.first}`, stored.last);
    const emptied = rows.filter(({ isErased }) => isErased).map(({ id }) => id);
    counts.rows += covered.size;
    counts.erased += emptied.length;
    for (const row of rows) {
      const known = covered.get(row.id);
      covered.delete(row.id);
      if (known === undefined) return `row ${row.id} was inserted`;
      if (row.isHalfErased || known !== row.hash.toString('hex')) return `row ${row.id} was altered`;
    }
    const missing = [...covered.keys()];
    const recorded = await recordedErasures(erasesRows ? missing : emptied);
    if (erasesRows) counts.erased += recorded.size;
    const lost = missing.find((id) => !(erasesRows && recorded.has(id)));
    if (lost !== undefined) return `row ${lost} is missing`;
    const unrecorded = emptied.find((id) => !recorded.has(id));
    return unrecorded === undefined ? null : `row ${unrecorded} was erased without a record`;
  }

  let before: StoredDigest | undefined;
  let finding: AuditFinding | null = null;
  let unproven: StoredDigest | undefined;
  while (finding === null) {
    const stored = await readDigest((before?.number ?? 0) + 1);
    if (stored === undefined) break;
    const { isProven, error } = checkSignature(stored, keys);
    const detail = digestError(log, stored, before) ?? error ?? (await compare(stored));
    if (detail !== null) finding = { log: name, number: stored.number, detail };
    unproven = isProven ? undefined : (unproven ?? stored);
    chain.push(stored.digest.toString('hex'));
    before = stored;
  }
  const [after] = await database.query<{ count: number }>(
    sql`/* audit.uncovered */ select count(*) from ${from} where ${place} > ${before?.last ?? 0}`,
  );
  return {
    log: name,
    digests: chain.length,
    uncovered: after?.count ?? 0,
    head: chain.at(-1) ?? null,
    chain,
    finding: findingOf(name, finding, unproven),
    ...counts,
  };
}
