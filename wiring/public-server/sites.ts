/** The hosts at which the public servers respond, and the responses at the hosts below a base domain. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addLink } from '../../platform/http/link-header.ts';
import { isProbe } from '../../platform/http/probes.ts';
import { pathOf, sendProblem } from '../../platform/http/problem.ts';
import { Problem } from '../../schema/errors.ts';
import { createSites, hostName } from '../../schema/sites.ts';

export interface SiteOptions {
  /** Null: every host is the main host. */
  readonly baseDomain: string | null;
  /** Scheme and host of the main host; default: the base domain with scheme and port of the request. */
  readonly publicUrl: string | null;
}

/** Whether a `Host` header is that of another site: an attacker's name that resolves to this server must not reach it (DNS rebinding). */
function createForeignHosts({ baseDomain, publicUrl }: SiteOptions): (host: string) => boolean {
  if (publicUrl === null) return () => false;
  const main = hostName(new URL(publicUrl).host);
  const domain = baseDomain === null ? null : hostName(baseDomain);
  return (host) => {
    const name = hostName(host);
    return name !== main && name !== domain && (domain === null || !name.endsWith(`.${domain}`));
  };
}

/**
 * Responds with 404 at unknown subdomains, and with a public URL at foreign hosts. On the hosts of areas and sports, reads name the main host as canonical (RFC 6596), and the dashboard and
 * the portal are redirected to it, so that there is one origin with a session.
 */
export function addSites(app: FastifyInstance, { baseDomain, publicUrl }: SiteOptions): void {
  const siteOf = createSites(baseDomain);
  const isForeign = createForeignHosts({ baseDomain, publicUrl });
  const portOf = (host: string): string => /:\d+$/.exec(host)?.[0] ?? '';
  const mainOf = ({ protocol, host }: FastifyRequest): string =>
    publicUrl?.replace(/\/$/, '') ?? `${protocol}://${baseDomain ?? ''}${portOf(host)}`;

  app.addHook('onRequest', async (request, reply) => {
    if (isProbe(pathOf(request.url))) return;
    const kind = isForeign(request.host) ? 'UNKNOWN' : siteOf(request.host).kind;
    if (kind === 'MAIN') return;
    if (kind === 'UNKNOWN')
      return sendProblem(reply, new Problem('not_found', `There is no API at this host. Use ${mainOf(request)}.`));
    if (/^\/(?:admin|portal)(?:[/?]|$)/.test(request.url)) return reply.redirect(`${mainOf(request)}${request.url}`, 308);
    if (request.method === 'GET' || request.method === 'HEAD')
      addLink(reply, `<${mainOf(request)}${request.url}>; rel="canonical"`);
  });
}
