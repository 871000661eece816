/** Limits concurrent calls to many origins, so that origins that do not respond leave room for all others. */

export interface CallLimits {
  /** Waits until a call to the origin may start; the returned function ends the call. Rejects with the reason of an aborted signal. */
  acquire(origin: string, signal?: AbortSignal): Promise<() => void>;
}

interface Origin {
  running: number;
  readonly waiting: Set<() => void>;
}

/** Share of the free calls that one origin may have: the fewer are free, the fewer has a slow origin. */
const shareOfFree = 1 / 4;

/** An origin without a running call starts whenever a call is free. The waiting call of the least busy origin starts first. */
export function createCallLimits({ perOrigin, total }: { readonly perOrigin: number; readonly total: number }): CallLimits {
  const origins = new Map<string, Origin>();
  let free = total;

  const mayStart = ({ running }: Origin): boolean =>
    free > 0 && running < Math.min(perOrigin, Math.max(1, Math.floor(free * shareOfFree)));

  const start = (origin: Origin): void => {
    free -= 1;
    origin.running += 1;
  };

  function startWaiting(): void {
    for (;;) {
      let next: Origin | null = null;
      for (const origin of origins.values())
        if (origin.waiting.size > 0 && mayStart(origin) && (next === null || origin.running < next.running)) next = origin;
      const [resume] = next?.waiting ?? [];
      if (next === null || resume === undefined) return;
      next.waiting.delete(resume);
      start(next);
      resume();
    }
  }

  function forgetIdle(name: string, origin: Origin): void {
    if (origin.running === 0 && origin.waiting.size === 0) origins.delete(name);
  }

  /** Resolves when the call has started, or when the signal aborts before. */
  function wait(name: string, origin: Origin, signal: AbortSignal | undefined): Promise<'started' | 'aborted'> {
    return new Promise((resolve) => {
      const abort = (): void => {
        origin.waiting.delete(resume);
        forgetIdle(name, origin);
        resolve('aborted');
      };
      const resume = (): void => {
        signal?.removeEventListener('abort', abort);
        resolve('started');
      };
      origin.waiting.add(resume);
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  return {
    async acquire(name, signal) {
      signal?.throwIfAborted();
      const origin = origins.get(name) ?? { running: 0, waiting: new Set() };
      origins.set(name, origin);
      if (origin.waiting.size === 0 && mayStart(origin)) start(origin);
      else if ((await wait(name, origin, signal)) === 'aborted') signal?.throwIfAborted();
      return () => {
        free += 1;
        origin.running -= 1;
        forgetIdle(name, origin);
        startWaiting();
      };
    },
  };
}
