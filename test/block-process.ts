/** Blocks this process, as a pause or a long computation does. */
import { setImmediate as nextTurn } from 'node:timers/promises';

export function blockProcess(durationMs: number): void {
  const untilMs = performance.now() + durationMs;
  while (performance.now() < untilMs);
}

/** Blocks this process after `turns` turns of the event loop, in the phase before its timers: they fire before arrived responses are read. */
export async function blockBeforeTimers(durationMs: number, turns = 2): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await nextTurn();
  blockProcess(durationMs);
}
