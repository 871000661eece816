/** CORS: any page may read without credentials. Writes are for servers, which hold keys (docs/api-conventions.md). */

/** On every response, including problems. */
export const exposed: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, ' +
    'Deprecation, Sunset, X-Request-Id, Idempotent-Replayed, X-Consistency-Token',
};

const readable = {
  ...exposed,
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': 'x-api-key, authorization, if-none-match, last-event-id, x-request-id, traceparent',
  'access-control-max-age': '86400',
};

/** The CORS headers of OPTIONS; none for a path without GET. */
export function preflight(hasGet: boolean): Readonly<Record<string, string>> {
  return hasGet ? readable : {};
}
