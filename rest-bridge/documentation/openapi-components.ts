/** The response headers as OpenAPI components. */
import type { JsonSchema } from '../../schema/json-schema.ts';
import type { Operation } from '../operations/operation.ts';

const text = (description: string): JsonSchema => ({ description, schema: { type: 'string' } });
const always = (header: JsonSchema): JsonSchema => ({ ...header, required: true });

/** Headers without `required` are absent where the request or the response has no reason for them. */
export const responseHeaders: Readonly<Record<string, JsonSchema>> = {
  'RateLimit-Policy': text('Limits of the pricing plan per window.'),
  RateLimit: text('Remaining requests per window, and the seconds until each resets.'),
  'X-RateLimit-Limit': text('Limit of the window with the smallest remaining share.'),
  'X-RateLimit-Remaining': text('Remaining requests in that window.'),
  'X-RateLimit-Reset': text('Seconds until that window resets.'),
  'X-Request-Id': always(text('Id of the request. Include it when you report a problem.')),
  ETag: text('Version and hash of the representation. Weak on lists.'),
  Link: text('URL of the next page, with `rel="next"`.'),
  'Retry-After': always({ description: 'Seconds to wait before the request is repeated.', schema: { type: 'integer' } }),
  'WWW-Authenticate': always(text('The authentication scheme: `Bearer`.')),
  Location: text('URL of the created resource, or of the resource to which this one was merged.'),
  'Idempotent-Replayed': text('`true` when this response replays an earlier request with the same Idempotency-Key.'),
  'X-Consistency-Token': text('Reserved: no response has this header yet.'),
};

/** The headers of the quota. Uncounted responses have none. */
export const rateHeaders = ['RateLimit-Policy', 'RateLimit', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** Names of the headers of a successful response. */
export function headerNames(operation: Operation): string[] {
  const isRead = operation.method === 'GET';
  return [
    ...rateHeaders,
    'X-Request-Id',
    ...(isRead || operation.versioned ? ['ETag'] : []),
    ...(operation.variables.some(({ name }) => name === 'cursor') ? ['Link'] : []),
    ...(operation.status === 201 ? ['Location'] : []),
    ...(operation.variables.some(({ name }) => name === 'idempotencyKey') ? ['Idempotent-Replayed'] : []),
    ...(isRead ? [] : ['X-Consistency-Token']),
  ];
}
