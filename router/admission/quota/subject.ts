/** Who is counted: the lineage of a key, or a hashed address that changes only when the month does. */
import { createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import type { Subject } from './store.ts';

/** Subject of a key: rotated keys of one lineage share it, so rotating never doubles a quota. */
export function lineageSubject(quotaSubjectId: string): Subject {
  return quotaSubjectId.replaceAll('-', '');
}

/** What of an address counts as one caller: IPv4 whole (also when mapped into IPv6), IPv6 by its /64. */
export function addressNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}

/**
 * Subjects of addresses: HMAC-SHA-256(pepper, month and network), so that no address is stored and none can be followed over months.
 * `clockMs` is the store's clock, because its month is the one that counts.
 */
export function createAddressSubjects(pepper: Buffer, clockMs: () => number): (address: string) => Subject {
  const known = new LRUCache<string, Subject>({ max: 10_000 });
  let knownMonth = '';
  return (address) => {
    const month = new Date(clockMs()).toISOString().slice(0, 7);
    if (month !== knownMonth) {
      known.clear();
      knownMonth = month;
    }
    let subject = known.get(address);
    if (subject === undefined) {
      subject = createHmac('sha256', pepper)
        .update(`${month}|${addressNetwork(address)}`)
        .digest('hex');
      known.set(address, subject);
    }
    return subject;
  };
}
