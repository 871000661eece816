/** The quota store in PostgreSQL: batches, windows and refunds. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sql } from '../../platform/database.ts';
import type { Charge, Limits } from '../../router/admission/quota/store.ts';
import { admitted, caller, createWorld, eventually, refused, tally, type Router, type World } from './admission-world.ts';

describe('the quota store', () => {
  let world: World;
  let routers: readonly [Router, Router];
  beforeAll(async () => {
    world = await createWorld();
    routers = [world.router(), world.router()];
  });
  afterAll(() => world.close());

  const admit = (index: number, key: string) => (index % 2 === 0 ? routers[0] : routers[1]).admission.admit(caller(key));

  test('a new day and a new month begin at zero, and a window never goes backwards', async () => {
    const { key, subject } = await world.issue({ plan: await world.plan({ perDay: 5, perMonth: 5 }) });
    const shift = (day: string, month: string) =>
      world.owner.query(sql`/* test.shift */ update accounts.quota_counter set day = current_date + ${day}::interval,
        month = date_trunc('month', current_date) + ${month}::interval, day_used = 3, month_used = 4, day_refunded = 2
        where subject = decode(${subject}, 'hex')`);
    const after = async (day: string, month: string) => {
      await shift(day, month);
      admitted(await admit(0, key));
      return world.counter(subject);
    };
    admitted(await admit(0, key));
    expect(await after('-1 day', '0')).toEqual({ dayUsed: 1, monthUsed: 5, dayRefunded: 0 });
    expect(await after('-1 day', '-1 month')).toEqual({ dayUsed: 1, monthUsed: 1, dayRefunded: 0 });
    // Another node's clock was a little ahead of midnight: its day is the open one.
    expect(await after('1 day', '0')).toEqual({ dayUsed: 4, monthUsed: 5, dayRefunded: 2 });
    // A wrong clock of the past left a far future day: the count stays, the day is today again.
    expect(await after('400 days', '13 months')).toEqual({ dayUsed: 4, monthUsed: 5, dayRefunded: 2 });
    const [row] = await world.owner.query<{ today: boolean }>(sql`/* test.today */ select day = current_date as today
      from accounts.quota_counter where subject = decode(${subject}, 'hex')`);
    expect(row?.today).toBe(true);
  });

  test('a locked row is 503 within a second, charges nothing, and the router recovers', async () => {
    const { key, subject } = await world.issue({ plan: await world.plan({}) });
    admitted(await admit(0, key));
    await world.owner.transaction(async (transaction) => {
      await transaction.query(
        sql`/* test.lock */ select 1 from accounts.quota_counter where subject = decode(${subject}, 'hex') for update`,
      );
      const since = performance.now();
      expect(refused(await admit(0, key)).problem.code).toBe('upstream_unavailable');
      expect(performance.now() - since).toBeLessThan(1000);
    });
    admitted(await admit(0, key));
    expect(await world.counter(subject)).toMatchObject({ dayUsed: 2 });
  });

  test('concurrent takes of every kind are decided as a model decides them one after the other', async () => {
    const limits: Limits = { burstPerMinute: 1_000_000, perDay: 12, perMonth: 30 };
    const take = fc.oneof(
      fc.record({
        charge: fc.constantFrom<Charge>('COUNTED', 'BURST_ONLY', 'COUNTED_NEVER_REFUSED', 'MORE'),
        cost: fc.constant(1),
      }),
      fc.record({ charge: fc.constantFrom<Charge>('COUNTED', 'MORE'), cost: fc.integer({ min: 1, max: 9 }) }),
    );
    const waves = fc.array(fc.array(take, { maxLength: 12 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(waves, async (requests) => {
        const subject = randomBytes(16).toString('hex');
        let used = 0;
        for (const wave of requests) {
          const answers = await Promise.all(
            wave.map(({ charge, cost }) => routers[0].counters.take(subject, limits, charge, cost)),
          );
          for (const [index, { charge, cost }] of wave.entries()) {
            const fits = used + cost <= limits.perDay || charge === 'BURST_ONLY' || charge === 'COUNTED_NEVER_REFUSED';
            if (fits && charge !== 'BURST_ONLY') used += cost;
            expect(answers[index]?.granted).toBe(fits);
            if (fits) expect(answers[index]?.usage).toMatchObject({ dayUsed: used, monthUsed: used });
          }
        }
        expect(await world.counter(subject)).toMatchObject({ dayUsed: used, monthUsed: used });
      }),
      { numRuns: 60 },
    );
  });

  test('connections lost in flight are 503, never retried and never above the limit, and the router recovers', async () => {
    const { key, subject } = await world.issue({ plan: await world.plan({ perDay: 200 }) });
    admitted(await admit(0, key));
    const results = [];
    for (let round = 0; round < 10; round += 1) {
      const wave = Array.from({ length: 40 }, (_, index) => admit(index, key));
      const cut = world.owner.query(sql`/* test.cut */ select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'test-counters'`);
      results.push(...(await Promise.all(wave)));
      await cut;
    }
    const { admitted: granted = 0, upstream_unavailable: unknown = 0, ...others } = tally(results);
    const { dayUsed } = await world.counter(subject);
    expect(Object.keys(others).filter((code) => code !== 'quota_exceeded')).toEqual([]);
    expect(dayUsed).toBeLessThanOrEqual(200);
    expect(dayUsed).toBeGreaterThanOrEqual(1 + granted);
    expect(dayUsed).toBeLessThanOrEqual(1 + granted + unknown);
    const other = await world.issue();
    await eventually(
      async () => (await admit(0, other.key)).kind === 'ADMITTED' && (await admit(1, other.key)).kind === 'ADMITTED',
    );
  });

  test('the router may read its two views and call the functions, and nothing else', async () => {
    const [row] = await world.owner.query<{ tables: number; views: number }>(sql`/* test.privileges */
      select count(*) filter (where relkind = 'r')::int as tables, count(*) filter (where relkind = 'v')::int as views
      from pg_class where relnamespace = 'accounts'::regnamespace and relkind in ('r', 'v')
        and has_table_privilege('talent_router', oid, 'select, insert, update, delete')`);
    expect(row).toEqual({ tables: 0, views: 2 });
  });
});
