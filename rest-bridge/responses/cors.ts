/** CORS: any page may read without credentials; writes belong to servers, which hold keys (docs/api-conventions.md). */

/** On every answer, problems too. */
export const exposed: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, ' +
    'Deprecation, Sunset, X-Request-Id, Idempotent-Replayed, X-Consistency-Token',
};

const readable = {
  ...exposed,
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': 'x-api-key, authorization, if-none-match, x-request-id, traceparent',
  'access-control-max-age': '86400',
};

/** The answer to OPTIONS on a path: a path without reads is not open to pages. */
export function preflight(reads: boolean): Readonly<Record<string, string>> {
  return reads ? readable : {};
}
