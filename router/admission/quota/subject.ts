/** Quota subjects: the lineage of a key, or a hashed address that changes every month. */
import { createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { parseAddress } from '../../../platform/http/networks.ts';
import type { Subject } from './store.ts';

/** Subject of a key: the rotated keys of one lineage share it, so that rotating never doubles a quota. */
export function lineageSubject(quotaSubjectId: string): Subject {
  return quotaSubjectId.replaceAll('-', '');
}

/** Whether a subject is a lineage: it has 16 bytes, fewer than any hashed address. */
export const isLineage = (subject: Subject): boolean => subject.length === 32;

/** The network that counts as one caller: the whole IPv4 address (also when mapped into IPv6), or the IPv6 /64. */
export function addressNetwork(address: string): string {
  return networksOf(address)[0];
}

/** The network that an address counts for, and the outer /48 of an IPv6 address. */
function networksOf(address: string): readonly [own: string, outer: string | null] {
  const parsed = parseAddress(address);
  if (parsed === null) return [address, null];
  if (parsed instanceof ipaddr.IPv4) return [parsed.toString(), null];
  const first = (groups: number): string =>
    `${new ipaddr.IPv6([...parsed.parts.slice(0, groups), ...Array<number>(8 - groups).fill(0)]).toString()}/${groups * 16}`;
  return [first(4), first(3)];
}

/** The subjects that requests of an address count against. */
export interface AddressSubjects {
  readonly subject: Subject;
  /** The /48 of an IPv6 address; null for IPv4. */
  readonly outer: { readonly subject: Subject; readonly network: string } | null;
}

/**
 * Subjects of addresses: HMAC-SHA-256(pepper, month and network), so that no address is stored or traceable over months.
 * `clockMs` is the store's clock, whose month is authoritative.
 */
export function createAddressSubjects(pepper: Buffer, clockMs: () => number): (address: string) => AddressSubjects {
  const cache = new LRUCache<string, AddressSubjects>({ max: 10_000 });
  let cachedMonth = '';
  const subjectOf = (network: string): Subject => createHmac('sha256', pepper).update(`${cachedMonth}|${network}`).digest('hex');
  return (address) => {
    const month = new Date(clockMs()).toISOString().slice(0, 7);
    if (month !== cachedMonth) {
      cache.clear();
      cachedMonth = month;
    }
    let subjects = cache.get(address);
    if (subjects === undefined) {
      const [own, outer] = networksOf(address);
      subjects = {
        subject: subjectOf(own),
        outer: outer === null ? null : { subject: subjectOf(outer), network: outer },
      };
      cache.set(address, subjects);
    }
    return subjects;
  };
}
