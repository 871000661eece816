/** Concurrent calls to many origins: origins that do not respond leave room for all others. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createCallLimits } from '../../platform/http/call-limits.ts';

/** Lets resolved promises continue. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('an origin has at most its own limit, and a quarter of the free calls', async () => {
  const limits = createCallLimits({ perOrigin: 4, total: 32 });
  const running = new Map<string, number>();
  const start = (origin: string): void =>
    void limits.acquire(origin).then(() => running.set(origin, (running.get(origin) ?? 0) + 1));
  for (const origin of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'])
    for (let count = 0; count < 20; count += 1) start(origin);
  await settle();
  expect(Math.max(...running.values())).toBe(4);
  const total = [...running.values()].reduce((sum, count) => sum + count, 0);
  expect(total).toBeLessThan(32);
  expect(running.size).toBe(10);
  start('new');
  await settle();
  expect(running.get('new')).toBe(1);
});

test('the waiting call of the least busy origin starts first, and an aborted call does not start', async () => {
  const limits = createCallLimits({ perOrigin: 2, total: 2 });
  const started: string[] = [];
  const acquire = (name: string, origin: string, signal?: AbortSignal): Promise<() => void> =>
    limits.acquire(origin, signal).then((release) => {
      started.push(name);
      return release;
    });
  const [first, second] = await Promise.all([acquire('a1', 'a'), acquire('b1', 'b')]);
  const leaving = new AbortController();
  const aborted = acquire('c1', 'c', leaving.signal);
  void acquire('a2', 'a');
  void acquire('d1', 'd');
  leaving.abort(new Error('stopping'));
  await expect(aborted).rejects.toThrow('stopping');
  second();
  await settle();
  expect(started).toEqual(['a1', 'b1', 'd1']);
  first();
  await settle();
  expect(started).toEqual(['a1', 'b1', 'd1', 'a2']);
});

test('limits hold for all orders of calls, and every call starts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(5), { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), async (origins, perOrigin) => {
      const limits = createCallLimits({ perOrigin, total: 7 });
      const running = new Map<number, number>();
      await Promise.all(
        origins.map(async (origin, index) => {
          const release = await limits.acquire(String(origin));
          running.set(origin, (running.get(origin) ?? 0) + 1);
          expect(running.get(origin)).toBeLessThanOrEqual(perOrigin);
          expect([...running.values()].reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(7);
          for (let turns = index % 3; turns > 0; turns -= 1) await settle();
          running.set(origin, (running.get(origin) ?? 0) - 1);
          release();
        }),
      );
    }),
    { numRuns: 50 },
  );
});
