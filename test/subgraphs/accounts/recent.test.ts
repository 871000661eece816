/** The last requests of keys: how many are kept, and what a flood of keys or of requests leaves of them. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createUsageCollector } from '../../../router/admission/usage/collector.ts';
import { createUsageFlush } from '../../../router/admission/usage/flush.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { createRecentRequests } from '../../../subgraphs/accounts/usage/recent-requests.ts';
import type { Context } from '../../../subgraphs/runtime/subgraph.ts';
import { openMetered, type Metered } from './metered.ts';

let metered: Metered;
beforeAll(async () => {
  metered = await openMetered();
});
afterAll(() => metered.close());

const begin = Date.parse('2026-11-10T12:00:00Z');
const limits = { code: 'pro', burstPerMinute: 900, perDay: 100_000, perMonth: 1_500_000 };

function openRouter() {
  const collector = createUsageCollector();
  const log = { warn: () => undefined, error: (...violation: unknown[]) => expect(violation).toEqual([]) };
  const flush = createUsageFlush({
    database: metered.router(0),
    collector,
    addressHash: () => '00'.repeat(32),
    log,
    everyMs: Infinity,
  });
  return {
    ...flush,
    /** One request of a key, so many milliseconds after the begin. */
    ask(key: string, afterMs: number): void {
      const viewer: Viewer = { kind: 'KEY', accountId: randomUUID(), keyId: key, plan: 'pro', scopes: [], sport: null };
      collector.record({
        requester: { viewer, subject: '00'.repeat(16), plan: limits },
        address: '203.0.113.7',
        requests: 1,
        units: 1,
        usage: null,
        outerUsage: null,
        clockMs: begin + afterMs,
        status: 200,
        area: 'athletes',
        operation: `asked${afterMs}`,
        durationMs: 7,
        requestId: `request-${afterMs}`,
      });
    },
  };
}

const noContext = {} as Context;

async function recentOf(key: string, first = 50): Promise<string[]> {
  const [requests] = await createRecentRequests(metered.area)([{ publicId: key, first }], noContext);
  return (requests ?? []).map(({ requestId }) => requestId);
}

const downFrom = (last: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `request-${last - index}`);

test('of what a key asks between two flushes the last twenty are kept, of all it asks the last fifty', async () => {
  const router = openRouter();
  for (let asked = 0; asked < 33; asked += 1) router.ask('busy', asked);
  await router.flush();
  expect(await recentOf('busy')).toEqual(downFrom(32, 20));
  for (let flushed = 0; flushed < 4; flushed += 1) {
    for (let asked = 0; asked < 10; asked += 1) router.ask('busy', 100 + flushed * 10 + asked);
    await router.flush();
  }
  expect(await recentOf('busy')).toEqual([...downFrom(139, 40), ...downFrom(32, 10)]);
  expect(await recentOf('busy', 3)).toEqual(downFrom(139, 3));
  await router.close();
});

test('of many keys some are told of in each flush, those that wait longest first, and none is forgotten', async () => {
  const router = openRouter();
  const keys = Array.from({ length: 450 }, (_, index) => `one of many ${index}`);
  const told = async (): Promise<number> => {
    await router.flush();
    const read = await createRecentRequests(metered.area)(
      keys.map((publicId) => ({ publicId, first: 50 })),
      noContext,
    );
    return read.filter((requests) => requests.length > 0).length;
  };
  for (const key of keys) router.ask(key, 1);
  expect(await told()).toBe(200);
  for (const key of keys) router.ask(key, 2);
  expect(await told()).toBe(400);
  expect(await told()).toBe(450);
  expect(await told()).toBe(450);
  const [one] = await createRecentRequests(metered.area)([{ publicId: keys[0] ?? '', first: 50 }], noContext);
  expect(one).toEqual([
    expect.objectContaining({ operation: 'asked2', area: 'athletes', status: 200, durationMs: 7 }),
    expect.objectContaining({ operation: 'asked1' }),
  ]);
  await router.close();
});
