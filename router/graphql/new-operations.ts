/** How often a caller may ask what this process has not planned yet: planning is dear, and its cache is everybody's. */
import { LRUCache } from 'lru-cache';
import { Problem } from '../../schema/errors.ts';

/** Operations new to the process, per caller and minute. */
export interface NewOperationsPerMinute {
  /** Of one address without a key (docs: architecture.md section 6). */
  readonly anonymous: number;
  /** Of one lineage of keys. */
  readonly keyed: number;
}

const usual: NewOperationsPerMinute = { anonymous: 10, keyed: 100 };

export interface NewOperationRefused {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;
}

/** Callers remembered; a minute from their first new operation, local to the process. */
const remembered = { max: 10_000, ttl: 60_000 };

/** Makes the count: called for each new operation of a subject, it answers with rate_limited when there were too many. */
export function createNewOperations(perMinute = usual): (subject: string, keyed: boolean) => NewOperationRefused | null {
  const counts = new LRUCache<string, { asked: number }>(remembered);
  return (subject, keyed) => {
    const most = keyed ? perMinute.keyed : perMinute.anonymous;
    const count = counts.get(subject);
    if (count === undefined) counts.set(subject, { asked: 1 });
    if (count === undefined || count.asked++ < most) return null;
    const seconds = Math.max(1, Math.ceil(counts.getRemainingTTL(subject) / 1000));
    const advice = keyed ? '' : ', or use an API key';
    const detail = `More than ${most} operations in a minute were new here. Send the same texts again with other variables${advice}; retry in ${seconds} s.`;
    return { problem: new Problem('rate_limited', detail, { limit: most }), headers: { 'retry-after': String(seconds) } };
  };
}
