/** The origins that may call the MCP endpoint from a browser: the platform's own hosts and the local machine (against DNS rebinding). */

const local = new Set(['localhost', '127.0.0.1', '[::1]']);

function hostnameOf(origin: string): string | null {
  return URL.canParse(origin) ? new URL(origin).hostname : null;
}

/**
 * Whether a request with this Origin header is served. Programs send none.
 * Specification: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#security-warning
 */
export function createOriginCheck(options: {
  readonly publicUrl?: string | null | undefined;
  readonly baseDomain?: string | null | undefined;
}): (origin: string | undefined) => boolean {
  const own = hostnameOf(options.publicUrl ?? '');
  const domain = options.baseDomain?.toLowerCase() ?? null;
  return (origin) => {
    if (origin === undefined) return true;
    const hostname = hostnameOf(origin);
    if (hostname === null || hostname === '') return false;
    const isBelow = domain !== null && (hostname === domain || hostname.endsWith(`.${domain}`));
    return hostname === own || isBelow || local.has(hostname);
  };
}
