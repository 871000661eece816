/** Limits how many expensive operations of one caller run at the same time, so that one caller cannot occupy the platform. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../../schema/errors.ts';

/** Runs an operation when the caller has a free place. Throws Problem overloaded (503) when there is none within the wait. */
export type RunExpensive = <Result>(
  caller: string,
  signal: AbortSignal | undefined,
  run: () => Promise<Result>,
) => Promise<Result>;

export interface ExpensiveOperationLimits {
  /** Operations of one caller that run at the same time; default 2. */
  readonly running?: number;
  /** Operations of one caller that wait for a place; default 8. */
  readonly waiting?: number;
  /** Longest wait; default 2,000 ms. */
  readonly waitMs?: number;
}

interface Places {
  running: number;
  /** Functions that start the waiting operations, in the order of arrival. */
  readonly waiting: Set<() => void>;
}

/** A caller has an entry only while it has operations. */
export function createExpensiveOperationLimit({
  running: max = 2,
  waiting: waitingMax = 8,
  waitMs = 2_000,
}: ExpensiveOperationLimits = {}): RunExpensive {
  const byCaller = new Map<string, Places>();

  const overloaded = (): Problem =>
    new Problem(
      'overloaded',
      `${max} expensive operations of this account or address are already running. Send them one after the other, and retry in 1 s.`,
    );

  /** Resolves with a place. It belongs to the operation until `leave`. */
  async function enter(places: Places, signal: AbortSignal | undefined): Promise<void> {
    if (places.running < max) {
      places.running += 1;
      return;
    }
    if (places.waiting.size >= waitingMax) throw overloaded();
    const place = Promise.withResolvers<true>();
    const start = (): void => place.resolve(true);
    places.waiting.add(start);
    const ended = new AbortController();
    const timeout = sleep(waitMs, false, {
      signal: signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]),
    });
    const isFree = await Promise.race([place.promise, timeout.catch(() => false)]);
    ended.abort();
    // removed by `leave`: the place was passed on, also when the wait ended at the same time
    if (!isFree && places.waiting.delete(start)) throw overloaded();
  }

  function leave(caller: string, places: Places): void {
    const [next] = places.waiting;
    if (next !== undefined) {
      places.waiting.delete(next);
      next();
      return;
    }
    places.running -= 1;
    if (places.running === 0) byCaller.delete(caller);
  }

  return async (caller, signal, run) => {
    let places = byCaller.get(caller);
    if (places === undefined) {
      places = { running: 0, waiting: new Set() };
      byCaller.set(caller, places);
    }
    await enter(places, signal);
    try {
      return await run();
    } finally {
      leave(caller, places);
    }
  };
}
