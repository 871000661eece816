/** Calls between processes, signed with the key of their edge: who is named in a call, and what it does, is said by us or by nobody. */
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

/** A call to sign. */
export interface SignedCall {
  readonly key: Buffer;
  readonly method: string;
  /** Path with query, as sent. */
  readonly path: string;
  /** JSON of the caller or the viewer; may hold any text. */
  readonly subject: string;
  /** The very bytes (or text) that are sent. */
  readonly body: string | Buffer;
  /** A mutation is accepted once; a query may be retried. */
  readonly mutation: boolean;
}

/** A call to verify: as received. */
export interface ReceivedCall extends Omit<SignedCall, 'subject' | 'mutation'> {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly nonces: NonceMemory;
}

export type Verdict =
  | {
      readonly ok: true;
      readonly subject: string;
      /** A call signed as a query must not be let run a mutation. */ readonly mutation: boolean;
    }
  | { readonly ok: false; readonly reason: 'unsigned' | 'wrong_signature' | 'wrong_time' | 'replayed' | 'overloaded' };

/** Remembers nonces while a replay of them could still be in time. */
export interface NonceMemory {
  /** Records a nonce; `known` when it was used before, `full` when none can be remembered and so none accepted. */
  use(nonce: string): 'new' | 'known' | 'full';
}

const toleranceMs = 60_000;
/** A call may be signed 60 s ahead of our clock and is in time until 60 s behind it. */
const rememberMs = 2 * toleranceMs;

/** The headers of a signed call: HMAC-SHA256 over method, path, subject, body hash, kind, time and nonce. */
export function sign(call: SignedCall, now: number = Date.now()): Record<string, string> {
  const headers = {
    'x-edge-subject': Buffer.from(call.subject).toString('base64url'),
    'x-edge-kind': call.mutation ? 'mutation' : 'query',
    'x-edge-time': String(now),
    'x-edge-nonce': randomUUID(),
  };
  return { ...headers, 'x-edge-signature': mac(call, headers).toString('base64url') };
}

/** Says whether a call was signed with the key of this edge, is at most 60 s old and, for mutations, is seen for the first time here. */
export function verify(call: ReceivedCall, now: number = Date.now()): Verdict {
  const headers = {
    'x-edge-subject': one(call.headers['x-edge-subject']),
    'x-edge-kind': one(call.headers['x-edge-kind']),
    'x-edge-time': one(call.headers['x-edge-time']),
    'x-edge-nonce': one(call.headers['x-edge-nonce']),
  };
  const given = one(call.headers['x-edge-signature']);
  if (given === '' || Object.values(headers).includes('')) return { ok: false, reason: 'unsigned' };
  const expected = mac(call, headers);
  const received = Buffer.from(given, 'base64url');
  if (received.length !== expected.length || !timingSafeEqual(received, expected))
    return { ok: false, reason: 'wrong_signature' };
  // only what is signed is looked at: an attacker learns nothing of clocks, and fills no memory
  if (!(Math.abs(now - Number(headers['x-edge-time'])) <= toleranceMs)) return { ok: false, reason: 'wrong_time' };
  const mutation = headers['x-edge-kind'] === 'mutation';
  const use = mutation ? call.nonces.use(headers['x-edge-nonce']) : 'new';
  if (use !== 'new') return { ok: false, reason: use === 'known' ? 'replayed' : 'overloaded' };
  return { ok: true, subject: Buffer.from(headers['x-edge-subject'], 'base64url').toString('utf8'), mutation };
}

/** The signature of a body that is sent after its signed headers: bound to the nonce of the call. */
export function signBody(key: Buffer, nonce: string, body: string): string {
  return bodyMac(key, nonce, body).toString('base64url');
}

/** Whether a body was signed for the call with this nonce. */
export function verifyBody(key: Buffer, nonce: string, body: string, signature: string): boolean {
  const expected = bodyMac(key, nonce, body);
  const received = Buffer.from(signature, 'base64url');
  return received.length === expected.length && timingSafeEqual(received, expected);
}

function bodyMac(key: Buffer, nonce: string, body: string): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([nonce, createHash('sha256').update(body).digest('base64url')]))
    .digest();
}

/**
 * A bounded memory of the nonces of one process: full, it refuses rather than forget. The default holds 4,000 mutations a second.
 * A replay to another process of the same area is not seen here: there the write's idempotency and versions decide.
 */
export function createNonceMemory(capacity = 500_000, clock: () => number = Date.now): NonceMemory {
  const expiries = new Map<string, number>();
  return {
    use(nonce) {
      const now = clock();
      // insertion order is order of expiry
      for (const [oldest, expiry] of expiries) {
        if (expiry > now) break;
        expiries.delete(oldest);
      }
      if (expiries.has(nonce)) return 'known';
      if (expiries.size >= capacity) return 'full';
      expiries.set(nonce, now + rememberMs);
      return 'new';
    },
  };
}

function mac(call: Pick<SignedCall, 'key' | 'method' | 'path' | 'body'>, headers: Readonly<Record<string, string>>): Buffer {
  const body = createHash('sha256').update(call.body).digest('base64url');
  // JSON keeps the parts apart, whatever they hold
  const text = JSON.stringify([
    call.method.toUpperCase(),
    call.path,
    headers['x-edge-subject'],
    body,
    headers['x-edge-kind'],
    headers['x-edge-time'],
    headers['x-edge-nonce'],
  ]);
  return createHmac('sha256', call.key).update(text).digest();
}

function one(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value : '';
}
