/** The hosts of an installation with a base domain: the main host, one per area, and one per sport. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { areas } from '../../schema/areas.ts';
import { Problem } from '../../schema/errors.ts';
import { sportNames, type Sport } from '../../schema/sports.ts';
import { pathOf, sendProblem } from './problem.ts';

/** MAIN and AREA hosts serve everything, a SPORT host the data of one sport. UNKNOWN: a subdomain that is none of these. */
export type Site =
  { readonly kind: 'MAIN' | 'AREA' | 'UNKNOWN'; readonly sport: null } | { readonly kind: 'SPORT'; readonly sport: Sport };

const main: Site = { kind: 'MAIN', sport: null };
const areaHost: Site = { kind: 'AREA', sport: null };
const unknown: Site = { kind: 'UNKNOWN', sport: null };

const subdomains: ReadonlyMap<string, Site> = new Map<string, Site>([
  ['api', main],
  ['www', main],
  ...areas.filter((area) => area !== 'accounts').map((area): [string, Site] => [area, areaHost]),
  ...sportNames.map((sport): [string, Site] => [sport.toLowerCase(), { kind: 'SPORT', sport }]),
]);

/** Port and the final dot of an absolute domain name are no part of the name. */
const nameOf = (host: string): string => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');

/**
 * The site of a host. Hosts outside of the base domain are the main host: an address, a name of a load balancer, or a second domain.
 * @param baseDomain such as `example.com`; null: every host is the main host
 */
export function createSites(baseDomain: string | null): (host: string) => Site {
  if (baseDomain === null) return () => main;
  const suffix = `.${nameOf(baseDomain)}`;
  return (host) => {
    const name = nameOf(host);
    return name.endsWith(suffix) ? (subdomains.get(name.slice(0, -suffix.length)) ?? unknown) : main;
  };
}

/** Adds an entry to the Link header. */
export function addLink(reply: FastifyReply, link: string): FastifyReply {
  const set = reply.getHeader('link');
  return reply.header('link', typeof set === 'string' ? `${set}, ${link}` : link);
}

const probes = new Set(['/health', '/ready']);

export interface SiteOptions {
  readonly baseDomain: string;
  /** Scheme and host of the main host; default: the base domain with scheme and port of the request. */
  readonly publicUrl: string | null;
}

/**
 * Responds with 404 at unknown subdomains. On the hosts of areas and sports, reads name the main host as canonical (RFC 6596), and the dashboard
 * is redirected to it, so that there is one origin with a session.
 */
export function addSites(app: FastifyInstance, { baseDomain, publicUrl }: SiteOptions): void {
  const siteOf = createSites(baseDomain);
  const portOf = (host: string): string => /:\d+$/.exec(host)?.[0] ?? '';
  const mainOf = ({ protocol, host }: FastifyRequest): string =>
    publicUrl?.replace(/\/$/, '') ?? `${protocol}://${baseDomain}${portOf(host)}`;

  app.addHook('onRequest', async (request, reply) => {
    const { kind } = siteOf(request.host);
    if (kind === 'MAIN' || probes.has(pathOf(request.url))) return;
    if (kind === 'UNKNOWN')
      return sendProblem(reply, new Problem('not_found', `There is no API at this host. Use ${mainOf(request)}.`));
    if (/^\/admin(?:[/?]|$)/.test(request.url)) return reply.redirect(`${mainOf(request)}${request.url}`, 308);
    if (request.method === 'GET' || request.method === 'HEAD')
      addLink(reply, `<${mainOf(request)}${request.url}>; rel="canonical"`);
  });
}
