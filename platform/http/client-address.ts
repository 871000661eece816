/**
 * The address of the client: that of the connection, or what trusted proxies say in X-Forwarded-For or Forwarded (RFC 7239).
 * Each proxy adds at the right whom it was asked by, so the address is the first from the right that is not of a trusted proxy;
 * what is left of it, its owner may have invented.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { isWithin, parseAddress, type Network } from './networks.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Canonical text: no zone, no port, IPv4 as such when it came mapped into IPv6. */
    readonly clientAddress: string;
  }
}

interface Hop {
  readonly address: string;
  readonly trusted: boolean;
}

/** Node of RFC 7239 section 6 or entry of X-Forwarded-For: an address, in brackets or not, with a port or not. */
const bracketed = /^\[([^\]]+)\](?::[\w.-]{1,64})?$/;
const withPort = /^([^:]+):[\w.-]{1,64}$/;

/** A pair of a Forwarded element: stricter than what proxies send would be useless, so a value may have colons and brackets unquoted. */
const forwardedPair = /\s*(?:([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^",;\s]+))\s*)?/y;

/** The `for` of each element, from the left, `unknown` for an element without. Null when the header is malformed: then it says nothing. */
function forwardedFor(header: string): string[] | null {
  const nodes: string[] = [];
  let element = new Map<string, string>();
  for (let place = 0; place <= header.length; place += 1) {
    forwardedPair.lastIndex = place;
    const [whole = '', name = '', quoted, plain = ''] = forwardedPair.exec(header) ?? [];
    if (element.has(name.toLowerCase())) return null;
    if (name !== '') element.set(name.toLowerCase(), quoted?.replaceAll(/\\(.)/g, '$1') ?? plain);
    place += whole.length;
    const end = header[place] ?? ',';
    if (end !== ',' && end !== ';') return null;
    if (end === ',' && element.size > 0) {
      nodes.push(element.get('for') ?? 'unknown');
      element = new Map();
    }
  }
  return nodes;
}

/** Entries of a list; empty ones do not count (RFC 9110 section 5.6.1). */
const entriesOf = (header: string): string[] =>
  header
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** Makes the function that tells the address of a request's client. */
export function createClientAddress(trustedProxies: readonly Network[]): (request: IncomingMessage) => string {
  const known = new LRUCache<string, Hop>({ max: 10_000 });

  function hopOf(text: string): Hop | null {
    const seen = known.get(text);
    if (seen) return seen;
    const address = parseAddress(bracketed.exec(text)?.[1] ?? withPort.exec(text)?.[1] ?? text);
    if (address === null) return null;
    const hop = { address: address.toString(), trusted: isWithin(address, trustedProxies) };
    known.set(text, hop);
    return hop;
  }

  return ({ socket, headers }) => {
    let hop = hopOf(socket.remoteAddress ?? '');
    if (!hop?.trusted) return hop?.address ?? '';
    // A proxy that sets one of the headers may pass on the other as it came. X-Forwarded-For is what nearly all set, so it decides.
    const { 'x-forwarded-for': usual, forwarded } = headers;
    const told = usual === undefined ? forwardedFor(forwarded ?? '') : entriesOf(String(usual));
    for (const text of told?.reverse() ?? []) {
      // "unknown", an obfuscated name, nonsense: nobody is known behind the proxy that said so
      const next = hopOf(text);
      if (!next) break;
      hop = next;
      if (!next.trusted) break;
    }
    return hop.address;
  };
}

/** Gives requests their `clientAddress`. */
export function addClientAddress(app: FastifyInstance, trustedProxies: readonly Network[]): void {
  const addressOf = createClientAddress(trustedProxies);
  app.decorateRequest('clientAddress', {
    getter() {
      return addressOf(this.raw);
    },
  });
}
