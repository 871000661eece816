/** The quota stores: windows and batches against a model, identical for every store. */
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sql } from '../../platform/database/database.ts';
import type { Charge, Limits } from '../../router/admission/quota/store.ts';
import { describeStores } from './admission-stores.ts';
import {
  admitted,
  caller,
  createAdmissionPlatform,
  untilTrue,
  countResults,
  type Router,
  type AdmissionPlatform,
} from './admission-platform.ts';

describeStores('the quota store in', (kind) => {
  let platform: AdmissionPlatform;
  let router: Router;
  beforeAll(async () => {
    platform = await createAdmissionPlatform(kind);
    router = await platform.router();
  });
  afterAll(() => platform.close());

  /** YYYY-MM-DD, a number of days from today. */
  const dayFrom = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  /** YYYY-MM-01, a number of months from this one. */
  const monthFrom = (months: number): string => {
    const now = new Date();
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1)).toISOString().slice(0, 10);
  };

  test('a new day and a new month start at zero, and a window never goes backwards', async () => {
    const { key, subject } = await platform.issue({ plan: await platform.plan({ perDay: 5, perMonth: 5 }) });
    const after = async (days: number, months: number) => {
      await platform.store.write(subject, {
        day: dayFrom(days),
        month: monthFrom(months),
        dayUsed: 3,
        monthUsed: 4,
        dayRefunded: 2,
      });
      admitted(await router.admission.admit(caller(key)));
      return platform.store.read(subject);
    };
    const today = { day: dayFrom(0), month: monthFrom(0) };
    admitted(await router.admission.admit(caller(key)));
    expect(await after(-1, 0)).toEqual({ ...today, dayUsed: 1, monthUsed: 5, dayRefunded: 0 });
    expect(await after(-1, -1)).toEqual({ ...today, dayUsed: 1, monthUsed: 1, dayRefunded: 0 });
    // The clock of another node was slightly ahead of midnight: its day is the current one.
    expect(await after(1, 0)).toEqual({ ...today, day: dayFrom(1), dayUsed: 4, monthUsed: 5, dayRefunded: 2 });
    // A wrong clock left a date far in the future: the count stays, and the day is today again.
    expect(await after(400, 13)).toEqual({ ...today, dayUsed: 4, monthUsed: 5, dayRefunded: 2 });
  });

  test('concurrent requests of every charge have the same results as a sequential model', async () => {
    const limits: Limits = { burstPerMinute: 1_000_000, perDay: 12, perMonth: 30 };
    const take = fc.oneof(
      fc.record({
        charge: fc.constantFrom<Charge>('COUNTED', 'BURST_ONLY', 'COUNTED_NEVER_REJECTED', 'MORE'),
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
          const responses = await Promise.all(
            wave.map(({ charge, cost }) => router.counters.acquire(subject, limits, charge, cost)),
          );
          for (const [index, { charge, cost }] of wave.entries()) {
            const fits = used + cost <= limits.perDay || charge === 'BURST_ONLY' || charge === 'COUNTED_NEVER_REJECTED';
            if (fits && charge !== 'BURST_ONLY') used += cost;
            expect(responses[index]?.acquired).toBe(fits);
            if (fits) expect(responses[index]?.usage).toMatchObject({ dayUsed: used, monthUsed: used });
          }
        }
        expect(await platform.counter(subject)).toMatchObject({ dayUsed: used, monthUsed: used });
      }),
      { numRuns: 40 },
    );
  });

  test('a debt counts once however often it is posted, also above the limit; lagging counters are raised, others stay unchanged', async () => {
    const subject = randomBytes(16).toString('hex');
    const { counters } = router;
    const limits: Limits = { burstPerMinute: 100, perDay: 10, perMonth: 20 };
    await counters.acquire(subject, limits, 'COUNTED', 4);
    const debt = (units: number, day = dayFrom(0)) => ({ id: randomUUID(), subject, day, month: monthFrom(0), units });
    const first = [debt(7), debt(2), debt(5, dayFrom(-1))];
    expect(await counters.postDebts(first)).toEqual([]);
    await Promise.all([counters.postDebts(first), counters.postDebts([...first, debt(1)])]);
    expect(await platform.counter(subject)).toEqual({ dayUsed: 14, monthUsed: 19, dayRefunded: 0 });
    expect((await counters.acquire(subject, limits, 'COUNTED', 1)).usage).toMatchObject({ dayUsed: 14, burstLeft: 99 });

    const level = (dayUsed: number, monthUsed: number, day = dayFrom(0)) => ({
      subject,
      day,
      dayUsed,
      month: monthFrom(0),
      monthUsed,
    });
    expect(await counters.raise([level(14, 19)])).toBe(0);
    expect(await counters.raise([level(30, 18)])).toBe(1);
    expect(await counters.raise([level(99, 18, dayFrom(-1))])).toBe(0);
    expect(await platform.counter(subject)).toEqual({ dayUsed: 30, monthUsed: 19, dayRefunded: 0 });
  });
});

