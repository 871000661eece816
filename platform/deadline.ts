/** Deadlines of responses that tolerate a process that was stopped or blocked: timers fire before the responses that arrived meanwhile are read. */

/** A timer that fires later than this means that the process did not run. */
const lateMs = 100;
/** Time to read what arrived while the process did not run. */
const readMs = 500;

/**
 * Resolves or rejects as `work` does, or rejects with the error of `expired` after `limitMs` without a response; the work itself continues.
 * After a pause of the process, the response has 500 ms from then on, so that a healthy peer is not reported as unavailable.
 */
export function withinDeadline<Result>(
  work: Promise<Result>,
  limitMs: number,
  expired: () => Error = () => new Error(`No response within ${limitMs} ms.`),
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const endMs = performance.now() + limitMs;
    const expire = (): void => reject(expired());
    let timer: NodeJS.Timeout;
    const waitUntil = (atMs: number): void => {
      const check = (): void => {
        if (performance.now() - atMs > lateMs) timer = setTimeout(expire, readMs);
        else if (atMs < endMs) waitUntil(endMs);
        else expire();
      };
      timer = setTimeout(check, atMs - performance.now());
    };
    // notices also a pause that ends shortly before the deadline
    waitUntil(limitMs > readMs ? endMs - readMs : endMs);
    work.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error: unknown) => {
        clearTimeout(timer);
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the error of `work`, unchanged
        reject(error);
      },
    );
  });
}

/**
 * Runs a check of deadlines at an interval, for one timer instead of one per deadline. After a pause of the process the next check is 500 ms
 * later, so that responses that arrived meanwhile are read before. End it with `clearInterval`.
 */
export function checkDeadlinesEvery(intervalMs: number, check: () => void): NodeJS.Timeout {
  let lastMs = performance.now();
  let resumesMs: number | null = null;
  const tick = (): void => {
    const now = performance.now();
    const isLate = now - lastMs > intervalMs + lateMs;
    lastMs = now;
    // a process that is always late checks after each wait
    if (isLate && resumesMs === null) resumesMs = now + readMs;
    if (resumesMs !== null && now < resumesMs) return;
    resumesMs = null;
    check();
  };
  return setInterval(tick, intervalMs).unref();
}
