/** Receives signed calls: keeps the raw body until its signature is verified. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { verify, type NonceMemory } from '../security/signature.ts';

export interface SignedRequest {
  /** On whose behalf the peer calls. */
  readonly subject: string;
  readonly mutation: boolean;
  /** The parsed body. */
  readonly body: unknown;
}

/** Makes the server pass bodies as text, so that verifySignedRequest can check their bytes. */
export function parseBodiesAsText(app: FastifyInstance, bodyLimit: number): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit }, (_, body, parsed) => parsed(null, body));
}

/** Log messages for operators; the caller does not receive the reason. */
export const rejectionReasons = {
  unsigned: 'no signature',
  wrong_signature: 'wrong signature: another key, or the call was modified',
  wrong_time: 'the time differs by more than 60 s: synchronize the clocks of both machines',
  replayed: 'replayed call',
  overloaded: 'too many mutations in the last two minutes',
} as const;

/** Verifies a call with the peer's key. Returns null and logs the reason if the call is invalid. */
export function verifySignedRequest(request: FastifyRequest, key: Buffer, nonces: NonceMemory): SignedRequest | null {
  const { body } = request;
  const signed = typeof body === 'string' ? verifyCall(request, body, key, nonces) : null;
  return signed && { ...signed, body: JSON.parse(String(body)) };
}

/** The same for a call whose body follows the signed headers. */
export const verifySignedHeaders = (
  request: FastifyRequest,
  key: Buffer,
  nonces: NonceMemory,
): Omit<SignedRequest, 'body'> | null => verifyCall(request, '', key, nonces);

function verifyCall(request: FastifyRequest, body: string, key: Buffer, nonces: NonceMemory): Omit<SignedRequest, 'body'> | null {
  const { method, url: path, headers } = request;
  const verdict = verify({ key, method, path, headers, body, nonces });
  if (verdict.ok) return { subject: verdict.subject, mutation: verdict.mutation };
  request.log.warn({ path, reason: verdict.reason }, `rejected a call between processes: ${rejectionReasons[verdict.reason]}`);
  return null;
}
