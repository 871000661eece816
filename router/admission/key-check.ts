/** Keys → viewers: the check of docs/api-conventions.md up to the address; burst, scope and quota come after it. */
import { hash } from 'node:crypto';
import { hashApiKey, parseApiKey, sameHash } from '../../platform/security/api-key.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { isWithin, parseAddress, type Network } from '../../platform/http/networks.ts';
import type { Secrets } from '../../platform/security/secrets.ts';
import type { Caller } from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import { createFailedAttempts } from './failed-attempts.ts';
import type { OpenKeyChanges } from './key-changes.ts';
import { readKeyRecord, type KeyHolder } from './key-record.ts';
import { createKeyCache } from './key-cache.ts';

function allows(networks: readonly Network[], text: string): boolean {
  if (networks.length === 0) return true;
  const address = parseAddress(text);
  return address !== null && isWithin(address, networks);
}

const invalid = (): Problem => new Problem('api_key_invalid', 'The API key is not valid. Check that it was copied whole.');

export interface KeyCheck {
  /**
   * One credential only, shape and checksum, lookup, hash, status, expiry, allowed addresses, in this order.
   * @returns null for a caller without a key.
   * @throws Problem ambiguous_credentials, api_key_invalid, api_key_revoked, api_key_disabled, api_key_expired, ip_not_allowed,
   * upstream_unavailable; TooManyGuesses.
   */
  check(caller: Caller): Promise<KeyHolder | null>;
  close(): Promise<void>;
}

/** @param channels on which changes of keys are told: without one, what is known lives for less than a second. */
export function createKeyCheck(database: Queryable, secrets: Secrets, channels: readonly OpenKeyChanges[] = []): KeyCheck {
  const known = createKeyCache((publicId) => readKeyRecord(database, publicId), channels);
  const guesses = createFailedAttempts();

  return {
    async check({ credentials, address }) {
      const [credential, ...others] = credentials;
      if (credential === undefined) return null;
      if (others.length > 0) {
        throw new Problem('ambiguous_credentials', 'Send one API key: in x-api-key or in Authorization, not two different ones.');
      }
      const parsed = parseApiKey(credential);
      // A sixth of what an HMAC costs. Its comparison may tell where two differ: of 256 random bits, who knew the whole digest knew nothing.
      const digest = parsed === null ? '' : hash('sha256', credential);
      const isProven = parsed !== null && known.last(parsed.publicId)?.proven === digest;
      if (!isProven) guesses.assertBelowLimit(address);
      if (parsed === null) {
        guesses.record(address);
        throw invalid();
      }
      const entry = await known.find(parsed.publicId);
      const { found, pepperVersion, hash: expected } = entry.key;
      const matches =
        entry.proven === digest || sameHash(hashApiKey(credential, secrets.derive(`api-key-pepper/${pepperVersion}`)), expected);
      // Only who holds the secret learns what became of the key.
      if (!matches || found === null) {
        guesses.record(address);
        throw invalid();
      }
      entry.proven = digest;
      if (found.status === 'REVOKED') throw new Problem('api_key_revoked', 'This API key was revoked.');
      if (found.status === 'DISABLED') throw new Problem('api_key_disabled', 'This API key is disabled.');
      if (performance.now() >= found.expiresAt) throw new Problem('api_key_expired', 'This API key has expired.');
      if (!allows(found.networks, address))
        throw new Problem('ip_not_allowed', 'This API key may not be used from this address.');
      return found.holder;
    },
    close: () => known.close(),
  };
}
