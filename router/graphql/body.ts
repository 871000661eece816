/** The bodies of the GraphQL APIs: their limits, and their parser. */
import type { FastifyInstance } from 'fastify';
import { membersIn, repeatedMember } from '../../platform/http/json-members.ts';
import { limitValues } from '../../platform/http/json-size.ts';
import { decodeUtf8 } from '../../platform/http/utf8-body.ts';

/** A body has room for a batch of 500 small items in its variables; larger batches belong to REST. */
export const bodyLimits = {
  /** Maximum size in bytes. */
  bytes: 256 * 1024,
  /** Maximum number of JSON values, counted before parsing. */
  values: 20_000,
} as const;

/**
 * Parses JSON bodies as Fastify does, after counting their values.
 * Throws Problem payload_too_large (413), or malformed_json (400) for repeated members and other encodings than UTF-8.
 */
export function parseBodies(scope: FastifyInstance): void {
  const parse = scope.getDefaultJsonParser('error', 'error');
  scope.removeContentTypeParser('application/json');
  scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // Fastify's types allow text, which `parseAs` excludes
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(body);
    limitValues(bytes, bodyLimits.values);
    void parse(request, decodeUtf8(bytes), (error, value) => {
      done(error ?? repeatedMember(bytes, membersIn(value)), value);
    });
  });
}
