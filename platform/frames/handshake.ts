/**
 * The handshake of a framed connection: an HTTP/1.1 Upgrade in which both sides prove that they have the key of the edge, and from
 * which both derive one key per direction.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { sign, verify, type NonceMemory, type Verdict } from '../security/signature.ts';

export const framesPath = '/frames';
export const framesProtocol = 'platform-frames/1';

/** The keys of one connection, which authenticate the records of each direction. */
export interface SessionKeys {
  readonly client: Buffer;
  readonly server: Buffer;
}

/** The client's request: signed like a call that is accepted once, so that it cannot be replayed to the same process. */
export function offerHeaders(key: Buffer): Record<string, string> {
  const signature = sign({ key, method: 'GET', path: framesPath, subject: 'frames', body: '', mutation: true });
  return { ...signature, connection: 'Upgrade', upgrade: framesProtocol };
}

type Acceptance =
  | { readonly ok: true; readonly headers: Readonly<Record<string, string>>; readonly keys: SessionKeys }
  | Extract<Verdict, { ok: false }>;

/**
 * Verifies the client's request. The headers of the response prove that the server has the key. A replay to another process derives
 * keys that only the owner of the edge key can compute: its first record is rejected.
 */
export function acceptOffer(key: Buffer, headers: IncomingHttpHeaders, nonces: NonceMemory): Acceptance {
  const verdict = verify({ key, method: 'GET', path: framesPath, body: '', headers, nonces });
  if (!verdict.ok) return verdict;
  const offered = String(headers['x-edge-nonce']);
  const nonce = randomBytes(24).toString('base64url');
  const signature = proofOf(key, offered, nonce).toString('base64url');
  return {
    ok: true,
    headers: { connection: 'Upgrade', upgrade: framesProtocol, 'x-edge-nonce': nonce, 'x-edge-signature': signature },
    keys: deriveKeys(key, offered, nonce),
  };
}

/** The keys of the connection; null when the response does not prove that the server has the key. */
export function verifyAcceptance(
  key: Buffer,
  offer: Readonly<Record<string, string>>,
  headers: IncomingHttpHeaders,
): SessionKeys | null {
  const offered = offer['x-edge-nonce'] ?? '';
  const [nonce, signature] = [headers['x-edge-nonce'], headers['x-edge-signature']];
  if (typeof nonce !== 'string' || typeof signature !== 'string') return null;
  const expected = proofOf(key, offered, nonce);
  const received = Buffer.from(signature, 'base64url');
  const isProof = received.length === expected.length && timingSafeEqual(received, expected);
  return isProof ? deriveKeys(key, offered, nonce) : null;
}

function proofOf(key: Buffer, offered: string, nonce: string): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify(['frames accepted', offered, nonce]))
    .digest();
}

/** HKDF (RFC 5869) with both nonces as the salt: no two connections have the same keys. */
function deriveKeys(key: Buffer, offered: string, nonce: string): SessionKeys {
  const derive = (direction: string): Buffer =>
    Buffer.from(hkdfSync('sha256', key, `${offered}.${nonce}`, `${framesProtocol} ${direction}`, 32));
  return { client: derive('client'), server: derive('server') };
}
