/** Signs and verifies calls between processes with a key per pair, so that the subject and kind of a call cannot be forged. */
import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';

/** A call to sign. */
export interface SignedCall {
  readonly key: Buffer;
  readonly method: string;
  /** Path with query, as sent. */
  readonly path: string;
  /** JSON of the caller or viewer; may contain any text. */
  readonly subject: string;
  /** The exact bytes or text of the body. */
  readonly body: string | Buffer;
  /** A mutation is accepted once; a query may be repeated. */
  readonly mutation: boolean;
}

/** A received call to verify. */
export interface ReceivedCall extends Omit<SignedCall, 'subject' | 'mutation'> {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly nonces: NonceMemory;
}

export type Verdict =
  | {
      readonly ok: true;
      readonly subject: string;
      /** A call that is signed as a query must not run a mutation. */ readonly mutation: boolean;
    }
  | { readonly ok: false; readonly reason: 'unsigned' | 'wrong_signature' | 'wrong_time' | 'replayed' | 'overloaded' };

/** Remembers nonces for as long as a replay would still be accepted. */
export interface NonceMemory {
  /** Records a nonce. Returns `known` if it was used before, `full` if the memory is full and no nonce is accepted. */
  use(nonce: string): 'new' | 'known' | 'full';
}

const toleranceMs = 60_000;
/** A signature is valid from 60 s before to 60 s after the receiver's clock. */
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

/** Verifies that a call was signed with this key at most 60 s ago and that a mutation was not received before by this process. */
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
  // the time is checked after the signature: an attacker learns nothing about clocks and fills no memory
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
 * A bounded memory of the nonces of one process. When full, it rejects calls instead of forgetting nonces. The default allows 4,000 mutations/s.
 * A replay to another process of the same area is not detected here; idempotency keys and versions protect the write.
 */
export function createNonceMemory(capacity = 500_000, clock: () => number = Date.now): NonceMemory {
  const expiries = new Map<string, number>();
  return {
    use(nonce) {
      const now = clock();
      // insertion order is expiry order
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
  // JSON separates the parts unambiguously
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
