/** Signed calls as a server takes them: the bytes are kept until the signature over them is checked. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { verify, type NonceMemory } from '../security/signature.ts';

export interface SignedRequest {
  /** For whom the peer calls. */
  readonly subject: string;
  readonly mutation: boolean;
  /** The bytes, parsed. */
  readonly body: unknown;
}

/** Makes the bodies of a server texts, which verifySignedRequest parses. */
export function parseBodiesAsText(app: FastifyInstance, bodyLimit: number): void {
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit }, (_, body, parsed) => parsed(null, body));
}

/** What the log says, for whoever runs the platform; the caller is told nothing. */
const reasons = {
  unsigned: 'it is not signed',
  wrong_signature: 'it is signed with another key, or was changed',
  wrong_time: 'its time is more than 60 s from ours: set the clocks of both machines',
  replayed: 'it was here before',
  overloaded: 'no more calls that write can be remembered just now',
} as const;

/** The body that a peer signed with the key of this edge; null, with a log line, for an invalid signature. */
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
  request.log.warn({ path, reason: verdict.reason }, `rejected a call between processes: ${reasons[verdict.reason]}`);
  return null;
}
