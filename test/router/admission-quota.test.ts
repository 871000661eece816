/** Quotas admit exactly what is left. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from '../../platform/database/database.ts';
import { createAddressSubjects } from '../../router/admission/quota/subject.ts';
import { describeStores } from './admission-stores.ts';
import {
  admitted,
  caller,
  createAdmissionPlatform,
  untilTrue,
  rejected,
  countResults,
  type Router,
  type AdmissionPlatform,
} from './admission-platform.ts';

describeStores('quotas in', (kind) => {
  let platform: AdmissionPlatform;
  let routers: readonly [Router, Router];
  beforeAll(async () => {
    platform = await createAdmissionPlatform(kind);
    routers = [await platform.router(), await platform.router()];
  });
  afterAll(() => platform.close());

  const admit = (index: number, key: string | readonly string[], address?: string) =>
    (index % 2 === 0 ? routers[0] : routers[1]).admission.admit(caller(key, address));

  test('of 500 concurrent requests over two routers with 100 left today exactly 100 succeed, and the month counts 100', async () => {
    const { key, subject } = await platform.issue({ plan: await platform.plan({ perDay: 1000, perMonth: 10_000 }) });
    await admit(0, key);
    await platform.leave(subject, { day: 900, month: 4000 });
    const results = await Promise.all(Array.from({ length: 500 }, (_, index) => admit(index, key)));
    expect(countResults(results)).toEqual({ admitted: 100, quota_exceeded: 400 });
    expect(await platform.counter(subject)).toEqual({ dayUsed: 1000, monthUsed: 4100, dayRefunded: 0 });
    const remaining = results.flatMap((result) =>
      result.kind === 'ADMITTED' ? [Number(/"day";r=(\d+)/.exec(result.headers.ratelimit ?? '')?.[1])] : [],
    );
    expect(remaining.sort((left, right) => left - right)).toEqual(Array.from({ length: 100 }, (_, left) => left));
  });

  test('the same applies to an anonymous address', async () => {
    await platform.freePlan({ perDay: 100, perMonth: 10_000 });
    const fresh = [await platform.router(), await platform.router()] as const;
    const results = await Promise.all(
      Array.from({ length: 500 }, (_, index) =>
        fresh[index % 2 === 0 ? 0 : 1].admission.admit(caller([], index % 3 === 0 ? '::ffff:198.51.100.1' : '198.51.100.1')),
      ),
    );
    expect(countResults(results)).toEqual({ admitted: 100, quota_exceeded: 400 });
    const subjects = createAddressSubjects(platform.secrets.derive('address-pepper'), Date.now);
    expect(await platform.counter(subjects('198.51.100.1').subject)).toMatchObject({ dayUsed: 100, monthUsed: 100 });
    expect((await fresh[0].admission.admit(caller([], '198.51.100.2'))).kind).toBe('ADMITTED');
  });

  test('an IPv6 /48 has ten times the limits, and a /64 that it rejects is not charged', async () => {
    await platform.freePlan({ perDay: 5, perMonth: 1000 });
    const fresh = [await platform.router(), await platform.router()] as const;
    const admitFrom = (network: number, index: number) =>
      fresh[index % 2 === 0 ? 0 : 1].admission.admit(caller([], `2001:db8:77:${network.toString(16)}::${index + 1}`));
    const responses = await Promise.all(
      Array.from({ length: 9 }, (_, network) => [0, 1, 2, 3, 4, 5].map((index) => admitFrom(network, index))).flat(),
    );
    expect(countResults(responses)).toEqual({ admitted: 45, quota_exceeded: 9 });
    const rest = await Promise.all(Array.from({ length: 12 }, (_, index) => admitFrom(16 + (index % 3), index)));
    expect(countResults(rest)).toEqual({ admitted: 5, quota_exceeded: 7 });
    const { problem, headers } = rejected(await admitFrom(99, 0));
    expect(problem.extensions).toMatchObject({ 'violated-policies': ['day'], limit: 50, used: 50, network: '2001:db8:77::/48' });
    expect(problem.message).toContain('All addresses of the network 2001:db8:77::/48 together have 50 requests per day');
    expect(headers.ratelimit).toMatch(/^"day";r=0;t=\d+, "month";r=9950;/);
    const subjects = createAddressSubjects(platform.secrets.derive('address-pepper'), Date.now);
    await untilTrue(async () => (await platform.counter(subjects('2001:db8:77:63::1').subject)).dayUsed === 0);
    const used = () =>
      Promise.all(
        [16, 17, 18].map(
          async (network) => (await platform.counter(subjects(`2001:db8:77:${network.toString(16)}::1`).subject)).dayUsed,
        ),
      );
    await untilTrue(async () => (await used()).reduce((sum, each) => sum + each) === 5);
    expect((await fresh[0].admission.admit(caller([], '2001:db8:78::1'))).kind).toBe('ADMITTED');

    const failing = admitted(await fresh[0].admission.admit(caller([], '2001:db8:79::1')));
    const { subject, outer } = subjects('2001:db8:79::1');
    expect(await failing.charge(3)).toBeNull();
    expect((await failing.charge(2))?.problem.extensions).toMatchObject({ limit: 5, used: 4 });
    expect(await platform.counter(outer?.subject ?? '')).toMatchObject({ dayUsed: 4, monthUsed: 4 });
    failing.settle({ status: 503 });
    for (const each of [subject, outer?.subject ?? '']) await untilTrue(async () => (await platform.counter(each)).dayUsed === 0);
  });

  test('many concurrent subjects each get exactly their own quota', async () => {
    const plan = await platform.plan({ perDay: 7 });
    const keys = await Promise.all(Array.from({ length: 20 }, () => platform.issue({ plan })));
    const results = await Promise.all(
      Array.from({ length: 400 }, (_, index) => admit(Math.floor(index / 20), keys[index % 20]?.key ?? '')),
    );
    expect(countResults(results)).toEqual({ admitted: 140, quota_exceeded: 260 });
    for (const { subject } of keys) expect(await platform.counter(subject)).toMatchObject({ dayUsed: 7, monthUsed: 7 });
  });

  test('a rejection by the day leaves the month unchanged, one by the month the day, one by the burst both', async () => {
    const byDay = await platform.issue({ plan: await platform.plan({ perDay: 1, perMonth: 10 }) });
    const byMonth = await platform.issue({ plan: await platform.plan({ perDay: 10, perMonth: 1 }) });
    const byBurst = await platform.issue({ plan: await platform.plan({ burstPerMinute: 1 }) });
    const codes = [];
    for (const { key } of [byDay, byMonth, byBurst]) {
      await admit(0, key);
      codes.push(rejected(await admit(0, key)).problem.code, rejected(await admit(1, key)).problem.code);
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
      expect(await platform.counter(subject)).toMatchObject({ dayUsed: 1, monthUsed: 1 });
  });

  test('the body and the headers of a rejection name the violated window and its reset', async () => {
    const plan = await platform.plan({ perDay: 2, perMonth: 10 });
    const { key } = await platform.issue({ plan });
    await admit(0, key);
    expect(admitted(await admit(0, key)).headers).toMatchObject({ 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0' });
    const { problem, headers, authenticated } = rejected(await admit(0, key));
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
    expect(authenticated).toBe(true);
  });

  test('a burst admits its whole bucket at once, exactly 900, and reports how long to wait', async () => {
    const { key } = await platform.issue({ plan: 'pro' });
    const since = performance.now();
    const first = await Promise.all(Array.from({ length: 1000 }, (_, index) => admit(index, key)));
    const refilled = ((performance.now() - since) / 1000) * 15;
    const counts = countResults(first);
    expect(counts.admitted).toBeGreaterThanOrEqual(900);
    expect(counts.admitted).toBeLessThanOrEqual(900 + Math.ceil(refilled));
    const slow = await platform.issue({ plan: await platform.plan({ burstPerMinute: 2 }) });
    await Promise.all([admit(0, slow.key), admit(0, slow.key)]);
    const { problem, headers } = rejected(await admit(0, slow.key));
    expect(problem.extensions).toMatchObject({ code: 'rate_limited', 'violated-policies': ['burst'], limit: 2 });
    expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(20);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(30);
    expect(headers.ratelimit).toMatch(/^"burst";r=0;t=[23]\d, "day"/);
  });

  test('a rejection is cached until the burst has refilled', async () => {
    const { key } = await platform.issue({ plan: await platform.plan({ burstPerMinute: 120 }) });
    await Promise.all(Array.from({ length: 120 }, () => admit(0, key)));
    await untilTrue(async () => (await admit(0, key)).kind === 'REJECTED');
    await untilTrue(async () => (await admit(0, key)).kind === 'ADMITTED');
  });

  test('an upgrade applies at once and keeps the counters', async () => {
    const { key, publicId, subject } = await platform.issue({ plan: await platform.plan({ perDay: 1 }) });
    await admit(0, key);
    expect((await admit(0, key)).kind).toBe('REJECTED');
    await platform.owner.query(
      sql`/* test.upgrade */ update accounts.api_key set plan_code = 'pro' where public_id = ${publicId}`,
    );
    await untilTrue(async () => (await admit(0, key)).kind === 'ADMITTED');
    expect(await platform.counter(subject)).toMatchObject({ dayUsed: 2 });
  });

  test('a cost is charged completely or not at all, and takes one of the burst', async () => {
    const { key, subject } = await platform.issue({ plan: await platform.plan({ burstPerMinute: 3, perDay: 100 }) });
    const { admission } = routers[0];
    admitted(await admission.admit(caller(key), { cost: 60 }));
    const rejection = rejected(await admission.admit(caller(key), { cost: 41 }));
    expect(rejection.problem.extensions).toMatchObject({ 'violated-policies': ['day'], limit: 100, used: 60 });
    const costly = admitted(await admission.admit(caller(key)));
    expect((await costly.charge(40))?.problem.code).toBe('quota_exceeded');
    expect(await costly.charge(39)).toBeNull();
    expect(costly.headers['x-ratelimit-remaining']).toBe('0');
    expect(await platform.counter(subject)).toMatchObject({ dayUsed: 100, monthUsed: 100 });
    costly.settle({ status: 503 });
    await untilTrue(async () => (await platform.counter(subject)).dayUsed === 80);
  });

  test('/usage and /me use only the burst; /plans is counted and never rejected by the quota', async () => {
    const { key, subject } = await platform.issue({ plan: await platform.plan({ burstPerMinute: 4, perDay: 1 }) });
    const { admission } = routers[0];
    admitted(await admission.admit(caller(key), { charge: 'BURST_ONLY' }));
    expect(await platform.counter(subject)).toMatchObject({ dayUsed: 0 });
    admitted(await admission.admit(caller(key)));
    expect(rejected(await admission.admit(caller(key))).problem.code).toBe('quota_exceeded');
    const plans = admitted(await admission.admit(caller(key), { charge: 'COUNTED_NEVER_REJECTED' }));
    expect(plans.headers['x-ratelimit-remaining']).toBe('0');
    admitted(await admission.admit(caller(key), { charge: 'BURST_ONLY' }));
    expect(await platform.counter(subject)).toMatchObject({ dayUsed: 2, monthUsed: 2 });
    expect(rejected(await admission.admit(caller(key), { charge: 'BURST_ONLY' })).problem.code).toBe('rate_limited');
  });

  test('500, 502 and 503 are refunded once, other errors never, up to 20 units or 1 % of the day', async () => {
    const { key, subject } = await platform.issue({ plan: await platform.plan({ perDay: 3000 }) });
    for (const status of [200, 400, 404, 429, 504]) admitted(await admit(0, key)).settle({ status });
    const failing = admitted(await admit(0, key));
    failing.settle({ status: 500 });
    failing.settle({ status: 500 });
    await untilTrue(async () => (await platform.counter(subject)).dayRefunded === 1);
    expect(await platform.counter(subject)).toEqual({ dayUsed: 5, monthUsed: 5, dayRefunded: 1 });
    const outage = await Promise.all(Array.from({ length: 100 }, (_, index) => admit(index, key)));
    for (const [index, result] of outage.entries()) admitted(result).settle({ status: index % 2 === 0 ? 502 : 503 });
    await untilTrue(async () => (await platform.counter(subject)).dayRefunded === 30);
    await Promise.all(routers.map(({ counters }) => counters.close()));
    expect(await platform.counter(subject)).toEqual({ dayUsed: 76, monthUsed: 76, dayRefunded: 30 });
  });
});
