/** The relying party of WebAuthn: the host of the pages, for which passkeys are registered. */
import type { FastifyRequest } from 'fastify';
import { parseAddress } from '../../platform/http/networks.ts';

export interface RelyingParty {
  /** RP ID: a host name. */
  readonly id: string;
  readonly origin: string;
}

type PageRequest = Pick<FastifyRequest, 'protocol' | 'host'>;

const isAddress = (hostname: string): boolean => parseAddress(hostname.replace(/^\[|\]$/g, '')) !== null;

/** Browsers have passkeys on secure origins with a host name. */
function relyingPartyAt({ protocol, hostname: id, origin }: URL): RelyingParty | null {
  const isSecure = protocol === 'https:' || id === 'localhost';
  return isSecure && !isAddress(id) ? { id, origin } : null;
}

/**
 * The relying party of PUBLIC_URL. Without it, `localhost` with the port of the request, for development: another host of a request could be chosen
 * by the caller. Null where browsers have no passkeys.
 */
export function relyingPartyOf({ protocol, host }: PageRequest, publicUrl: string | null): RelyingParty | null {
  const url = URL.parse(publicUrl ?? `${protocol}://${host}`);
  return url !== null && (publicUrl !== null || url.hostname === 'localhost') ? relyingPartyAt(url) : null;
}

const loopback = /^(127(\.\d+){3}|\[::1\])$/;

/** The origin at which passkeys work; null if there is none. For a page at a loopback address it is `localhost`. */
export function passkeyOriginOf(request: PageRequest, publicUrl: string | null): string | null {
  const { protocol, host } = request;
  const url = URL.parse(`${protocol}://${host}`);
  if (publicUrl !== null || url === null || !loopback.test(url.hostname))
    return relyingPartyOf(request, publicUrl)?.origin ?? null;
  url.hostname = 'localhost';
  return url.origin;
}
