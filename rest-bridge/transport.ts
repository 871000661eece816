/** Failures below the operation: media types, sizes and whatever Fastify refuses, as problems. */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../schema/errors.ts';
import type { Method } from './directives.ts';

const fastifyProblems: Readonly<Record<string, () => Problem>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => mediaType('The body must be application/json.'),
  FST_ERR_CTP_BODY_TOO_LARGE: () => new Problem('payload_too_large', 'The body is too large: at most 1 MiB, 8 MiB for a batch.'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => new Problem('malformed_json', 'The body is not as long as Content-Length says.'),
};

function mediaType(detail: string): Problem {
  return new Problem('unsupported_media_type', detail, { accepted: ['application/json'] });
}

/** The problem of an error that Fastify or a handler threw; `internal` for what nobody expected. */
export function transportProblem(fault: unknown): Problem {
  if (fault instanceof Problem) return fault;
  const code = typeof fault === 'object' && fault !== null && 'code' in fault ? String(fault.code) : '';
  return (
    fastifyProblems[code]?.() ??
    new Problem(
      'internal',
      'Something went wrong on our side. Repeat the request later; quote the request id when you report it.',
    )
  );
}

/** Why a body cannot be read as its headers describe it; null when it can. */
export function unsupportedBody(request: FastifyRequest, method: Method): Problem | null {
  if (request.body === undefined || request.body === null) return null;
  const { 'content-type': type = '', 'content-encoding': encoding } = request.headers;
  if (encoding !== undefined && encoding !== 'identity') return mediaType('The body must be sent without Content-Encoding.');
  const charset = /;\s*charset="?([^";\s]+)/i.exec(type)?.[1];
  if (charset !== undefined && charset.toLowerCase() !== 'utf-8') return mediaType('JSON is UTF-8; leave the charset out.');
  if (type.toLowerCase().startsWith('application/merge-patch+json') && method !== 'PATCH')
    return mediaType('Only PATCH takes application/merge-patch+json.');
  return null;
}
