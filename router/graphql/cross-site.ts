/** Rejects GraphQL requests that a page of another site can make a browser send. */
import { Problem } from '../../schema/errors.ts';

const simpleTypes = new Set(['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain']);

/**
 * Headers that a page of another site can send only after a preflight, which this API answers without credentials. Every header outside
 * of the list of https://fetch.spec.whatwg.org/#cors-safelisted-request-header has this effect, but proxies and browsers add some of
 * those on their own (`x-forwarded-for`, `if-none-match`). These are only sent by programs.
 */
export const preflightHeaders = ['x-api-key', 'authorization', 'x-apollo-operation-name', 'apollo-require-preflight'];

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Browsers add `authorization` without a preflight for HTTP authentication that the user entered before: Basic, Digest, Negotiate. */
const isByProgram = (name: string, value: string | string[] | undefined): boolean =>
  value !== undefined && value !== '' && (name !== 'authorization' || /^bearer /i.test(String(value)));

/**
 * Throws csrf_refused for a request that a browser can send across sites without a preflight: a simple content type and none of
 * the headers that force a preflight (the rule of Apollo Server, with our error code).
 */
export function rejectCrossSite(headers: Headers): void {
  const type = headers['content-type'];
  const mime = typeof type === 'string' ? type.split(';', 1)[0]?.trim().toLowerCase() : undefined;
  if (mime !== undefined && mime !== '' && !simpleTypes.has(mime)) return;
  if (preflightHeaders.some((name) => isByProgram(name, headers[name]))) return;
  throw new Problem(
    'csrf_refused',
    'Send your API key in the header x-api-key, or the header apollo-require-preflight: true, or a body with content-type: application/json. A browser cannot send any of them across sites without a preflight.',
  );
}
