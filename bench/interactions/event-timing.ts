/** Measures interactions in a page with the Event Timing API: from the input to the next paint, as Interaction to Next Paint does. */
import type { Page } from 'playwright-core';

/** Entries below 16 ms are not reported: an interaction without one took less. */
const thresholdMs = 16;

/** Runs before the scripts of each page. */
export const observer = `
  window.benchEvents = [];
  new PerformanceObserver((list) => {
    for (const { name, duration, interactionId } of list.getEntries())
      if (interactionId > 0) window.benchEvents.push({ name, duration, interactionId });
  }).observe({ type: 'event', durationThreshold: ${thresholdMs}, buffered: true });
`;

interface EventEntry {
  readonly duration: number;
  readonly interactionId: number;
}

const nextPaints = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 120))))`;

/**
 * Performs an interaction and returns the durations in ms, one per input such as a click or a key. `inputs` is the number of inputs: those without
 * an entry took less than 16 ms.
 */
export async function timeInteraction(page: Page, inputs: number, act: () => Promise<unknown>): Promise<number[]> {
  await page.evaluate(`${nextPaints}.then(() => void window.benchEvents.splice(0))`);
  await act();
  const entries = await page.evaluate<readonly EventEntry[]>(`${nextPaints}.then(() => window.benchEvents)`);
  const longest = new Map<number, number>();
  for (const { interactionId, duration } of entries)
    longest.set(interactionId, Math.max(longest.get(interactionId) ?? 0, duration));
  const durations = [...longest.values()];
  return [...durations, ...Array.from({ length: Math.max(0, inputs - durations.length) }, () => thresholdMs)];
}
