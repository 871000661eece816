import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sql } from '../../platform/database.ts';
import type { Charge, Limits } from '../../router/admission/quota/store.ts';
import { admitted, caller, createWorld, eventually, refused, tally, type Router, type World } from './admission-world.ts';

describe('quotas', () => {
  let world: World;
  let routers: readonly [Router, Router];
  beforeAll(async () => {
    world = await createWorld();
    routers = [world.router(), world.router()];
  });
  afterAll(() => world.close());

  const admit = (index: number, key: string | readonly string[], address?: string) =>
    (index % 2 === 0 ? routers[0] : routers[1]).admission.admit(caller(key, address));

  /** Leaves so much of today to a subject that has been counted once. */
  const leave = (subject: string, { day, month }: { day: number; month: number }) =>
    world.owner.query(sql`/* test.leave */ update accounts.quota_counter set day_used = ${day}, month_used = ${month}
      where subject = decode(${subject}, 'hex')`);

  test('500 concurrent requests against a key with 100 left today, over two routers: exactly 100 succeed, the month says 100 more', async () => {
    const { key, subject } = await world.issue({ plan: await world.plan({ perDay: 1000, perMonth: 10_000 }) });
    await admit(0, key);
    await leave(subject, { day: 900, month: 4000 });
    const results = await Promise.all(Array.from({ length: 500 }, (_, index) => admit(index, key)));
    expect(tally(results)).toEqual({ admitted: 100, quota_exceeded: 400 });
    expect(await world.counter(subject)).toEqual({ dayUsed: 1000, monthUsed: 4100, dayRefunded: 0 });
    const remaining = results.flatMap((result) =>
      result.kind === 'ADMITTED' ? [Number(/"day";r=(\d+)/.exec(result.headers.ratelimit ?? '')?.[1])] : [],
    );
    expect(remaining.sort((left, right) => left - right)).toEqual(Array.from({ length: 100 }, (_, left) => left));
  });

  test('the same for an anonymous address', async () => {
    await world.freePlan({ perDay: 100, perMonth: 10_000 });
    const fresh = [world.router(), world.router()] as const;
    const results = await Promise.all(
      Array.from({ length: 500 }, (_, index) =>
        fresh[index % 2 === 0 ? 0 : 1].admission.admit(caller([], index % 3 === 0 ? '::ffff:198.51.100.1' : '198.51.100.1')),
      ),
    );
    expect(tally(results)).toEqual({ admitted: 100, quota_exceeded: 400 });
    expect(await world.counter()).toMatchObject({ dayUsed: 100, monthUsed: 100 });
    expect((await fresh[0].admission.admit(caller([], '198.51.100.2'))).kind).toBe('ADMITTED');
  });

  test('many subjects at once are each granted exactly their own', async () => {
    const plan = await world.plan({ perDay: 7 });
    const keys = await Promise.all(Array.from({ length: 20 }, () => world.issue({ plan })));
    const results = await Promise.all(
      Array.from({ length: 400 }, (_, index) => admit(Math.floor(index / 20), keys[index % 20]?.key ?? '')),
    );
    expect(tally(results)).toEqual({ admitted: 140, quota_exceeded: 260 });
    for (const { subject } of keys) expect(await world.counter(subject)).toMatchObject({ dayUsed: 7, monthUsed: 7 });
  });

  test('a day-refused request leaves the month untouched, a month-refused one the day, a burst-refused one both', async () => {
    const byDay = await world.issue({ plan: await world.plan({ perDay: 1, perMonth: 10 }) });
    const byMonth = await world.issue({ plan: await world.plan({ perDay: 10, perMonth: 1 }) });
    const byBurst = await world.issue({ plan: await world.plan({ burstPerMinute: 1 }) });
    const codes = [];
    for (const { key } of [byDay, byMonth, byBurst]) {
      await admit(0, key);
      codes.push(refused(await admit(0, key)).problem.code, refused(await admit(1, key)).problem.code);
    }
    expect(codes).toEqual([
      'quota_exceeded',
      'quota_exceeded',
      'quota_exceeded',
      'quota_exceeded',
      'rate_limited',
      'rate_limited',
    ]);
    for (const { subject } of [byDay, byMonth, byBurst])
      expect(await world.counter(subject)).toMatchObject({ dayUsed: 1, monthUsed: 1 });
  });

  test('the body and the headers of a refusal say what was violated and when it ends', async () => {
    const plan = await world.plan({ perDay: 2, perMonth: 10 });
    const { key } = await world.issue({ plan });
    await admit(0, key);
    expect(admitted(await admit(0, key)).headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0' });
    const { problem, headers, keyed } = refused(await admit(0, key));
    const midnight = new Date(Math.floor(Date.now() / 86_400_000 + 1) * 86_400_000).toISOString();
    expect(problem.extensions).toMatchObject({
      code: 'quota_exceeded',
      'violated-policies': ['day'],
      plan,
      limit: 2,
      used: 2,
      resetAt: midnight,
    });
    expect(Math.abs(Number(headers['retry-after']) - (Date.parse(midnight) - Date.now()) / 1000)).toBeLessThan(3);
    expect(headers.ratelimit).toMatch(/^"day";r=0;t=\d+, "month";r=8;t=\d+$/);
    expect(keyed).toBe(true);
  });

  test('a burst lets its whole bucket through at once, 900 being 900, and says how long to wait', async () => {
    const { key } = await world.issue({ plan: 'pro' });
    const first = await Promise.all(Array.from({ length: 1000 }, (_, index) => admit(index, key)));
    const counts = tally(first);
    // Over the test's own time the bucket refills by 15 a second.
    expect(counts.admitted).toBeGreaterThanOrEqual(900);
    expect(counts.admitted).toBeLessThan(930);
    const slow = await world.issue({ plan: await world.plan({ burstPerMinute: 2 }) });
    await Promise.all([admit(0, slow.key), admit(0, slow.key)]);
    const { problem, headers } = refused(await admit(0, slow.key));
    expect(problem.extensions).toMatchObject({ code: 'rate_limited', 'violated-policies': ['burst'], limit: 2 });
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(29);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(30);
    expect(headers.ratelimit).toMatch(/^"burst";r=0;t=(29|30), "day"/);
  });

  test('a denial is cached, and ends when the burst has refilled', async () => {
    const { key } = await world.issue({ plan: await world.plan({ burstPerMinute: 120 }) });
    await Promise.all(Array.from({ length: 120 }, () => admit(0, key)));
    await eventually(async () => (await admit(0, key)).kind === 'REFUSED');
    const since = performance.now();
    await eventually(async () => (await admit(0, key)).kind === 'ADMITTED');
    expect(performance.now() - since).toBeLessThan(700);
  });

  test('an upgrade applies at once and keeps the counters', async () => {
    const { key, publicId, subject } = await world.issue({ plan: await world.plan({ perDay: 1 }) });
    await admit(0, key);
    expect((await admit(0, key)).kind).toBe('REFUSED');
    await world.owner.query(sql`/* test.upgrade */ update accounts.api_key set plan_code = 'pro' where public_id = ${publicId}`);
    await eventually(async () => (await admit(0, key)).kind === 'ADMITTED');
    expect(await world.counter(subject)).toMatchObject({ dayUsed: 2 });
  });

  test('a cost is charged whole or not at all, and takes one of the burst', async () => {
    const { key, subject } = await world.issue({ plan: await world.plan({ burstPerMinute: 3, perDay: 100 }) });
    const { admission } = routers[0];
    admitted(await admission.admit(caller(key), { cost: 60 }));
    const refusal = refused(await admission.admit(caller(key), { cost: 41 }));
    expect(refusal.problem.extensions).toMatchObject({ 'violated-policies': ['day'], limit: 100, used: 60 });
    const costly = admitted(await admission.admit(caller(key)));
    expect((await costly.charge(40))?.problem.code).toBe('quota_exceeded');
    expect(await costly.charge(39)).toBeNull();
    expect(costly.headers['x-ratelimit-remaining']).toBe('0');
    expect(await world.counter(subject)).toMatchObject({ dayUsed: 100, monthUsed: 100 });
    costly.settle({ status: 503 });
    await eventually(async () => (await world.counter(subject)).dayUsed === 80);
  });

  test('/usage and /me take of the burst only, /plans counts and is never refused for quota', async () => {
    const { key, subject } = await world.issue({ plan: await world.plan({ burstPerMinute: 4, perDay: 1 }) });
    const { admission } = routers[0];
    admitted(await admission.admit(caller(key), { charge: 'BURST_ONLY' }));
    expect(await world.counter(subject)).toMatchObject({ dayUsed: 0 });
    admitted(await admission.admit(caller(key)));
    expect(refused(await admission.admit(caller(key))).problem.code).toBe('quota_exceeded');
    const plans = admitted(await admission.admit(caller(key), { charge: 'COUNTED_NEVER_REFUSED' }));
    expect(plans.headers['x-ratelimit-remaining']).toBe('0');
    admitted(await admission.admit(caller(key), { charge: 'BURST_ONLY' }));
    expect(await world.counter(subject)).toMatchObject({ dayUsed: 2, monthUsed: 2 });
    expect(refused(await admission.admit(caller(key), { charge: 'BURST_ONLY' })).problem.code).toBe('rate_limited');
  });

  test('500, 502 and 503 are refunded once, other outcomes never, at most 20 or one per cent of a day', async () => {
    const { key, subject } = await world.issue({ plan: await world.plan({ perDay: 3000 }) });
    for (const status of [200, 304, 404, 429, 504]) admitted(await admit(0, key)).settle({ status });
    const failing = admitted(await admit(0, key));
    failing.settle({ status: 500 });
    failing.settle({ status: 500 });
    await eventually(async () => (await world.counter(subject)).dayRefunded === 1);
    expect(await world.counter(subject)).toEqual({ dayUsed: 5, monthUsed: 5, dayRefunded: 1 });
    const outage = await Promise.all(Array.from({ length: 100 }, (_, index) => admit(index, key)));
    for (const [index, result] of outage.entries()) admitted(result).settle({ status: index % 2 === 0 ? 502 : 503 });
    await eventually(async () => (await world.counter(subject)).dayRefunded === 30);
    await Promise.all(routers.map(({ counters }) => counters.close()));
    expect(await world.counter(subject)).toEqual({ dayUsed: 76, monthUsed: 76, dayRefunded: 30 });
  });

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

  test('a locked row is 503 within half a second, charges nothing, and the router recovers', async () => {
    const { key, subject } = await world.issue({ plan: await world.plan({}) });
    admitted(await admit(0, key));
    await world.owner.transaction(async (transaction) => {
      await transaction.query(
        sql`/* test.lock */ select 1 from accounts.quota_counter where subject = decode(${subject}, 'hex') for update`,
      );
      const since = performance.now();
      expect(refused(await admit(0, key)).problem.code).toBe('upstream_unavailable');
      expect(performance.now() - since).toBeLessThan(500);
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
