/** The responses at the hosts below a base domain. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addLink } from '../platform/http/link-header.ts';
import { pathOf, sendProblem } from '../platform/http/problem.ts';
import { Problem } from '../schema/errors.ts';
import { createSites } from '../schema/sites.ts';

const probes = new Set(['/health', '/ready']);

export interface SiteOptions {
  readonly baseDomain: string;
  /** Scheme and host of the main host; default: the base domain with scheme and port of the request. */
  readonly publicUrl: string | null;
}

/**
 * Responds with 404 at unknown subdomains. On the hosts of areas and sports, reads name the main host as canonical (RFC 6596), and the dashboard and
 * the portal are redirected to it, so that there is one origin with a session.
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
    if (/^\/(?:admin|portal)(?:[/?]|$)/.test(request.url)) return reply.redirect(`${mainOf(request)}${request.url}`, 308);
    if (request.method === 'GET' || request.method === 'HEAD')
      addLink(reply, `<${mainOf(request)}${request.url}>; rel="canonical"`);
  });
}
