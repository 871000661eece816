/** The lanes of the sender of webhooks: order per resource, and slow endpoints that leave room for others. */
import { afterEach, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { createLanes, type DueDelivery } from '../../../subgraphs/accounts/webhooks/lanes.ts';
import { retryDelayMs, retryDelaysMs } from '../../../subgraphs/accounts/webhooks/retry-schedule.ts';

afterEach(() => void jest.useRealTimers());

let number = 0;
const deliveries = (endpointId: string, resourceIds: readonly string[]): DueDelivery[] =>
  resourceIds.map((resourceId) => ({ id: `${(number += 1)}`, endpointId, resourceId, attempts: 0 }));

test('first attempts of a resource start in order and one at a time, whatever ends first', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 25 }),
      fc.infiniteStream(fc.nat()),
      (resources, choices) => {
        const lanes = createLanes();
        const all = deliveries('endpoint', resources);
        lanes.add(all);
        const started: DueDelivery[] = [];
        for (let running = lanes.take(); running.length > 0;) {
          expect(running.length).toBeLessThanOrEqual(10);
          expect(new Set(running.map(({ resourceId }) => resourceId)).size).toBe(running.length);
          const [ended] = running.splice(choices.next().value % running.length, 1);
          if (!ended) throw new Error('nothing runs');
          started.push(ended);
          lanes.end(ended, false);
          running.push(...lanes.take());
        }
        for (const resource of ['a', 'b', 'c']) {
          const of = (list: readonly DueDelivery[]) => list.filter(({ resourceId }) => resourceId === resource);
          expect(of(started)).toEqual(of(all));
        }
        lanes.recorded(all.map(({ id }) => id));
        expect(lanes.isEmpty()).toBe(true);
      },
    ),
  );
});

test('however many endpoints hang, others still start', () => {
  const lanes = createLanes();
  const ids = (endpointId: string) =>
    deliveries(
      endpointId,
      Array.from({ length: 20 }, (_, index) => `${endpointId} ${index}`),
    );
  for (let endpoint = 0; endpoint < 300; endpoint += 1) lanes.add(ids(`hanging ${endpoint}`));
  const hanging = lanes.take();
  expect(hanging.length).toBeLessThanOrEqual(400);
  for (const delivery of hanging) lanes.end(delivery, true);
  const again = lanes.take();
  expect(again.length).toBe(200);
  lanes.add(ids('fast'));
  expect(lanes.take().filter(({ endpointId }) => endpointId === 'fast')).toHaveLength(10);
});

test('an endpoint that timed out gets one attempt at a time until it responds', () => {
  const lanes = createLanes();
  lanes.add(deliveries('slow', ['a', 'b', 'c', 'd']));
  for (const delivery of lanes.take()) lanes.end(delivery, true);
  lanes.add(deliveries('slow', ['e', 'f', 'g']));
  const [one, ...others] = lanes.take();
  expect(others).toEqual([]);
  if (!one) throw new Error('nothing started');
  lanes.end(one, false);
  lanes.add(deliveries('slow', ['h', 'i', 'j']));
  expect(lanes.take().length).toBeGreaterThan(1);
});

test('deliveries that are given back again and again start after longer pauses, up to a minute', () => {
  jest.useFakeTimers({ now: 0 });
  const lanes = createLanes();
  lanes.add(deliveries('endpoint', ['a', 'b']));
  /** Gives back what started, and returns the seconds until it starts again. */
  const pauseOf = (taken: readonly DueDelivery[]): number => {
    for (const delivery of taken) lanes.giveBack(delivery);
    for (let seconds = 1; seconds <= 100; seconds += 1) {
      jest.advanceTimersByTime(1_000);
      started = lanes.take();
      if (started.length > 0) return seconds;
    }
    throw new Error('nothing started');
  };
  let started = lanes.take();
  expect([1, 2, 3, 4, 5, 6, 7].map(() => pauseOf(started))).toEqual([2, 4, 8, 16, 32, 60, 60]);
  const [ended, ...others] = started;
  if (!ended) throw new Error('nothing started');
  lanes.end(ended, false);
  expect(pauseOf(others)).toBe(2);
});

test('pauses vary by a tenth, a longer Retry-After applies up to a day, and there is no eleventh attempt', () => {
  const now = Date.parse('2026-11-24T12:00:00Z');
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, random) => {
      const delayMs = retryDelaysMs[attempts - 1] ?? 0;
      expect(Math.abs((retryDelayMs(attempts, null, now, random) ?? 0) / delayMs - 1)).toBeLessThanOrEqual(0.1001);
    }),
  );
  expect(retryDelayMs(1, 'Tue, 24 Nov 2026 13:00:00 GMT', now, 0.5)).toBe(3_600_000);
  expect(retryDelayMs(1, '999999999', now, 0.5)).toBe(86_400_000);
  expect(retryDelayMs(1, '-5', now, 0.5)).toBe(5_000);
  expect(retryDelayMs(10, null, now, 0.5)).toBeNull();
});
