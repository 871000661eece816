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

/** What a peer signed with the key of this edge; null, and a line in the log, for everything else. */
export function verifySignedRequest(request: FastifyRequest, key: Buffer, nonces: NonceMemory): SignedRequest | null {
  const { method, url: path, headers, body } = request;
  if (typeof body !== 'string') return null;
  const verdict = verify({ key, method, path, headers, body, nonces });
  if (verdict.ok) return { subject: verdict.subject, mutation: verdict.mutation, body: JSON.parse(body) };
  request.log.warn({ path, refused: verdict.reason }, `a call between processes is refused: ${reasons[verdict.reason]}`);
  return null;
}
