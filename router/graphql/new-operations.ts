/** How often a caller may ask what this process has not planned yet: planning is dear, and its cache is everybody's. */
import { LRUCache } from 'lru-cache';
import { Problem } from '../../schema/errors.ts';
import type { OperationKey } from '../operations/operation-key.ts';

/** Operations new to the process, per caller and minute. */
export interface NewOperationsPerMinute {
  /** Of one address without a key (docs/architecture.md). */
  readonly anonymous: number;
  /** Of one lineage of keys. */
  readonly keyed: number;
}

const usual: NewOperationsPerMinute = { anonymous: 10, keyed: 100 };

export interface NewOperationRejection {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;
}

export interface NewOperationLimit {
  /**
   * Called for each operation of a subject, and whether it is new to the process; answers rate_limited when there were too
   * many. What he used in the last ten minutes is not new for him, whoever pushed it out of the caches.
   */
  (subject: string, keyed: boolean, key: OperationKey, isNew: boolean): NewOperationRejection | null;
}

/** Callers remembered; a minute from their first new operation, local to the process. */
const remembered = { max: 10_000, ttl: 60_000 };
/** Callers whose operations are remembered, from their last one on; and operations of each. */
const recent = { max: 10_000, ttl: 600_000, updateAgeOnGet: true };
const recentOfEach = 100;

/** Characters that count as one operation: the caches are bounded by size too, and no caller shall fill them alone. */
const charactersPerOperation = 4_000;

export function createNewOperationLimit(perMinute = usual): NewOperationLimit {
  const counts = new LRUCache<string, { asked: number }>(remembered);
  const used = new LRUCache<string, Set<string>>(recent);

  function remember(own: Set<string> | undefined, subject: string, hash: string): void {
    if (own === undefined) {
      used.set(subject, new Set([hash]));
      return;
    }
    own.delete(hash);
    own.add(hash);
    const [oldest = hash] = own;
    if (own.size > recentOfEach) own.delete(oldest);
  }

  function count(subject: string, keyed: boolean, size: number): NewOperationRejection | null {
    const most = keyed ? perMinute.keyed : perMinute.anonymous;
    const weight = Math.max(1, Math.ceil(size / charactersPerOperation));
    const known = counts.get(subject);
    if (known === undefined) counts.set(subject, { asked: weight });
    else if (known.asked < most) known.asked += weight;
    else {
      const seconds = Math.max(1, Math.ceil(counts.getRemainingTTL(subject) / 1000));
      const advice = keyed ? '' : ', or use an API key';
      const detail = `More than ${most} operations in a minute were new here (one for each ${charactersPerOperation} characters). Send the same texts again with other variables${advice}; retry in ${seconds} s.`;
      return { problem: new Problem('rate_limited', detail, { limit: most }), headers: { 'retry-after': String(seconds) } };
    }
    return null;
  }

  return (subject, keyed, { hash, size }, isNew) => {
    const own = used.get(subject);
    const refused = isNew && own?.has(hash) !== true ? count(subject, keyed, size) : null;
    if (refused === null) remember(own, subject, hash);
    return refused;
  };
}
