/** Waits for asynchronous effects of other processes. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Longest time that an attempt or a wait counts: the rest is a pause of the machine. */
const countedMs = 500;

/** Repeats the checks until they pass; the last failure is thrown after a minute, because machines differ in speed. */
export async function eventually(check: () => Promise<void>, timeoutMs = 60_000): Promise<void> {
  let elapsedMs = 0;
  let lastMs = performance.now();
  const count = (): void => {
    const now = performance.now();
    elapsedMs += Math.min(now - lastMs, countedMs);
    lastMs = now;
  };
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      count();
      if (elapsedMs > timeoutMs) throw error;
      await sleep(50);
      count();
    }
  }
}
