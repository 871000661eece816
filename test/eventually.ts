/** Waits for asynchronous effects of other processes. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats the checks until they pass; the last failure is thrown after a minute, because machines differ in speed. */
export async function eventually(check: () => Promise<void>, timeoutMs = 60_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(50);
    }
  }
}
