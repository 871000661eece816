/** Whether an IP address is on the public internet, so that calls to a URL of a user may reach it. */
import ipaddr from 'ipaddr.js';
import { isWithin, networkOf, parseAddress } from './networks.ts';

/** All IPv6 addresses assigned for global use (RFC 4291, IANA). Translation prefixes such as 64:ff9b::/96 are outside of it. */
const globalIpv6 = [networkOf('2000::/3')];

/** Public by range, but an entry point of a cloud to the machine itself: the virtual address of Azure's host. */
const cloudInternals = [networkOf('168.63.129.16')];

/** Unique local by range, but the metadata of a machine: of Amazon, Google and Oracle. */
const cloudMetadata = ['fd00:ec2::254', 'fd20:ce::254', 'fd00:c1::a9fe:a9fe'].map(networkOf);

/** Ranges of a development machine and its network. Link-local addresses, and so the IPv4 metadata of clouds, are not among them. */
const localRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal']);

/**
 * Whether the text is an address of the public internet. False for any other text, and for private, shared, link-local, loopback,
 * unspecified, multicast, broadcast, benchmark, documentation and reserved ranges, and for IPv6 that carries IPv4 (6to4, Teredo, NAT64). An
 * IPv4-mapped IPv6 address counts as the IPv4 address.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address?.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv6 ? isWithin(address, globalIpv6) : !isWithin(address, cloudInternals);
}

/** Whether the text is an address of this machine or a private network (RFC 1918, RFC 4193), and not of the metadata of a cloud. */
export function isLocalAddress(text: string): boolean {
  const address = parseAddress(text);
  return address !== null && localRanges.has(address.range()) && !isWithin(address, cloudMetadata);
}
