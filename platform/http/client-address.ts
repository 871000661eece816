/**
 * The client's address: the address of the connection, or the one that trusted proxies report in X-Forwarded-For or Forwarded (RFC 7239).
 * Each proxy appends the address of its peer on the right, so the client is the rightmost address that is not a trusted proxy. Addresses further
 * left may be forged.
 */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { isWithin, parseAddress, type Network } from './networks.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Canonical text without zone and port; an IPv4 address mapped into IPv6 is returned as IPv4. */
    readonly clientAddress: string;
  }
}

interface Hop {
  readonly address: string;
  readonly trusted: boolean;
}

/** A node of RFC 7239 section 6 or an entry of X-Forwarded-For: an address, with or without brackets and port. */
const bracketed = /^\[([^\]]+)\](?::[\w.-]{1,64})?$/;
const withPort = /^([^:]+):[\w.-]{1,64}$/;

/** A pair of a Forwarded element. Proxies send unquoted values with colons and brackets, so the pattern accepts them. */
const forwardedPair = /\s*(?:([\w!#$%&'*+.^`|~-]+)=(?:"((?:[^"\\]|\\.)*)"|([^",;\s]+))\s*)?/y;

/** The pair at a position of a Forwarded header: its lower-case name (empty for an empty pair), its value and the position after it. */
function pairAt(header: string, start: number): { readonly name: string; readonly value: string; readonly end: number } {
  forwardedPair.lastIndex = start;
  const [whole = '', name = '', quoted, plain = ''] = forwardedPair.exec(header) ?? [];
  return { name: name.toLowerCase(), value: quoted?.replaceAll(/\\(.)/g, '$1') ?? plain, end: start + whole.length };
}

/** The `for` value of each element from the left, `unknown` if an element has none. Returns null for a malformed header, which is ignored. */
function forwardedFor(header: string): string[] | null {
  const nodes: string[] = [];
  let element = new Map<string, string>();
  for (let position = 0; position <= header.length; position += 1) {
    const { name, value, end } = pairAt(header, position);
    if (element.has(name)) return null;
    if (name !== '') element.set(name, value);
    position = end;
    const separator = header[position] ?? ',';
    if (separator !== ',' && separator !== ';') return null;
    if (separator === ',' && element.size > 0) {
      nodes.push(element.get('for') ?? 'unknown');
      element = new Map();
    }
  }
  return nodes;
}

/** Entries of a list; empty entries are skipped (RFC 9110 section 5.6.1). */
const entriesOf = (header: string): string[] =>
  header
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** Creates the function that returns the client address of a request. */
export function createClientAddress(trustedProxies: readonly Network[]): (request: IncomingMessage) => string {
  const cache = new LRUCache<string, Hop>({ max: 10_000 });

  function hopOf(text: string): Hop | null {
    const cached = cache.get(text);
    if (cached) return cached;
    const address = parseAddress(bracketed.exec(text)?.[1] ?? withPort.exec(text)?.[1] ?? text);
    if (address === null) return null;
    const hop = { address: address.toString(), trusted: isWithin(address, trustedProxies) };
    cache.set(text, hop);
    return hop;
  }

  return ({ socket, headers }) => {
    let hop = hopOf(socket.remoteAddress ?? '');
    if (!hop?.trusted) return hop?.address ?? '';
    // A proxy that sets one header may pass the other one through unchanged. Nearly all proxies set X-Forwarded-For, so it takes precedence.
    const { 'x-forwarded-for': forwardedList, forwarded } = headers;
    const reported = forwardedList === undefined ? forwardedFor(forwarded ?? '') : entriesOf(String(forwardedList));
    for (const text of reported?.reverse() ?? []) {
      // "unknown", an obfuscated name or an invalid value: the client behind this proxy is unknown
      const next = hopOf(text);
      if (!next) break;
      hop = next;
      if (!next.trusted) break;
    }
    return hop.address;
  };
}

/** Decorates requests with `clientAddress`. */
export function addClientAddress(app: FastifyInstance, trustedProxies: readonly Network[]): void {
  const addressOf = createClientAddress(trustedProxies);
  app.decorateRequest('clientAddress', {
    getter() {
      return addressOf(this.raw);
    },
  });
}