describe('PostgreSQL', () => {
  let platform: AdmissionPlatform;
  beforeAll(async () => {
    platform = await createAdmissionPlatform();
  });
  afterAll(() => platform.close());

  test('while a row is locked its subject uses the local budget, other subjects of the batch are counted, and the router recovers', async () => {
    const { admission } = await platform.router();
    const { key, subject } = await platform.issue();
    const others = await Promise.all([platform.issue(), platform.issue(), platform.issue()]);
    const writesOf = async (of: string) => admitted(await admission.admit(caller(of))).writes;
    await Promise.all([key, ...others.map((other) => other.key)].map(writesOf));
    await platform.owner.transaction(async (transaction) => {
      await transaction.query(
        sql`/* test.lock */ select 1 from accounts.quota_counter where subject = decode(${subject}, 'hex') for update`,
      );
      expect(await Promise.all([key, ...others.map((other) => other.key)].map(writesOf))).toEqual([
        'UNAVAILABLE',
        'ALLOWED',
        'ALLOWED',
        'ALLOWED',
      ]);
      // the second charge of a write, without further cost
      expect(admitted(await admission.admit(caller(key), { charge: 'MORE', cost: 0 })).writes).toBe('UNAVAILABLE');
    });
    expect(admission.degraded()).toBe(1);
    await untilTrue(async () => (await writesOf(key)) === 'ALLOWED');
    await untilTrue(async () => (await platform.counter(subject)).dayUsed > admission.degraded());
  });

  const change = async (verb: string, to: string): Promise<void> => {
    for (const name of ['quota_take_many', 'quota_owe'])
      await platform.owner.pool.query(`/* test.grant */ ${verb} execute on function accounts.${name} ${to} talent_router`);
  };

  test('a /64 owes nothing for requests that its /48 rejects while the store is down', async () => {
    const { admission } = await platform.router();
    await platform.freePlan({ perDay: 100 });
    await change('revoke', 'from');
    const results = [];
    for (let network = 0; network < 14; network += 1)
      results.push(await admission.admit(caller([], `2001:db8:77:${network}::1`)));
    expect(countResults(results)).toEqual({ admitted: 10, rate_limited: 4 });
    await change('grant', 'to');
    await admission.close();
    // the subjects of addresses are longer than those of keys
    const [counted] = await platform.owner.query(sql`/* test.counted */
      select sum(day_used)::int as units from accounts.quota_counter where octet_length(subject) = 32`);
    expect(counted).toEqual({ units: 20 });
  });

  test('a router posts its debts on shutdown, including those that failed before', async () => {
    const { admission, logged } = await platform.router();
    const { key, subject } = await platform.issue();
    await change('revoke', 'from');
    for (let request = 0; request < 3; request += 1) admitted(await admission.admit(caller(key)));
    await untilTrue(() => Promise.resolve(JSON.stringify(logged).includes('still unavailable')));
    await change('grant', 'to');
    await admission.close();
    expect(await platform.counter(subject)).toMatchObject({ dayUsed: 3 });
  });

  test('the role of the router can read its two views and call its functions, and nothing else', async () => {
    const [row] = await platform.owner.query<{ tables: number; views: number }>(sql`/* test.privileges */
      select count(*) filter (where relkind = 'r')::int as tables, count(*) filter (where relkind = 'v')::int as views
      from pg_class where relnamespace = 'accounts'::regnamespace and relkind in ('r', 'v')
        and has_table_privilege('talent_router', oid, 'select, insert, update, delete')`);
    expect(row).toEqual({ tables: 0, views: 2 });
  });
});
