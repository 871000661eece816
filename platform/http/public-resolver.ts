/** Resolves host names with the name servers only: without the hosts file, search domains and the thread pool. */
import type { lookup, LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** Returns all addresses of a host, of both families. Rejects with the error of Node.js. */
export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

/**
 * dns.lookup runs in two threads of the process: names whose servers do not respond would delay all others. `servers` are addresses with an
 * optional port; default: those of the system.
 */
export function createPublicResolver({ servers }: { readonly servers?: readonly string[] } = {}): ResolveHost {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (servers) resolver.setServers(servers);
  return async (hostname) => {
    const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses: LookupAddress[] = [];
    if (ipv4.status === 'fulfilled') for (const address of ipv4.value) addresses.push({ address, family: 4 });
    if (ipv6.status === 'fulfilled') for (const address of ipv6.value) addresses.push({ address, family: 6 });
    if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason;
    return addresses;
  };
}

/** Resolves with a function such as dns.lookup, which also reads the hosts file. */
export function resolveWith(look: typeof lookup): ResolveHost {
  return (hostname) =>
    new Promise((resolve, reject) => {
      look(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
    });
}
