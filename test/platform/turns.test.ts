/** Long computations let other work run between their turns. */
import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { mapInTurns } from '../../platform/turns.ts';

/** Blocks the event loop. */
function compute(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

test('results are in the order of the items', async () => {
  expect(await mapInTurns([3, 1, 2], (value) => value * 2)).toEqual([6, 2, 4]);
  expect(await mapInTurns([], () => 1)).toEqual([]);
});

test('other work runs between the turns of several computations', async () => {
  let ended = 0;
  const compute100Items = () =>
    mapInTurns(Array.from({ length: 100 }), () => compute(0.5)).then(() => {
      ended += 1;
    });
  const computations = [compute100Items(), compute100Items(), compute100Items()];
  let turns = 0;
  while (ended < 3) {
    await setImmediate();
    turns += 1;
  }
  await Promise.all(computations);
  // 150 ms of work in turns of 2 ms; without turns the loop would run a few times
  expect(turns).toBeGreaterThan(30);
});

test('an error ends the computation', async () => {
  const map = (value: number): number => {
    if (value === 2) throw new Error('not 2');
    return value;
  };
  await expect(mapInTurns([1, 2, 3], map)).rejects.toThrow('not 2');
});
