/** Work for consumers: in order for each of them, at the same time for different ones. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface ConsumerTasks<Key> {
  isBusy(key: Key): boolean;
  /** Starts the work after earlier work for the same key. */
  run<Result>(key: Key, work: () => Promise<Result>): Promise<Result>;
  /** Resolves when no key is busy. */
  settled(): Promise<void>;
}

export function createConsumerTasks<Key>(): ConsumerTasks<Key> {
  const last = new Map<Key, Promise<unknown>>();
  return {
    isBusy: (key) => last.has(key),
    run(key, work) {
      const next = (last.get(key) ?? Promise.resolve()).then(work);
      const ended = next
        .catch(() => undefined)
        .then(() => {
          if (last.get(key) === ended) last.delete(key);
        });
      last.set(key, ended);
      return next;
    },
    async settled() {
      while (last.size > 0) await Promise.all(last.values());
    },
  };
}

/** Waits for the work, or until the time has passed. */
export async function waitAtMost(limitMs: number, work: Promise<unknown>): Promise<void> {
  const end = new AbortController();
  const limit = sleep(limitMs, undefined, { signal: end.signal }).catch(() => undefined);
  await Promise.race([work, limit]).finally(() => end.abort());
}
