/** Limits how many operations a caller may send that this process has not planned yet: planning is expensive, and its cache is shared. */
import { LRUCache } from 'lru-cache';
import { Problem } from '../../schema/errors.ts';
import type { OperationKey } from '../operations/operation-key.ts';

/** New operations per caller and minute. */
export interface NewOperationsPerMinute {
  /** Per address, for anonymous callers (docs/architecture.md). */
  readonly anonymous: number;
  /** Per key lineage. */
  readonly keyed: number;
}

export const defaultNewOperations: NewOperationsPerMinute = { anonymous: 10, keyed: 100 };

/** Registered documents that a process prepares per account and minute: as many as a large application has, after a restart. */
export const preparedRegisteredPerMinute = 500;

export interface NewOperationRejection {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;
}

export interface NewOperationLimit {
  /**
   * Called for each operation of a subject; rejects with rate_limited above the limit. An operation that the subject sent within the
   * last ten minutes is not new for it, even when the caches have evicted it.
   */
  (subject: string, keyed: boolean, key: OperationKey, isNew: boolean): NewOperationRejection | null;
}

/** Tracked callers, for a minute from their first new operation; local to the process. */
const tracked = { max: 10_000, ttl: 60_000 };
/** Callers whose operations are tracked since their last request, and operations per caller. */
const recent = { max: 10_000, ttl: 600_000, updateAgeOnGet: true };
const recentPerCaller = 100;

/** Characters that count as one operation: the caches are bounded by size, and one caller must not fill them. */
const charactersPerOperation = 4_000;

/** The rejection of a caller that has sent `limit` new operations within the minute. */
export function rejectNewOperation(limit: number, keyed: boolean, remainingMs: number): NewOperationRejection {
  const seconds = Math.max(1, Math.ceil(remainingMs / 1000));
  const advice = keyed ? '' : ' or use an API key';
  const detail = `You can send ${limit} new operations per minute (longer documents count once per ${charactersPerOperation} characters, invalid documents count too). Reuse documents with variables${advice}. Retry in ${seconds} s.`;
  return { problem: new Problem('rate_limited', detail, { limit }), headers: { 'retry-after': String(seconds) } };
}

export function createNewOperationLimit(perMinute = defaultNewOperations): NewOperationLimit {
  const counts = new LRUCache<string, { operations: number }>(tracked);
  const used = new LRUCache<string, Set<string>>(recent);

  function track(own: Set<string> | undefined, subject: string, hash: string): void {
    if (own === undefined) {
      used.set(subject, new Set([hash]));
      return;
    }
    own.delete(hash);
    own.add(hash);
    const [oldest = hash] = own;
    if (own.size > recentPerCaller) own.delete(oldest);
  }

  function count(subject: string, keyed: boolean, size: number): NewOperationRejection | null {
    const limit = keyed ? perMinute.keyed : perMinute.anonymous;
    const weight = Math.max(1, Math.ceil(size / charactersPerOperation));
    const known = counts.get(subject);
    if (known === undefined) counts.set(subject, { operations: weight });
    else if (known.operations < limit) known.operations += weight;
    else return rejectNewOperation(limit, keyed, counts.getRemainingTTL(subject));
    return null;
  }

  return (subject, keyed, { hash, size }, isNew) => {
    const own = used.get(subject);
    const rejection = isNew && own?.has(hash) !== true ? count(subject, keyed, size) : null;
    if (rejection === null) track(own, subject, hash);
    return rejection;
  };
}
