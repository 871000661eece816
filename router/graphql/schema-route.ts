/** `GET /graphql/schema.graphql`: the public schema as text, for code generators and editors. Not counted, like the documentation. */
import { hash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { matchesTag } from '../../platform/http/entity-tag.ts';

export const schemaPath = '/graphql/schema.graphql';

/** Adds the route. `schemaText` returns the current text: a reload of the supergraph replaces it. */
export function addSchemaRoute(app: FastifyInstance, schemaText: () => string): void {
  let served = { text: '', etag: '' };
  app.get(schemaPath, (request, reply) => {
    const text = schemaText();
    if (text !== served.text) served = { text, etag: `"${hash('sha1', text, 'base64url').slice(0, 20)}"` };
    reply.headers({ etag: served.etag, 'cache-control': 'public, max-age=300' });
    const { 'if-none-match': known } = request.headers;
    if (known !== undefined && matchesTag(known, served.etag)) return reply.code(304).send();
    return reply.type('text/plain; charset=utf-8').send(served.text);
  });
}
