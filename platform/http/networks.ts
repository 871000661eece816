/** IPv4 and IPv6 addresses and networks. An IPv4 address mapped into IPv6 counts as the IPv4 address. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

export interface Network {
  readonly first: Address;
  readonly bits: number;
}

const mappedBits = 96;

/** Parses an address and drops its zone, which names a link of this machine (RFC 4007); null for any other text. */
export function parseAddress(text: string): Address | null {
  // ipaddr.js also accepts 127.1 and 0x7f000001
  return isIP(text) === 0 ? null : ipaddr.process(text.split('%', 1)[0] ?? '');
}

/** Parses `192.0.2.0/24`, `2001:db8::/32` or one address; null for any other text. */
export function parseNetwork(text: string): Network | null {
  const [, address = '', length] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const first = parseAddress(address);
  if (first === null) return null;
  const mapped = first instanceof ipaddr.IPv4 && isIP(address) === 6;
  const bitsMax = first instanceof ipaddr.IPv4 ? 32 : 128;
  const bits = length === undefined ? bitsMax : Number(length) - (mapped ? mappedBits : 0);
  return bits >= 0 && bits <= bitsMax ? { first, bits } : null;
}

/** Like parseNetwork, but throws Error for any other text. */
export function networkOf(text: string): Network {
  const network = parseNetwork(text);
  if (network === null) throw new Error(`Invalid address or network: ${text}.`);
  return network;
}

/** Whether one of the networks contains the address. */
export function isWithin(address: Address, networks: readonly Network[]): boolean {
  return networks.some(({ first, bits }) =>
    address instanceof ipaddr.IPv4
      ? first instanceof ipaddr.IPv4 && address.match(first, bits)
      : first instanceof ipaddr.IPv6 && address.match(first, bits),
  );
}

/** The /24 of an IPv4 address or the /48 of an IPv6 address: where it is from, without whose it is. Null for any other text. */
export function networkAround(text: string): string | null {
  const address = parseAddress(text);
  if (address === null) return null;
  if (address instanceof ipaddr.IPv4) return `${address.octets.slice(0, 3).join('.')}.0/24`;
  return `${address.parts
    .slice(0, 3)
    .map((part) => part.toString(16))
    .join(':')}::/48`;
}
