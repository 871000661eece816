/** Deadlines of responses when the process is blocked meanwhile. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { withinDeadline } from '../../platform/deadline.ts';

/** Blocks the process. */
function blockUntil(endMs: number): void {
  while (performance.now() < endMs);
}

test.each([
  ['after', 1_300],
  ['shortly before', 960],
])('a response has time after a pause that ends %s the deadline', async (_, pauseMs) => {
  const start = performance.now();
  const work = sleep(10).then(async () => {
    blockUntil(start + pauseMs);
    await sleep(200);
    return 'response';
  });
  expect(await withinDeadline(work, 1_000)).toBe('response');
});

test.each([100, 900])('without a response, the error follows after the limit of %s ms', async (limitMs) => {
  const start = performance.now();
  await expect(withinDeadline(new Promise(() => undefined), limitMs)).rejects.toThrow(`No response within ${limitMs} ms.`);
  expect(performance.now() - start).toBeGreaterThan(limitMs - 2);
});

test('an error of the work is the error', async () => {
  await expect(withinDeadline(Promise.reject(new Error('refused')), 100)).rejects.toThrow('refused');
});
