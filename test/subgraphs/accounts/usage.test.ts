/** Usage reported by routers: each batch counts exactly once, even after failures. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase, sql, type Database } from '../../../platform/database/database.ts';
import { routerRole } from '../../../platform/database/roles.ts';
import { createUsageCollector } from '../../../router/admission/usage/collector.ts';
import { createUsageFlush } from '../../../router/admission/usage/flush.ts';
import { Problem } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { fill, openExplained } from '../../plans/explained.ts';
import { openRedis } from '../../../platform/redis/redis.ts';
import { createRedisQuota, readRedisCounter } from '../../../router/admission/quota/redis.ts';
import { readUsage } from '../../../subgraphs/accounts/usage/reads.ts';
import { startRedis } from '../../../commands/local-redis.ts';
import { withRedis } from '../../redis.ts';
import { readSeries } from '../../../subgraphs/accounts/usage/series.ts';
import { openUsageFixture, type UsageFixture } from './usage-fixture.ts';

let fixture: UsageFixture;
beforeAll(async () => {
  fixture = await openUsageFixture();
});
afterAll(() => fixture.close());

describe('a batch', () => {
  test('counts once, even if it is sent repeatedly by several routers', async () => {
    const { account, lineage, key } = await fixture.createHolder('Batch', 'pro', '2026-11-01T00:00:00Z');
    const id = randomUUID();
    const reported = [{ at: new Date().toISOString(), account, lineage, key, requests: 7 }];
    await Promise.all([0, 1, 0, 1, 0].map((which) => fixture.flush(reported, { router: fixture.router(which), id })));
    expect(await fixture.monthly(lineage)).toMatchObject([{ requests: 7 }]);
  });

  test('batches of many routers at the same time add up without deadlocks', async () => {
    const { account, lineage, key } = await fixture.createHolder('Crowd', 'pro', '2026-11-01T00:00:00Z');
    const now = Date.now();
    const reported = Array.from({ length: 50 }, (_, index) => ({
      at: new Date(now - index * 60_000).toISOString(),
      account,
      lineage,
      key,
    }));
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        fixture.flush(index % 2 === 0 ? reported : reported.toReversed(), { router: fixture.router(index) }),
      ),
    );
    const rows = await fixture.monthly(lineage);
    expect(rows.reduce((sum, { requests }) => sum + requests, 0)).toBe(600);
  });
});

describe('a router', () => {
  const limits = { code: 'pro', burstPerMinute: 900, perDay: 100_000, perMonth: 1_500_000 };
  const month = `${new Date().toISOString().slice(0, 7)}-01`;
  const day = new Date().toISOString().slice(0, 10);
  const unnamed = { operation: null, durationMs: 1, requestId: 'test' };

  /** Records requests of a key, with alternating areas and minutes. */
  function record(
    collector: ReturnType<typeof createUsageCollector>,
    owner: { account: string; lineage: string; key: string },
    count: number,
  ): void {
    const viewer: Viewer = { kind: 'KEY', accountId: owner.account, keyId: owner.key, plan: 'pro', scopes: [], sport: null };
    const requester = { viewer, subject: owner.lineage.replaceAll('-', ''), plan: limits };
    for (let index = 0; index < count; index += 1) {
      const clockMs = Date.now() - (index % 3) * 60_000;
      const usage = { day, dayUsed: index + 1, month, monthUsed: index + 1, burstLeft: 1, burstWaitMs: 0, clockMs };
      const area = index % 2 === 0 ? ('athletes' as const) : null;
      collector.record({
        requester,
        address: '203.0.113.7',
        requests: 1,
        units: 1,
        usage,
        outerUsage: null,
        clockMs,
        status: 200,
        area,
        ...unnamed,
      });
    }
  }

  const requestsOf = async (lineage: string): Promise<number> =>
    (await fixture.monthly(lineage)).reduce((sum, { requests }) => sum + requests, 0);

  test('resends a batch after a lost connection, and the batch counts once', async () => {
    const holder = await fixture.createHolder('Cut off', 'pro', '2026-11-01T00:00:00Z');
    let cuts = 3;
    const cut: Pick<Database, 'query'> = {
      async query<Row extends object>(statement: Parameters<Database['query']>[0]) {
        const rows = await fixture.router(0).query<Row>(statement);
        cuts -= 1;
        if (cuts >= 0) throw new Problem('upstream_unavailable', 'The connection was lost.');
        return rows;
      },
    };
    const collector = createUsageCollector();
    const entries: unknown[] = [];
    const log = {
      warn: (...entry: unknown[]) => void entries.push(entry),
      error: (...entry: unknown[]) => void entries.push(entry),
    };
    const flush = createUsageFlush({ database: cut, collector, addressHash: () => '00'.repeat(32), log, everyMs: Infinity });
    record(collector, holder, 100);
    expect(await flush.flush()).toBe(false);
    record(collector, holder, 11);
    expect(await flush.flush()).toBe(false);
    await flush.flush();
    expect(await requestsOf(holder.lineage)).toBe(100);
    await flush.close();
    expect(await requestsOf(holder.lineage)).toBe(111);
    // one warning for all retries
    expect(entries).toHaveLength(1);
  });

  test('reports two days around midnight in one flush, and a threshold of their month once', async () => {
    const { account, lineage, key } = await fixture.createHolder('Midnight', 'pro', '2026-11-01T00:00:00Z');
    const viewer: Viewer = { kind: 'KEY', accountId: account, keyId: key, plan: 'pro', scopes: [], sport: null };
    const requester = { viewer, subject: lineage.replaceAll('-', ''), plan: { ...limits, perDay: 1000, perMonth: 4 } };
    const collector = createUsageCollector();
    const log = { warn: () => undefined, error: (...entry: unknown[]) => expect(entry).toEqual([]) };
    const flush = createUsageFlush({ database: fixture.router(0), collector, addressHash: () => '', log, everyMs: Infinity });
    ['2026-11-10', '2026-11-10', '2026-11-11'].forEach((on, index) => {
      const clockMs = Date.parse(`${on}T00:00:00Z`);
      const used = { day: on, dayUsed: 1, month: '2026-11-01', monthUsed: index + 1, burstLeft: 1, burstWaitMs: 0, clockMs };
      const answered = { requests: 1, units: 1, outerUsage: null, clockMs, status: 200, area: null, ...unnamed } as const;
      collector.record({ requester, address: '203.0.113.7', usage: used, ...answered });
    });
    await flush.close();
    expect(await requestsOf(lineage)).toBe(3);
    const published = await fixture.owner.query<{ percent: number }>(sql`/* test.midnight */
      select (o.data ->> 'percent')::int as percent from accounts.outbox o join accounts.api_key k on k.id = o.resource_id
      where o.type = 'quota.threshold_reached' and k.public_id = ${key}`);
    expect(published).toEqual([{ percent: 50 }]);
  });

  test('resends a batch after a statement timeout', async () => {
    const holder = await fixture.createHolder('Slow', 'pro', '2026-11-01T00:00:00Z');
    const url = fixture.cloned.urlAs(routerRole);
    const shortTimeout = openDatabase({ url, name: 'test-short-timeout', poolSize: 1, statementTimeoutMs: 100 });
    const collector = createUsageCollector();
    const log = { warn: () => undefined, error: (...entry: unknown[]) => expect(entry).toEqual([]) };
    const flush = createUsageFlush({ database: shortTimeout, collector, addressHash: () => '', log, everyMs: Infinity });
    record(collector, holder, 3);
    await fixture.owner.transaction(async (transaction) => {
      await transaction.query(sql`/* test.closing */ select pg_advisory_xact_lock(accounts.usage_closing_lock())`);
      expect(await flush.flush()).toBe(false);
    });
    await flush.close();
    await shortTimeout.close();
    expect(await requestsOf(holder.lineage)).toBe(3);
  });

  test('limits the number of distinct rows while the database is unavailable, logs the loss, and continues', async () => {
    const holder = await fixture.createHolder('Bounded', 'pro', '2026-11-01T00:00:00Z');
    const collector = createUsageCollector(4);
    const lost: unknown[] = [];
    const log = { warn: () => undefined, error: (published: unknown) => void lost.push(published) };
    const flush = createUsageFlush({
      database: fixture.router(1),
      collector,
      addressHash: () => '00'.repeat(32),
      log,
      everyMs: Infinity,
    });
    // six distinct rows in turns, of which four are retained
    record(collector, holder, 60);
    await flush.flush();
    expect(lost).toEqual([{ requests: 20 }]);
    record(collector, holder, 1);
    await flush.close();
    expect(await requestsOf(holder.lineage)).toBe(41);
    expect(lost).toHaveLength(1);
  });
});

