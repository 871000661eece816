/** Requests admitted while the quota store is down, and how they are counted afterwards. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from '../../platform/database/database.ts';
import { createLocalBudgets } from '../../router/admission/quota/local-budgets.ts';
import {
  admitted,
  caller,
  createAdmissionPlatform,
  untilTrue,
  rejected,
  countResults,
  type IssuedKey,
  type Router,
  type AdmissionPlatform,
} from './admission-platform.ts';
import { withRedis } from '../redis.ts';

const perDay = 1000;
/** 1 % of the daily quota. */
const budget = perDay / 100;

withRedis(describe)('while Redis is down', () => {
  let platform: AdmissionPlatform;
  let router: Router;
  beforeAll(async () => {
    platform = await createAdmissionPlatform('Redis');
    router = await platform.router();
  });
  afterAll(() => platform.close());

  const issue = async (): Promise<IssuedKey> => platform.issue({ plan: await platform.plan({ perDay }) });
  const many = (key: string, count: number) =>
    Promise.all(Array.from({ length: count }, () => router.admission.admit(caller(key))));
  const backFor = (key: string) =>
    untilTrue(async () => {
      const result = await router.admission.admit(caller(key), { charge: 'BURST_ONLY' });
      return result.kind === 'ADMITTED' && result.writes === 'ALLOWED';
    });

  test('reads continue within the budget and writes are rejected; a Redis that restarts empty gets its counters back, and debts are added once', async () => {
    const { key, subject } = await issue();
    const [server] = platform.store.servers;
    await many(key, 5);
    // what the usage flush writes
    await platform.owner
      .query(sql`/* test.flushedUsage */ insert into accounts.subject_usage values (decode(${subject}, 'hex'), current_date, 5, 5,
      date_trunc('month', now())::date, 5, 5, current_date)`);
    await server?.kill();
    const since = router.admission.degraded();
    const results = await many(key, 50);
    expect(countResults(results)).toEqual({ admitted: budget, rate_limited: 50 - budget });
    expect(results.filter((result) => result.kind === 'ADMITTED').map(({ writes }) => writes)).toEqual(
      Array(budget).fill('UNAVAILABLE'),
    );
    expect(rejected(await router.admission.admit(caller(key))).headers).toEqual({ 'retry-after': '1' });
    expect(router.admission.degraded() - since).toBe(budget);
    expect(router.logged).toContainEqual([expect.objectContaining({ admitted: expect.any(Number) }), 'quota_degraded']);
    await server?.start();
    await backFor(key);
    await untilTrue(async () => (await platform.counter(subject)).dayUsed === 5 + budget);
    admitted(await router.admission.admit(caller(key)));
    expect(await platform.counter(subject)).toEqual({ dayUsed: 6 + budget, monthUsed: 6 + budget, dayRefunded: 0 });
  });

  test('failed requests are refunded to the budget', async () => {
    const { key, subject } = await issue();
    const [server] = platform.store.servers;
    admitted(await router.admission.admit(caller(key)));
    await platform.owner
      .query(sql`/* test.flushedUsage */ insert into accounts.subject_usage values (decode(${subject}, 'hex'), current_date, 1, 1,
      date_trunc('month', now())::date, 1, 1, current_date)`);
    await server?.kill();
    for (let request = 0; request < 2 * budget; request += 1)
      admitted(await router.admission.admit(caller(key))).settle({ status: 503 });
    const costly = admitted(await router.admission.admit(caller(key)));
    expect(await costly.charge(budget - 1)).toBeNull();
    expect((await costly.charge(1))?.problem.code).toBe('rate_limited');
    await server?.start();
    await backFor(key);
    await untilTrue(async () => (await platform.counter(subject)).dayUsed === 1 + budget);
  });

  test('a Redis that does not respond counts as down after a second, and it counted at most the requests with an unknown outcome', async () => {
    const { key, subject } = await issue();
    const [server] = platform.store.servers;
    admitted(await router.admission.admit(caller(key)));
    server?.freeze();
    const results = await many(key, 8);
    expect(countResults(results)).toEqual({ admitted: 8 });
    server?.thaw();
    await backFor(key);
    await untilTrue(async () => (await platform.counter(subject)).dayUsed >= 9);
    expect((await platform.counter(subject)).dayUsed).toBeLessThanOrEqual(1 + 8 + 8);
  });

  test('without PostgreSQL, callers with a counter in Redis are counted there, and others use the budget', async () => {
    const [known, other] = [await issue(), await issue()];
    await many(known.key, 2);
    // the key is looked up without being counted
    admitted(await router.admission.admit(caller(other.key), { charge: 'MORE', cost: 0 }));
    const change = (verb: string, to: string) =>
      platform.owner.pool.query(`/* test.grant */ ${verb} execute on function accounts.quota_hydrate ${to} talent_router`);
    await change('revoke', 'from');
    expect((await many(known.key, 3)).map((result) => admitted(result).writes)).toEqual(Array(3).fill('ALLOWED'));
    expect((await many(other.key, 3)).map((result) => admitted(result).writes)).toEqual(Array(3).fill('UNAVAILABLE'));
    await change('grant', 'to');
    await untilTrue(async () => (await platform.counter(other.subject)).dayUsed === 3);
    expect(await platform.counter(known.subject)).toMatchObject({ dayUsed: 5 });
  });
});

withRedis(test)('while one server of a cluster is down, callers on the others are counted as usual', async () => {
  const platform = await createAdmissionPlatform('a Redis cluster');
  const router = await platform.router();
  const plan = await platform.plan({ perDay });
  const keys = await Promise.all(Array.from({ length: 12 }, () => platform.issue({ plan })));
  for (const { key } of keys) admitted(await router.admission.admit(caller(key)));
  const [server] = platform.store.servers;
  const { host } = new URL(server?.url ?? '');
  await server?.kill();
  const writes = await Promise.all(keys.map(async ({ key }) => admitted(await router.admission.admit(caller(key))).writes));
  expect(writes).toEqual(keys.map(({ subject }) => (router.counters.serverOf(subject) === host ? 'UNAVAILABLE' : 'ALLOWED')));
  expect(new Set(writes).size).toBe(2);
  await platform.close();
});

test('a flood of addresses does not reduce the budgets of keys', () => {
  const budgets = createLocalBudgets();
  const limits = { burstPerMinute: 60, perDay: 1000, perMonth: 10_000 };
  const take = (subject: string) => budgets.acquire(subject, limits, 'COUNTED', 1, Date.UTC(2026, 10, 22))?.acquired ?? null;
  const address = (index: number): string => index.toString(16).padStart(64, '0');
  for (let index = 0; index < 100_000; index += 1) take(address(index));
  expect([take(address(100_000)), take(address(1)), take('0'.repeat(32))]).toEqual([null, true, true]);
});
