/** Recent requests of keys: how many are retained with many requests or many keys. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createUsageCollector } from '../../../router/admission/usage/collector.ts';
import { createUsageFlush } from '../../../router/admission/usage/flush.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { createRecentRequests } from '../../../subgraphs/accounts/usage/recent-requests.ts';
import type { Context } from '../../../subgraphs/runtime/subgraph.ts';
import { openUsageFixture, type UsageFixture } from './usage-fixture.ts';

let fixture: UsageFixture;
beforeAll(async () => {
  fixture = await openUsageFixture();
});
afterAll(() => fixture.close());

const start = Date.parse('2026-11-10T12:00:00Z');
const limits = { code: 'pro', burstPerMinute: 900, perDay: 100_000, perMonth: 1_500_000 };

function openRouter() {
  const collector = createUsageCollector();
  const log = { warn: () => undefined, error: (...entry: unknown[]) => expect(entry).toEqual([]) };
  const flush = createUsageFlush({
    database: fixture.router(0),
    collector,
    addressHash: () => '00'.repeat(32),
    log,
    everyMs: Infinity,
  });
  return {
    ...flush,
    /** Records one request of a key, a number of milliseconds after the start. */
    record(key: string, afterMs: number): void {
      const viewer: Viewer = { kind: 'KEY', accountId: randomUUID(), keyId: key, plan: 'pro', scopes: [], sport: null };
      collector.record({
        requester: { viewer, subject: '00'.repeat(16), plan: limits },
        address: '203.0.113.7',
        requests: 1,
        units: 1,
        usage: null,
        outerUsage: null,
        clockMs: start + afterMs,
        status: 200,
        area: 'athletes',
        operation: `operation${afterMs}`,
        durationMs: 7,
        requestId: `request-${afterMs}`,
      });
    },
  };
}

const noContext = {} as Context;

async function recentOf(key: string, first = 50): Promise<string[]> {
  const [requests] = await createRecentRequests(fixture.area)([{ publicId: key, first }], noContext);
  return (requests ?? []).map(({ requestId }) => requestId);
}

const downFrom = (last: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `request-${last - index}`);

test('retains the last 20 requests of a key per flush and the last 50 in total', async () => {
  const router = openRouter();
  for (let index = 0; index < 33; index += 1) router.record('busy', index);
  await router.flush();
  expect(await recentOf('busy')).toEqual(downFrom(32, 20));
  for (let flushed = 0; flushed < 4; flushed += 1) {
    for (let index = 0; index < 10; index += 1) router.record('busy', 100 + flushed * 10 + index);
    await router.flush();
  }
  expect(await recentOf('busy')).toEqual([...downFrom(139, 40), ...downFrom(32, 10)]);
  expect(await recentOf('busy', 3)).toEqual(downFrom(139, 3));
  await router.close();
});

test('reports a limited number of keys per flush, longest waiting first, and loses none', async () => {
  const router = openRouter();
  const keys = Array.from({ length: 450 }, (_, index) => `one of many ${index}`);
  const flushAndCount = async (): Promise<number> => {
    await router.flush();
    const read = await createRecentRequests(fixture.area)(
      keys.map((publicId) => ({ publicId, first: 50 })),
      noContext,
    );
    return read.filter((requests) => requests.length > 0).length;
  };
  for (const key of keys) router.record(key, 1);
  expect(await flushAndCount()).toBe(200);
  for (const key of keys) router.record(key, 2);
  expect(await flushAndCount()).toBe(400);
  expect(await flushAndCount()).toBe(450);
  expect(await flushAndCount()).toBe(450);
  const [one] = await createRecentRequests(fixture.area)([{ publicId: keys[0] ?? '', first: 50 }], noContext);
  expect(one).toEqual([
    expect.objectContaining({ operation: 'operation2', area: 'athletes', status: 200, durationMs: 7 }),
    expect.objectContaining({ operation: 'operation1' }),
  ]);
  await router.close();
});
