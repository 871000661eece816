/**
 * Challenges of passkey sign-ins. They are signed and stay in the browser instead of a table, which anyone could fill. A challenge contains its
 * time: a passkey accepts only challenges that are later than its last accepted one, so that each is used once.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Secrets } from '../../../platform/security/secrets.ts';
import type { Population as PopulationName } from '../generated/resolvers.ts';

/** The purpose of the key that signs challenges (wiring/keys.ts). */
const purpose = 'passkey-challenge/1';
const timeBytes = 8;
const randomLength = 24;
const lifetimeMs = 5 * 60_000;

export interface Challenge {
  /** What the authenticator signs: the time in ms and random bytes, in base64url. */
  readonly challenge: string;
  readonly createdAtMs: number;
}

/** A new challenge of random bytes, in base64url. */
function generateChallenge(createdAtMs: number): string {
  const bytes = Buffer.concat([Buffer.alloc(timeBytes), randomBytes(randomLength)]);
  bytes.writeBigUInt64BE(BigInt(createdAtMs));
  return bytes.toString('base64url');
}

/** The challenges of a population. */
export function createChallenges(secrets: Secrets, population: PopulationName) {
  const signatureOf = (challenge: string): string =>
    createHmac('sha256', secrets.derive(purpose)).update(`${population} ${challenge}`).digest('base64url');

  return {
    /** A challenge, and the token that the browser keeps until its response. */
    create(nowMs = Date.now()): { readonly challenge: string; readonly token: string } {
      const challenge = generateChallenge(nowMs);
      return { challenge, token: `${challenge}.${signatureOf(challenge)}` };
    },
    /** The challenge of a token; null if this population did not sign it, or if it has expired. */
    open(token: string, nowMs = Date.now()): Challenge | null {
      const [challenge = '', signature = ''] = token.split('.', 2);
      const [given, expected] = [Buffer.from(signature), Buffer.from(signatureOf(challenge))];
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
      const createdAtMs = Number(Buffer.from(challenge, 'base64url').readBigUInt64BE());
      return nowMs - createdAtMs <= lifetimeMs ? { challenge, createdAtMs } : null;
    },
  };
}

export type Challenges = ReturnType<typeof createChallenges>;
