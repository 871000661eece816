/** Pages with the same content for everyone: created on the first request, compressed once, and revalidated by ETag. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hash } from 'node:crypto';
import { matchesTag } from '../../platform/http/entity-tag.ts';
import { pageHeaders } from '../../platform/http/security-headers.ts';
import { storeBody, type StoredBody } from '../../platform/http/stored-body.ts';
import { exposed } from '../responses/cors.ts';

export interface Page {
  readonly path: string;
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;
}

/** A static text, created on the first request. */
export function page(path: string, type: string, create: () => string, extra: Readonly<Record<string, string>> = {}): Page {
  let created: { body: StoredBody; etag: string } | null = null;
  return {
    path,
    handler: async (request, reply) => {
      if (!created) {
        const text = create();
        created = { body: storeBody(text, 9), etag: `"${hash('sha1', text, 'base64url').slice(0, 20)}"` };
      }
      const { body, etag } = created;
      const caching = { etag, 'cache-control': 'public, max-age=300', vary: 'accept-encoding' };
      reply.headers({ ...exposed, ...extra, ...caching, 'content-type': type });
      const ifNoneMatch = request.headers['if-none-match'];
      const isSame = ifNoneMatch !== undefined && matchesTag(ifNoneMatch, etag);
      return isSame ? reply.code(304).send() : body.send(request, reply);
    },
  };
}

/** An HTML page under the content security policy of pages. */
export const htmlPage = (path: string, create: () => string): Page => page(path, 'text/html; charset=utf-8', create, pageHeaders);
