/** Limits how many executions of subscriptions run at the same time: one event can cause many. */

/** Runs tasks in the order in which they were added, at most `max` at the same time. */
export function createExecutionQueue(max: number): <Result>(task: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (running >= max) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await task();
    } finally {
      // the next task takes over the place
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  }
  return run;
}
