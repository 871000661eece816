/** Rejects cross-site requests to /admin and /portal, where a cookie authenticates the caller. */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../schema/errors.ts';

const forgery = (reason: string): Problem =>
  new Problem('csrf_refused', `${reason} Only pages of the dashboard or the portal can use this endpoint.`);

const first = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

/** Whether a method reads: it has no body, and does not count against the limits of sign-in requests. */
export const isReadMethod = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** With a public URL, its origin is the only one. Without it, the scheme is unknown: a proxy can have ended TLS. */
function rejectOtherOrigins(origin: string, host: string, publicUrl: string | null): void {
  if (publicUrl === null) {
    if (URL.parse(origin)?.host !== host) throw forgery('The request comes from another origin.');
    return;
  }
  const own = new URL(publicUrl).origin;
  if (origin !== own) throw forgery(`The request comes from another origin. Use ${own}.`);
}

/**
 * Checks the site that the browser reports (Fetch Metadata), the Origin header, and the content type: a form can send a body across
 * sites without a preflight, but not JSON. There is no CORS below /admin and /portal, so preflighted requests fail too.
 * Throws Problem csrf_refused (400).
 */
export function rejectForgery(
  { method, headers, host }: Pick<FastifyRequest, 'method' | 'headers' | 'host'>,
  publicUrl: string | null,
): void {
  const isRead = isReadMethod(method);
  const site = first(headers['sec-fetch-site']);
  // "none" is a URL typed into the address bar: never a write
  if (site !== undefined && site !== 'same-origin' && !(isRead && site === 'none')) {
    throw forgery('The request comes from another site.');
  }
  if (headers.origin !== undefined) rejectOtherOrigins(headers.origin, host, publicUrl);
  if (isRead || method === 'DELETE') return;
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw forgery('The body must be application/json.');
}
