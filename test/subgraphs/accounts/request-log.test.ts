/** The request log between routers and the database: bounded memory, and batches that count once. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { sql, type Database } from '../../../platform/database/database.ts';
import { createUsageCollector } from '../../../router/admission/usage/collector.ts';
import { createUsageFlush } from '../../../router/admission/usage/flush.ts';
import { Problem } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { openUsageFixture, type UsageFixture } from './usage-fixture.ts';

let fixture: UsageFixture;
beforeAll(async () => {
  fixture = await openUsageFixture();
});
afterAll(() => fixture.close());

const plan = { code: 'pro', burstPerMinute: 900, perDay: 100_000, perMonth: 1_500_000 };

function openRouter(max?: number, database: Pick<Database, 'query'> = fixture.router(0)) {
  const collector = createUsageCollector(max);
  const logged: unknown[] = [];
  const log = {
    warn: (...entry: unknown[]) => void logged.push(entry),
    error: (...entry: unknown[]) => void logged.push(entry),
  };
  const flush = createUsageFlush({ database, collector, addressHash: () => '00'.repeat(32), log, everyMs: Infinity });
  const account = randomUUID();
  const key = `key of ${account}`;
  const viewer: Viewer = { kind: 'KEY', accountId: account, keyId: key, plan: 'pro', scopes: [], sport: null };
  return {
    ...flush,
    logged,
    account,
    /** Records requests of one key, numbered in their request IDs. */
    record(from: number, count: number, operation: (index: number) => string = () => 'Find'): void {
      for (let index = from; index < from + count; index += 1)
        collector.record({
          requester: { viewer, subject: '00'.repeat(16), plan },
          address: '203.0.113.7',
          requests: 1,
          units: 1,
          usage: null,
          outerUsage: null,
          clockMs: Date.now(),
          status: 200,
          area: 'athletes',
          operation: operation(index),
          durationMs: 7,
          requestId: `request-${index}`,
          line: { method: 'POST', path: '/graphql', userAgent: null },
        });
    },
  };
}

const idsOf = async (account: string): Promise<string[]> => {
  const rows = await fixture.area.query<{ id: string }>(sql`/* test.logged */
    select request_id as id from request_log where account_id = ${account} order by length(request_id), request_id`);
  return rows.map(({ id }) => id);
};

interface Counted {
  readonly operation: string | null;
  readonly requests: number;
}
const countsOf = (account: string | null): Promise<Counted[]> =>
  fixture.area.query<Counted>(sql`/* test.counted */
    select operation, sum(requests)::int as requests from request_operation where account_id is not distinct from ${account}
    group by 1 order by 2 desc, 1`);

test('a full buffer drops the oldest requests and logs their number; the rollups have all of them', async () => {
  const router = openRouter(4);
  router.record(0, 10);
  await router.flush();
  expect(await idsOf(router.account)).toEqual(['request-6', 'request-7', 'request-8', 'request-9']);
  expect(router.logged).toEqual([[{ requests: 6 }, 'request log rows dropped: collector full']]);
  expect(await countsOf(router.account)).toEqual([{ operation: 'Find', requests: 10 }]);
  router.record(10, 2);
  await router.close();
  expect(await idsOf(router.account)).toHaveLength(6);
  expect(router.logged).toHaveLength(1);
});

test('a batch that is sent again after an unknown outcome is logged once', async () => {
  const database = fixture.router(0);
  let failures = 2;
  const unreliable: Pick<Database, 'query'> = {
    async query(statement) {
      const rows = await database.query<never>(statement);
      if (failures-- > 0) throw new Problem('upstream_timeout', 'The outcome is unknown.');
      return rows;
    },
  };
  const router = openRouter(undefined, unreliable);
  router.record(0, 3);
  expect(await router.flush()).toBe(false);
  expect(await router.flush()).toBe(false);
  expect(await router.flush()).toBe(true);
  expect(await idsOf(router.account)).toHaveLength(3);
  expect(await countsOf(router.account)).toEqual([{ operation: 'Find', requests: 3 }]);
  await router.close();
});

test('an account has rollups of about 50 names of GraphQL operations, and one for all others', async () => {
  const router = openRouter();
  router.record(0, 100, () => 'Frequent');
  router.record(0, 500, (index) => `Name${index % 100}`);
  await router.flush();
  router.record(0, 5, () => 'TooLate');
  router.record(0, 5, () => 'Frequent');
  await router.flush();
  const counts = await countsOf(router.account);
  expect(counts).toHaveLength(51);
  expect(counts[0]).toEqual({ operation: '(other)', requests: 51 * 5 + 5 });
  expect(counts[1]).toEqual({ operation: 'Frequent', requests: 105 });
  await router.close();
});

test('the rollup of all accounts has no names of GraphQL operations', async () => {
  expect((await countsOf(null)).map(({ operation }) => operation)).toEqual([null]);
});
