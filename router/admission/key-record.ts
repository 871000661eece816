/** Reads a key from the database in one statement, over the views that the accounts area owns as a contract. */
import { randomBytes } from 'node:crypto';
import { sql, type Queryable } from '../../platform/database/database.ts';
import { keyModeOf } from '../../platform/security/api-key.ts';
import { networkOf, type Network } from '../../platform/http/networks.ts';
import { isScope, scopes } from '../../schema/scopes.ts';
import type { Viewer } from '../../schema/viewer.ts';
import type { PricingPlan } from './pricing-plan.ts';
import type { Subject } from './quota/store.ts';
import { lineageSubject } from './quota/subject.ts';

export interface KeyHolder {
  readonly viewer: Viewer;
  readonly subject: Subject;
  readonly plan: PricingPlan;
  /** Whether the key runs only registered documents over GraphQL. */
  readonly registeredDocumentsOnly: boolean;
}

interface KeyRow {
  readonly publicId: string;
  readonly accountId: string;
  readonly scopes: readonly string[];
  readonly allowedCidrs: readonly string[];
  readonly hash: Buffer;
  readonly pepperVersion: number;
  readonly quotaSubjectId: string;
  readonly status: 'ACTIVE' | 'DISABLED' | 'REVOKED';
  readonly expiresInMs: number | null;
  readonly changesInMs: number | null;
  readonly code: string;
  readonly burstPerMinute: number;
  readonly perDay: number;
  readonly perMonth: number;
  readonly writes: boolean;
  readonly streams: number;
  readonly registeredDocumentsOnly: boolean;
}

export interface FoundKey {
  readonly status: KeyRow['status'];
  /** performance.now() at expiry, computed from the database clock at the lookup. */
  readonly expiresAt: number;
  /** performance.now() at which another pricing plan takes effect, from the same clock. */
  readonly changesAt: number;
  readonly networks: readonly Network[];
  readonly holder: KeyHolder;
}

export interface KeyRecord {
  readonly hash: Buffer;
  /** The version of the root secret whose pepper was hashed. */
  readonly pepperVersion: number;
  /** Null for an unknown public id: such a key takes the same path, with a random hash that never matches. */
  readonly found: FoundKey | null;
}

const unknownKey: KeyRecord = { hash: randomBytes(32), pepperVersion: 1, found: null };

function holderOf(row: KeyRow): KeyHolder {
  const { code, burstPerMinute, perDay, perMonth, streams } = row;
  const isTest = keyModeOf(row.publicId) === 'TEST';
  // an account integrates before it chooses a plan with write access
  const writes = row.writes || isTest;
  const effective = row.scopes.filter(isScope).filter((scope) => writes || !scopes[scope].write);
  return {
    viewer: Object.freeze({
      kind: 'KEY',
      accountId: row.accountId,
      keyId: row.publicId,
      plan: code,
      scopes: Object.freeze(effective),
      sport: null,
      ...(isTest && { sandbox: row.accountId }),
    } as const),
    subject: lineageSubject(row.quotaSubjectId),
    plan: { code, burstPerMinute, perDay, perMonth, writes, streams },
    registeredDocumentsOnly: row.registeredDocumentsOnly,
  };
}

/** @throws Problem upstream_unavailable. */
export async function readKeyRecord(database: Queryable, publicId: string): Promise<KeyRecord> {
  // measured before the query, so that a computed time is never later than the database's
  const startedAt = performance.now();
  const [row] = await database.query<KeyRow>(sql`/* admission.keyByPublicId */
    select k.public_id as "publicId", k.account_id as "accountId", k.scopes, k.allowed_cidrs as "allowedCidrs", k.hash,
      k.pepper_version as "pepperVersion", k.quota_subject_id as "quotaSubjectId", k.status,
      k.expires_in_ms as "expiresInMs", k.changes_in_ms as "changesInMs",
      k.plan_code as code, k.burst_per_minute as "burstPerMinute", k.per_day as "perDay", k.per_month as "perMonth", k.writes, k.streams,
      k.registered_documents_only as "registeredDocumentsOnly"
    from accounts.router_key k
    where k.public_id = ${publicId}`);
  if (row === undefined) return unknownKey;
  const { hash, pepperVersion, status } = row;
  const found: FoundKey = {
    status,
    expiresAt: startedAt + (row.expiresInMs ?? Infinity),
    changesAt: startedAt + (row.changesInMs ?? Infinity),
    networks: row.allowedCidrs.map(networkOf),
    holder: holderOf(row),
  };
  return { hash, pepperVersion, found };
}