withRedis(test)(
  '/usage reads the counter from Redis, and the values reported by routers while Redis is unavailable',
  async () => {
    const { account, lineage, key } = await fixture.createHolder('In Redis', 'pro', '2026-11-01T00:00:00Z');
    const server = await startRedis();
    const log = { error: () => undefined, warn: () => undefined };
    const redis = await openRedis({ urls: [server.url], name: 'test', log });
    const store = createRedisQuota({ redis, readCounters: () => Promise.resolve(new Map()), log });
    const subject = lineage.replaceAll('-', '');
    const counters = (of: string) => readRedisCounter(redis, of);
    const usedOf = async (): Promise<number[]> => {
      const { day, month } = await readUsage({ database: fixture.area, counters }, key);
      return [day.used, month.used];
    };
    expect(await usedOf()).toEqual([0, 0]);
    const { usage } = await store.acquire(subject, { burstPerMinute: 900, perDay: 100_000, perMonth: 1_500_000 }, 'COUNTED', 7);
    expect(await usedOf()).toEqual([7, 7]);
    const reported = {
      subject,
      key,
      day: usage.day,
      dayUnits: 5,
      dayCounted: 6,
      month: usage.month,
      monthUnits: 5,
      monthCounted: 6,
    };
    await fixture.flush([{ at: new Date().toISOString(), account, lineage, key }], {
      subjects: JSON.stringify([{ ...reported, perDay: 100_000, perMonth: 1_500_000 }]),
    });
    expect(await usedOf()).toEqual([7, 7]);
    await server.kill();
    expect(await usedOf()).toEqual([6, 6]);
    await store.close();
    await redis.close();
    await server.close();
  },
);

