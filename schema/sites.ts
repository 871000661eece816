/** The hosts of an installation with a base domain: the main host, one per area, and one per sport. */
import { areas } from './areas.ts';
import { sportNames, type Sport } from './sports.ts';

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

/** The name of a host in lower case: port and the final dot of an absolute domain name are no part of it. */
export const hostName = (host: string): string => host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');

/**
 * The site of a host. Hosts outside of the base domain are the main host: an address, a name of a load balancer, or a second domain.
 * @param baseDomain such as `example.com`; null: every host is the main host
 */
export function createSites(baseDomain: string | null): (host: string) => Site {
  if (baseDomain === null) return () => main;
  const suffix = `.${hostName(baseDomain)}`;
  return (host) => {
    const name = hostName(host);
    return name.endsWith(suffix) ? (subdomains.get(name.slice(0, -suffix.length)) ?? unknown) : main;
  };
}
