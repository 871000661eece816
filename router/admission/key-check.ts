/** Resolves API keys to viewers: the checks of docs/api-conventions.md up to the allowed addresses. Burst, scopes and quota follow. */
import { hash } from 'node:crypto';
import { apiKeyPepper, hashApiKey, parseApiKey, sameHash } from '../../platform/security/api-key.ts';
import { sql, type Queryable } from '../../platform/database/database.ts';
import { isWithin, parseAddress, type Network } from '../../platform/http/networks.ts';
import { validSecrets, type Secrets } from '../../platform/security/secrets.ts';
import type { Caller } from '../../schema/entry-point.ts';
import { Problem, type ErrorCode } from '../../schema/errors.ts';
import { createFailedAttempts } from './failed-attempts.ts';
import type { OpenKeyChanges } from './key-changes.ts';
import { readKeyRecord, type FoundKey, type KeyHolder, type KeyRecord } from './key-record.ts';
import { createKeyCache } from './key-cache.ts';

function allows(networks: readonly Network[], text: string): boolean {
  if (networks.length === 0) return true;
  const address = parseAddress(text);
  return address !== null && isWithin(address, networks);
}

/** A key that exists. */
export interface KnownKey {
  readonly keyId: string;
  readonly accountId: string;
}

/** A problem of a key that exists: the log of its account has the request. */
export class RejectedKey extends Problem {
  readonly key: KnownKey | null;

  constructor(code: ErrorCode, detail: string, { viewer: { keyId, accountId } }: KeyHolder) {
    super(code, detail);
    this.key = keyId === null || accountId === null ? null : { keyId, accountId };
  }
}

const invalidDetail = 'The API key is invalid. Check that you copied the whole key.';
const invalid = (): Problem => new Problem('api_key_invalid', invalidDetail);

/** Throws RejectedKey for a key that its holder cannot use now from this address. */
function requireUsable({ status, expiresAt, networks, holder }: FoundKey, address: string): void {
  const rejected = (code: ErrorCode, detail: string): Problem => new RejectedKey(code, detail, holder);
  if (status === 'REVOKED') throw rejected('api_key_revoked', 'This API key has been revoked. Issue a new key in the dashboard.');
  if (status === 'DISABLED') throw rejected('api_key_disabled', 'This API key is disabled. Contact the platform operator.');
  if (performance.now() >= expiresAt)
    throw rejected('api_key_expired', 'This API key has expired. Issue a new key in the dashboard.');
  if (!allows(networks, address)) throw rejected('ip_not_allowed', 'This API key cannot be used from this IP address.');
}

/** Whether the hash is that of the credential, with the pepper of its version of the secret. An unknown version takes as long and never matches. */
function matchesHash(secrets: Secrets, credential: string, { hash: expected, pepperVersion }: KeyRecord): boolean {
  const known = validSecrets(secrets).find(({ version }) => version === pepperVersion);
  const isSame = sameHash(hashApiKey(credential, (known ?? secrets).derive(apiKeyPepper)), expected);
  return isSame && known !== undefined;
}

export interface KeyCheck {
  /**
   * Checks, in this order: a single credential, format and checksum, lookup, hash, status, expiry, allowed addresses.
   * @returns null for a caller without a key.
   * @throws Problem ambiguous_credentials, api_key_invalid; RejectedKey api_key_invalid, api_key_revoked, api_key_disabled, api_key_expired,
   * ip_not_allowed; Problem upstream_unavailable; TooManyFailedAttempts.
   */
  check(caller: Caller): Promise<KeyHolder | null>;
  close(): Promise<void>;
}

/** @param channels announce key changes; without one, keys are cached for less than a second. */
export function createKeyCheck(database: Queryable, secrets: Secrets, channels: readonly OpenKeyChanges[] = []): KeyCheck {
  const cache = createKeyCache((publicId) => readKeyRecord(database, publicId), channels);
  const failedAttempts = createFailedAttempts();

  /** After a rotation: stores the hash with the current pepper. A failure has no effect on the request; the next use of the key repeats it. */
  function rehash(publicId: string, credential: string, { hash: known, pepperVersion }: KeyRecord): void {
    if (pepperVersion === secrets.version) return;
    const current = hashApiKey(credential, secrets.derive(apiKeyPepper));
    database
      .query(
        sql`/* admission.rehashKey */ select accounts.router_rehash_key(${publicId}, ${known}, ${current}, ${secrets.version})`,
      )
      .catch(() => undefined);
  }

  return {
    async check({ credentials, address }) {
      const [credential, ...others] = credentials;
      if (credential === undefined) return null;
      if (others.length > 0) {
        throw new Problem(
          'ambiguous_credentials',
          'The request carries several API keys. Send one, in x-api-key or in Authorization.',
        );
      }
      const parsed = parseApiKey(credential);
      // SHA-256 costs a sixth of the HMAC. The comparison may leak timing, which is harmless for a digest of 256 random bits.
      const digest = parsed === null ? '' : hash('sha256', credential);
      const isProven = parsed !== null && cache.last(parsed.publicId)?.verifiedDigest === digest;
      if (!isProven) failedAttempts.assertBelowLimit(address);
      if (parsed === null) {
        failedAttempts.record(address);
        throw invalid();
      }
      const entry = await cache.find(parsed.publicId);
      const { found } = entry.key;
      const matches = entry.verifiedDigest === digest || matchesHash(secrets, credential, entry.key);
      // Only the holder of the secret learns the status of the key.
      if (!matches || found === null) {
        failedAttempts.record(address);
        throw found === null ? invalid() : new RejectedKey('api_key_invalid', invalidDetail, found.holder);
      }
      if (entry.verifiedDigest !== digest) rehash(parsed.publicId, credential, entry.key);
      entry.verifiedDigest = digest;
      requireUsable(found, address);
      return found.holder;
    },
    close: () => cache.close(),
  };
}