test('the series of a lineage and of an account are read with an index', async () => {
  const { account, lineage } = await fixture.createHolder('Explained', 'pro', '2026-11-01T00:00:00Z');
  await fill(fixture.cloned, 'accounts', [
    `insert into usage (granularity, starts_at, quota_subject_id, account_id, public_id, plan_code, area, status_class, requests, units)
     select 'HOUR', date_trunc('hour', now()) - (i % 400) * interval '1 hour', ('00000000-0000-4000-8000-' || lpad((i / 400)::text, 12, '0'))::uuid,
       ('00000000-0000-4000-9000-' || lpad((i / 800)::text, 12, '0'))::uuid, 'k', 'pro', 'athletes', 2, 1, 1 from generate_series(0, 15999) i`,
    `insert into usage (granularity, starts_at, quota_subject_id, account_id, public_id, plan_code, area, status_class, requests, units)
     select 'HOUR', date_trunc('hour', now()) - i * interval '1 hour', '${lineage}', '${account}', 'k', 'pro', 'athletes', 2, 1, 1 from generate_series(0, 399) i`,
    'analyze usage',
  ]);
  const explained = openExplained(fixture.cloned, 'accounts', 'usage_hour', /^\/\* usage\.series \*\//);
  const { database } = explained.services;
  const byLineage = await explained.reading(() => readSeries(database, 'quota_subject_id', [lineage], { granularity: 'HOUR' }));
  const byAccount = await explained.reading(() => readSeries(database, 'account_id', [account], { granularity: 'HOUR' }));
  for (const { scans, rows } of [byLineage, byAccount]) {
    expect(scans).not.toContain('Seq Scan');
    expect(rows).toBeLessThan(100);
  }
  await explained.close();
});
