/** Requests that another site makes a browser send are refused: below /admin a cookie says who asks. */
import type { FastifyRequest } from 'fastify';
import { Problem } from '../../schema/errors.ts';

const refusal = (why: string): Problem => new Problem('csrf_refused', `${why} The dashboard is used from its own pages only.`);

const first = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

/**
 * Three signs, of which each is enough to refuse: what the browser says of the site (Fetch Metadata), the origin it names, and a
 * body that is not JSON, which a form could send without asking. There is no CORS below /admin, so that whatever needs asking is refused as well.
 * Throws Problem csrf_refused (400).
 */
export function rejectForgery(
  { method, headers, host }: Pick<FastifyRequest, 'method' | 'headers' | 'host'>,
  publicUrl: string | null,
): void {
  const reads = method === 'GET';
  const site = first(headers['sec-fetch-site']);
  // "none": typed into the address bar, which is never how something is changed
  if (site !== undefined && site !== 'same-origin' && !(reads && site === 'none')) {
    throw refusal('The request comes from another site.');
  }
  const { origin } = headers;
  const own = [host, ...(publicUrl === null ? [] : [new URL(publicUrl).host])];
  if (origin !== undefined && !own.includes(URL.parse(origin)?.host ?? ''))
    throw refusal('The request comes from another origin.');
  if (reads || method === 'DELETE') return;
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw refusal('Send the body as application/json.');
}
