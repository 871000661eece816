/** Keys → viewers: the check of api.md section 4 up to the address; burst, scope and quota come after it. */
import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { hashApiKey, parseApiKey, sameHash } from '../../platform/api-key.ts';
import { sql, type Queryable } from '../../platform/database.ts';
import { isWithin, networkOf, parseAddress, type Network } from '../../platform/networks.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Caller } from '../../schema/door.ts';
import { Problem } from '../../schema/errors.ts';
import { isScope, scopes } from '../../schema/scopes.ts';
import type { Viewer } from '../../schema/viewer.ts';
import type { Plan } from './plans.ts';
import type { Subject } from './quota/store.ts';
import { lineageSubject } from './quota/subject.ts';

/** Well under a second, so that a revocation is effective everywhere within one, the lookup's own time included. */
const lifeMs = 750;

export interface KeyHolder {
  readonly viewer: Viewer;
  readonly subject: Subject;
  readonly plan: Plan;
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
  readonly code: string;
  readonly burstPerMinute: number;
  readonly perDay: number;
  readonly perMonth: number;
  readonly writes: boolean;
}

interface FoundKey {
  readonly status: KeyRow['status'];
  /** performance.now() at which it expires; by the database's clock, as it was at the lookup. */
  readonly expiresAt: number;
  readonly networks: readonly Network[];
  readonly holder: KeyHolder;
}

interface KnownKey {
  readonly hash: Buffer;
  readonly pepperVersion: number;
  /** Null for a prefix that no key has: such a key takes the same path, with a hash that nothing matches. */
  readonly found: FoundKey | null;
}

const unknownKey: KnownKey = { hash: randomBytes(32), pepperVersion: 1, found: null };

function holderOf(row: KeyRow): KeyHolder {
  const { code, burstPerMinute, perDay, perMonth, writes } = row;
  const granted = row.scopes.filter(isScope).filter((scope) => writes || !scopes[scope].write);
  return {
    viewer: Object.freeze({
      kind: 'KEY',
      accountId: row.accountId,
      keyId: row.publicId,
      plan: code,
      scopes: Object.freeze(granted),
      sport: null,
    } as const),
    subject: lineageSubject(row.quotaSubjectId),
    plan: { code, burstPerMinute, perDay, perMonth, writes },
  };
}

function allows(networks: readonly Network[], text: string): boolean {
  if (networks.length === 0) return true;
  const address = parseAddress(text);
  return address !== null && isWithin(address, networks);
}

const invalid = (): Problem => new Problem('api_key_invalid', 'The API key is not valid. Check that it was copied whole.');

/**
 * The key check: one credential only, shape and checksum, lookup, hash, status, expiry, allowed addresses, in this order.
 * @returns null for a caller without a key.
 * @throws Problem ambiguous_credentials, api_key_invalid, api_key_revoked, api_key_disabled, api_key_expired, ip_not_allowed, upstream_unavailable.
 */
export function createKeyCheck(database: Queryable, secrets: Secrets): (caller: Caller) => Promise<KeyHolder | null> {
  const known = new LRUCache<string, KnownKey>({
    max: 20_000,
    ttl: lifeMs,
    fetchMethod: async (publicId) => {
      const [row] = await database.query<KeyRow>(sql`/* admission.keyByPublicId */
        select k.public_id as "publicId", k.account_id as "accountId", k.scopes, k.allowed_cidrs as "allowedCidrs", k.hash,
          k.pepper_version as "pepperVersion", k.quota_subject_id as "quotaSubjectId", k.status,
          k.expires_in_ms as "expiresInMs",
          k.plan_code as code, k.burst_per_minute as "burstPerMinute", k.per_day as "perDay", k.per_month as "perMonth", k.writes
        from accounts.router_key k
        where k.public_id = ${publicId}`);
      if (row === undefined) return unknownKey;
      return {
        hash: row.hash,
        pepperVersion: row.pepperVersion,
        found: {
          status: row.status,
          expiresAt: row.expiresInMs === null ? Infinity : performance.now() + row.expiresInMs,
          networks: row.allowedCidrs.map(networkOf),
          holder: holderOf(row),
        },
      };
    },
  });

  return async ({ credentials, address }) => {
    const [credential, ...others] = credentials;
    if (credential === undefined) return null;
    if (others.length > 0) {
      throw new Problem('ambiguous_credentials', 'Send one API key: in x-api-key or in Authorization, not two different ones.');
    }
    const parsed = parseApiKey(credential);
    if (parsed === null) throw invalid();
    const key = known.get(parsed.publicId) ?? (await known.fetch(parsed.publicId)) ?? unknownKey;
    const matches = sameHash(hashApiKey(credential, secrets.derive(`api-key-pepper/${key.pepperVersion}`)), key.hash);
    const { found } = key;
    // Only who holds the secret learns what became of the key.
    if (!matches || found === null) throw invalid();
    if (found.status === 'REVOKED') throw new Problem('api_key_revoked', 'This API key was revoked.');
    if (found.status === 'DISABLED') throw new Problem('api_key_disabled', 'This API key is disabled.');
    if (performance.now() >= found.expiresAt) throw new Problem('api_key_expired', 'This API key has expired.');
    if (!allows(found.networks, address)) throw new Problem('ip_not_allowed', 'This API key may not be used from this address.');
    return found.holder;
  };
}
