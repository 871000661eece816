/** Usage reaches Stripe exactly once, whatever happens between sending and recording. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createOutgoingClient } from '../../../platform/http/outgoing-client.ts';
import { sql } from '../../../platform/database/database.ts';
import { createLog } from '../../../platform/log.ts';
import { countHeld } from '../../../subgraphs/accounts/meter-events/events.ts';
import { createMeterReporter } from '../../../subgraphs/accounts/meter-events/reporter.ts';
import { retryPauseMs } from '../../../subgraphs/accounts/meter-events/retry-pause.ts';
import { faults, openStripe, type Fault, type Stripe } from '../../stripe.ts';
import { openUsageFixture, type UsageFixture } from './usage-fixture.ts';

let fixture: UsageFixture;
let stripe: Stripe;
const outgoing = createOutgoingClient({ allowLocal: true });
const lines: string[] = [];
const log = createLog({ name: 'test', level: 'info', destination: { write: (line) => void lines.push(line) } });
beforeAll(async () => {
  [fixture, stripe] = await Promise.all([openUsageFixture(), openStripe()]);
});
afterAll(async () => {
  await stripe.close();
  await outgoing.close();
  await fixture.close();
});
beforeEach(async () => {
  stripe.fail();
  await fixture.owner.query(sql`/* test.disconnect */ update accounts.account set stripe_customer_id = null`);
  lines.length = 0;
});

const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

let holders = 0;
/** An account with a Stripe customer. */
async function holder(customer = `cus_${(holders += 1)}`) {
  const { account, lineage, key } = await fixture.createHolder(customer, 'pro', '2024-01-01T00:00:00Z');
  await fixture.owner.query(
    sql`/* test.customer */ update accounts.account set stripe_customer_id = ${customer} where id = ${account}`,
  );
  return {
    account,
    customer,
    use: (day: string, units: number) => fixture.flush([{ at: `${day}T00:00:00Z`, account, lineage, key, requests: units }]),
  };
}

/** The units of an account in the rollups, per day. */
async function usedBy(account: string): Promise<Record<string, number>> {
  const rows = await fixture.owner.query<{ day: string; units: number }>(sql`/* test.used */
    select (starts_at at time zone 'UTC')::date::text as day, sum(units)::int as units from accounts.usage
    where granularity = 'DAY' and account_id = ${account} group by 1`);
  return Object.fromEntries(rows.map(({ day, units }) => [day, units]));
}

/** Runs a process until it ends, or is killed while a request hangs. Unless `pauses` apply, failed events are due now. */
async function runProcess({ settings = stripe.settings, pauses = false } = {}): Promise<void> {
  const ended = new AbortController();
  stripe.onHanging(() => ended.abort(new Error('killed')));
  if (!pauses)
    await fixture.owner.query(sql`/* test.due */ update accounts.meter_event set next_attempt_at = now() where rejection is null`);
  const reporter = createMeterReporter({
    database: fixture.area,
    outgoing,
    settings,
    log,
    isActive: () => true,
    signal: ended.signal,
  });
  await reporter.report().catch((error: unknown) => {
    if (!ended.signal.aborted) throw error;
  });
}

const unsent = async (): Promise<number> => {
  const rows = await fixture.owner.query(sql`/* test.unsent */ select from accounts.meter_event e
    join accounts.account a on a.id = e.account_id where sent_at is null and a.stripe_customer_id is not null`);
  return rows.length;
};

/** Starts processes until all usage is sent. */
async function reportAll(): Promise<void> {
  stripe.fail();
  for (let round = 0; round < 20; round += 1) {
    await runProcess();
    if ((await unsent()) === 0) return;
  }
  throw new Error('events stay unsent');
}

describe('usage', () => {
  test('of each day is sent once per growth, with the form that Stripe documents', async () => {
    const { account, customer, use } = await holder();
    const [today, yesterday] = [dayBefore(0), dayBefore(1)];
    await use(today, 3);
    await use(yesterday, 5);
    const first = stripe.requests.length;
    await runProcess();
    await runProcess();
    expect(stripe.unitsOf(customer)).toEqual({ [today]: 3, [yesterday]: 5 });
    expect(stripe.requests).toHaveLength(first + 2);
    const { headers, form } = stripe.requests[first] ?? {};
    expect(headers).toMatchObject({
      authorization: `Bearer ${stripe.settings.secretKey}`,
      'content-type': 'application/x-www-form-urlencoded',
      'stripe-version': '2025-07-30.basil',
      'idempotency-key': `usage-${account}-${yesterday}-1-1`,
    });
    expect(Object.fromEntries(form ?? [])).toEqual({
      event_name: 'api_units',
      identifier: `usage-${account}-${yesterday}-1`,
      timestamp: String(Date.parse(yesterday) / 1_000),
      'payload[stripe_customer_id]': customer,
      'payload[value]': '5',
    });
    // a router reports late, and the day still grows
    await use(yesterday, 2);
    await use(today, 1);
    await runProcess();
    expect(stripe.unitsOf(customer)).toEqual({ [today]: 4, [yesterday]: 7 });
    expect(stripe.requests.slice(-2).map((each) => each.form.get('identifier'))).toEqual([
      `usage-${account}-${yesterday}-2`,
      `usage-${account}-${today}-2`,
    ]);
  });

  test('is sent for the last 35 days only, and for accounts with a customer only', async () => {
    const { customer, use } = await holder();
    const other = await fixture.createHolder('No customer', 'pro', '2024-01-01T00:00:00Z');
    await fixture.flush([{ at: `${dayBefore(0)}T00:00:00Z`, account: other.account, lineage: other.lineage, key: other.key }]);
    await use(dayBefore(34), 1);
    await use(dayBefore(35), 1);
    await runProcess();
    expect(stripe.unitsOf(customer)).toEqual({ [dayBefore(34)]: 1 });
    expect(stripe.events().every((event) => event.customer.startsWith('cus_'))).toBe(true);
  });

  test('of more accounts than one statement reads is sent', async () => {
    const all = [];
    for (let index = 0; index < 105; index += 1) all.push(await holder());
    for (const { use } of all) await use(dayBefore(0), 2);
    await runProcess();
    expect(all.filter(({ customer }) => stripe.unitsOf(customer)[dayBefore(0)] !== 2)).toEqual([]);
  });
});

describe('faults', () => {
  test('of any kind and order leave the sums equal, with each identifier counted once', async () => {
    const step = fc.oneof(
      fc.record({ days: fc.integer({ min: 0, max: 3 }), units: fc.integer({ min: 1, max: 50 }), who: fc.nat({ max: 1 }) }),
      fc.record({ faults: fc.array(fc.option(fc.constantFrom<Fault>(...faults)), { maxLength: 4 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const accounts = [await holder(), await holder()] as const;
        for (const each of steps) {
          if ('units' in each) await accounts[each.who === 0 ? 0 : 1].use(dayBefore(each.days), each.units);
          else {
            const queue = [...each.faults];
            stripe.fail(() => queue.shift() ?? null);
            await runProcess();
          }
        }
        await reportAll();
        for (const { account, customer } of accounts) expect(stripe.unitsOf(customer)).toEqual(await usedBy(account));
        await fixture.owner.query(sql`/* test.disconnect */ update accounts.account set stripe_customer_id = null`);
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  test('of two processes at the same time leave the sums equal', async () => {
    const { account, customer, use } = await holder();
    for (let days = 0; days < 10; days += 1) await use(dayBefore(days), days + 1);
    await Promise.all([runProcess(), runProcess(), runProcess()]);
    await reportAll();
    expect(stripe.unitsOf(customer)).toEqual(await usedBy(account));
  });

  test('a stored error does not repeat forever: the next attempt has another idempotency key and the same identifier', async () => {
    const { customer, use } = await holder();
    await use(dayBefore(0), 9);
    const first = stripe.requests.length;
    const queue: Fault[] = ['ERROR_AFTER'];
    stripe.fail(() => queue.shift() ?? null);
    await runProcess();
    await reportAll();
    const [failed, repeated] = stripe.requests.slice(first);
    expect([failed?.status, repeated?.status]).toEqual([500, 400]);
    expect(repeated?.form.get('identifier')).toBe(failed?.form.get('identifier'));
    expect(repeated?.headers['idempotency-key']).not.toBe(failed?.headers['idempotency-key']);
    expect(stripe.unitsOf(customer)).toEqual({ [dayBefore(0)]: 9 });
  });

  test('an account whose events always fail delays no other account', async () => {
    const [broken, healthy] = [await holder(), await holder()];
    await broken.use(dayBefore(1), 1);
    await healthy.use(dayBefore(0), 1);
    stripe.fail((form) => (form.get('payload[stripe_customer_id]') === broken.customer ? 'ERROR_BEFORE' : null));
    await runProcess();
    await runProcess({ pauses: true });
    expect(stripe.unitsOf(healthy.customer)).toEqual({ [dayBefore(0)]: 1 });
    expect(stripe.unitsOf(broken.customer)).toEqual({});
    await reportAll();
  });

  test('a rejected event stops its account until the operator changes the customer; the others are sent', async () => {
    const [wrong, right] = [await holder(), await holder()];
    stripe.rejectedCustomers.add(wrong.customer);
    await wrong.use(dayBefore(0), 4);
    await right.use(dayBefore(0), 6);
    await runProcess();
    const count = stripe.requests.length;
    await runProcess();
    expect(stripe.requests).toHaveLength(count);
    expect(stripe.unitsOf(right.customer)).toEqual({ [dayBefore(0)]: 6 });
    expect(lines.join('')).toContain(`No such customer: '${wrong.customer}'`);
    await fixture.owner.query(
      sql`/* test.correct */ update accounts.account set stripe_customer_id = 'cus_corrected' where id = ${wrong.account}`,
    );
    await wrong.use(dayBefore(0), 1);
    await runProcess();
    await runProcess();
    expect(stripe.unitsOf('cus_corrected')).toEqual({ [dayBefore(0)]: 5 });
  });

  test('a key that Stripe does not accept stops all events after one request, and is in no log line', async () => {
    const all = [await holder(), await holder()];
    for (const { use } of all) await use(dayBefore(0), 1);
    const settings = { ...stripe.settings, secretKey: 'sk_live_revoked' };
    const count = stripe.requests.length;
    await runProcess({ settings });
    expect(stripe.requests.slice(count).map(({ status }) => status)).toEqual([401]);
    expect(lines.join('')).toContain('Stripe rejected the secret key');
    expect(lines.join('')).not.toContain(settings.secretKey);
    await reportAll();
    expect(all.map(({ customer }) => stripe.unitsOf(customer))).toEqual([{ [dayBefore(0)]: 1 }, { [dayBefore(0)]: 1 }]);
  });

  test('an event whose outcome stays unknown for a day is not sent again, and is reported', async () => {
    const { account, customer, use } = await holder();
    await use(dayBefore(0), 2);
    stripe.fail(() => 'DROPPED_AFTER');
    await runProcess();
    stripe.fail();
    await fixture.owner.query(
      sql`/* test.age */ update accounts.meter_event set unknown_since = now() - interval '23 hours' where account_id = ${account}`,
    );
    const count = stripe.requests.length;
    await runProcess();
    expect(stripe.requests).toHaveLength(count);
    expect(await countHeld(fixture.area)).toEqual({ unknown: 1, expired: 0 });
    expect(lines.join('')).toContain('meter events need a decision');
    expect(stripe.unitsOf(customer)).toEqual({ [dayBefore(0)]: 2 });
  });
});

describe('the pause after a failure', () => {
  test('doubles up to an hour, and is never shorter than Retry-After', () => {
    const exact = (failures: number, retryAfter: string | null = null) => retryPauseMs(failures, retryAfter, 0.5);
    expect([1, 2, 3, 11, 12, 1_000].map((failures) => exact(failures))).toEqual([
      2_000, 4_000, 8_000, 2_048_000, 3_600_000, 3_600_000,
    ]);
    expect(exact(1, '30')).toBe(30_000);
    expect(exact(12, '30')).toBe(3_600_000);
    expect([retryPauseMs(1, null, 0), retryPauseMs(1, null, 1)]).toEqual([1_800, 2_200]);
  });
});
