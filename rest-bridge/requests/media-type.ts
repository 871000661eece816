/** Rejects media types that Fastify would accept: charsets other than UTF-8, and merge patches of methods other than PATCH. */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../schema/errors.ts';
import type { Method } from '../operations/rest-directive.ts';

function mediaType(detail: string): Problem {
  return new Problem('unsupported_media_type', detail, { accepted: ['application/json'] });
}

/** The problem with the content type of a body; null when it is supported. */
export function unsupportedBody(request: FastifyRequest, method: Method): Problem | null {
  if (request.body === undefined || request.body === null) return null;
  const { 'content-type': type = '' } = request.headers;
  const charset = /;\s*charset="?([^";\s]+)/i.exec(type)?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') return mediaType('JSON must be UTF-8. Omit the charset.');
  if (type.toLowerCase().startsWith('application/merge-patch+json') && method !== 'PATCH')
    return mediaType('Only PATCH accepts application/merge-patch+json. Send application/json.');
  return null;
}
