/** Bodies that Fastify would take and the bridge does not: charsets, patches where none are. */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../schema/errors.ts';
import type { Method } from '../operations/directives.ts';

function mediaType(detail: string): Problem {
  return new Problem('unsupported_media_type', detail, { accepted: ['application/json'] });
}

/** Why a body cannot be read as its headers describe it; null when it can. */
export function unsupportedBody(request: FastifyRequest, method: Method): Problem | null {
  if (request.body === undefined || request.body === null) return null;
  const { 'content-type': type = '' } = request.headers;
  const charset = /;\s*charset="?([^";\s]+)/i.exec(type)?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') return mediaType('JSON is UTF-8; leave the charset out.');
  if (type.toLowerCase().startsWith('application/merge-patch+json') && method !== 'PATCH')
    return mediaType('Only PATCH takes application/merge-patch+json.');
  return null;
}
