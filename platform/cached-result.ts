/** Repeats an asynchronous read at most once in an interval. Callers of the same interval share its result. */

/**
 * @param isKept whether a result is kept for the interval; the others are shared by concurrent callers only. An error is never kept
 */
export function cachedFor<Result>(
  intervalMs: number,
  read: () => Promise<Result>,
  isKept: (result: Result) => boolean = () => true,
): () => Promise<Result> {
  let running: Promise<Result> | null = null;
  let kept: { readonly result: Result; readonly untilMs: number } | null = null;

  async function refresh(): Promise<Result> {
    try {
      const result = await read();
      kept = isKept(result) ? { result, untilMs: performance.now() + intervalMs } : null;
      return result;
    } finally {
      running = null;
    }
  }

  return () => {
    if (kept !== null && performance.now() < kept.untilMs) return Promise.resolve(kept.result);
    running ??= refresh();
    return running;
  };
}
