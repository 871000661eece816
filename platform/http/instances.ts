/** The instances of another process: the addresses of a list, and every address of a host name (DNS). Each has a resource, such as a pool. */
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { resolveWith, type ResolveHost } from './public-resolver.ts';

/** One origin, or those of all instances. */
export type Origins = string | readonly string[];

export interface Instance {
  /** Unique within the list; not an address to connect to. */
  readonly id: string;
  /** The origin, with the host name that TLS and the Host header need. */
  readonly url: string;
  /** Connects to this instance of a host with several addresses; undefined: the system resolves the host. */
  readonly lookup: LookupFunction | undefined;
}

export interface InstancesOptions<Resource> {
  readonly url: Origins;
  readonly open: (instance: Instance) => Resource;
  /** Called for an instance whose address has disappeared. */
  readonly close: (resource: Resource) => void;
  /** Default: the resolver of the system, which knows the hosts file and search domains. */
  readonly resolve?: ResolveHost | undefined;
}

export interface Instances<Resource> {
  /** The instances known now, never empty after `ready`. Resolves host names again in the background every 5 s. */
  list(): readonly Resource[];
  /** Resolves after the first resolution. */
  ready(): Promise<void>;
  /** An instance failed: host names are resolved again soon. */
  expire(): void;
}

const refreshMs = 5_000;
const refreshAfterFailureMs = 500;

/** A lookup that returns one address, in both forms that node:net requests. */
const lookupOf =
  (address: string): LookupFunction =>
  (_hostname, options, done) => {
    const family = isIP(address);
    if (options.all === true) done(null, [{ address, family }]);
    else done(null, address, family);
  };

/** A host with one address is left to the system, which also tries its other family. */
async function instancesOf(url: string, resolve: ResolveHost): Promise<Instance[]> {
  const { hostname } = new URL(url);
  const single = [{ id: url, url, lookup: undefined }];
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return single;
  const found = await resolve(hostname);
  const ipv4 = found.filter(({ family }) => family === 4);
  const addresses = [...new Set((ipv4.length > 0 ? ipv4 : found).map(({ address }) => address))];
  if (addresses.length < 2) return single;
  return addresses.map((address) => ({ id: `${url}#${address}`, url, lookup: lookupOf(address) }));
}

export function createInstances<Resource>(options: InstancesOptions<Resource>): Instances<Resource> {
  const { open, close, resolve = resolveWith(systemLookup) } = options;
  const urls = typeof options.url === 'string' ? [options.url] : options.url;
  const resources = new Map<string, Resource>();
  /** The ids of each URL; a URL that cannot be resolved keeps its last ones. */
  const idsOf = new Map<string, readonly string[]>();
  let listed: readonly Resource[] = [];
  let refreshedMs = -Infinity;
  let refreshing: Promise<void> | null = null;

  function update(): void {
    const current = new Set([...idsOf.values()].flat());
    for (const [id, resource] of resources) {
      if (current.has(id)) continue;
      resources.delete(id);
      close(resource);
    }
    listed = [...resources.values()];
  }

  async function refreshOne(url: string): Promise<void> {
    const fallback = (): Instance[] => (idsOf.has(url) ? [] : [{ id: url, url, lookup: undefined }]);
    const found = await instancesOf(url, resolve).catch(fallback);
    if (found.length === 0) return;
    idsOf.set(
      url,
      found.map(({ id }) => id),
    );
    for (const instance of found) if (!resources.has(instance.id)) resources.set(instance.id, open(instance));
  }

  async function refresh(): Promise<void> {
    refreshedMs = performance.now();
    await Promise.all(urls.map(refreshOne));
    update();
    refreshing = null;
  }

  return {
    list() {
      if (refreshing === null && performance.now() - refreshedMs > refreshMs) refreshing = refresh();
      return listed;
    },
    async ready() {
      if (listed.length === 0) await (refreshing ??= refresh());
    },
    expire() {
      refreshedMs = Math.min(refreshedMs, performance.now() - refreshMs + refreshAfterFailureMs);
    },
  };
}
