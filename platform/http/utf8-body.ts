/** Bodies in UTF-8, as JSON requires (RFC 8259 section 8.1): other bytes are rejected instead of being replaced. */
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../schema/errors.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a body. Throws Problem malformed_json (400). */
export function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Problem('malformed_json', 'The request body is not valid UTF-8.');
  }
}

/** Parses JSON bodies of a scope as Fastify does, and rejects those that are not UTF-8. */
export function parseUtf8Bodies(
  scope: Pick<FastifyInstance, 'addContentTypeParser' | 'getDefaultJsonParser' | 'removeContentTypeParser'>,
): void {
  const parse = scope.getDefaultJsonParser('error', 'error');
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Fastify's types allow text, which `parseAs` excludes
    void parse(request, decodeUtf8(Buffer.isBuffer(body) ? body : Buffer.from(body)), done);
  });
}
