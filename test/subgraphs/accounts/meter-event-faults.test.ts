/** Usage reaches Stripe exactly once, whatever happens between sending and recording. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sql } from '../../../platform/database/database.ts';
import { countHeld } from '../../../subgraphs/accounts/meter-events/events.ts';
import { faults, type Fault } from '../../stripe.ts';
import { dayBefore, openMeterFixture, type MeterFixture } from './meter-fixture.ts';

let fixture: MeterFixture;
beforeAll(async () => {
  fixture = await openMeterFixture();
});
afterAll(() => fixture.close());
beforeEach(() => fixture.disconnect());

describe('faults', () => {
  test('of any kind and order leave the sums equal, with each identifier counted once', async () => {
    const step = fc.oneof(
      fc.record({ days: fc.integer({ min: 0, max: 3 }), units: fc.integer({ min: 1, max: 50 }), who: fc.nat({ max: 1 }) }),
      fc.record({ faults: fc.array(fc.option(fc.constantFrom<Fault>(...faults)), { maxLength: 4 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const accounts = [await fixture.holder(), await fixture.holder()] as const;
        for (const each of steps) {
          if ('units' in each) await accounts[each.who === 0 ? 0 : 1].use(dayBefore(each.days), each.units);
          else {
            const queue = [...each.faults];
            fixture.stripe.fail(() => queue.shift() ?? null);
            await fixture.runProcess();
          }
        }
        await fixture.reportAll();
        for (const { account, customer } of accounts)
          expect(fixture.stripe.unitsOf(customer)).toEqual(await fixture.usedBy(account));
        await fixture.disconnect();
      }),
      { numRuns: 40 },
    );
  });

  test('of two processes at the same time leave the sums equal', async () => {
    const { account, customer, use } = await fixture.holder();
    for (let days = 0; days < 10; days += 1) await use(dayBefore(days), days + 1);
    await Promise.all([fixture.runProcess(), fixture.runProcess(), fixture.runProcess()]);
    await fixture.reportAll();
    expect(fixture.stripe.unitsOf(customer)).toEqual(await fixture.usedBy(account));
  });

  test('a stored error does not repeat forever: the next attempt has another idempotency key and the same identifier', async () => {
    const { customer, use } = await fixture.holder();
    await use(dayBefore(0), 9);
    const first = fixture.stripe.requests.length;
    const queue: Fault[] = ['ERROR_AFTER'];
    fixture.stripe.fail(() => queue.shift() ?? null);
    await fixture.runProcess();
    await fixture.reportAll();
    const [failed, repeated] = fixture.stripe.requests.slice(first);
    expect([failed?.status, repeated?.status]).toEqual([500, 400]);
    expect(repeated?.form.get('identifier')).toBe(failed?.form.get('identifier'));
    expect(repeated?.headers['idempotency-key']).not.toBe(failed?.headers['idempotency-key']);
    expect(fixture.stripe.unitsOf(customer)).toEqual({ [dayBefore(0)]: 9 });
  });

  test('an account whose events always fail delays no other account', async () => {
    const [broken, healthy] = [await fixture.holder(), await fixture.holder()];
    await broken.use(dayBefore(1), 1);
    await healthy.use(dayBefore(0), 1);
    fixture.stripe.fail((form) => (form.get('payload[stripe_customer_id]') === broken.customer ? 'ERROR_BEFORE' : null));
    await fixture.runProcess();
    await fixture.runProcess({ pauses: true });
    expect(fixture.stripe.unitsOf(healthy.customer)).toEqual({ [dayBefore(0)]: 1 });
    expect(fixture.stripe.unitsOf(broken.customer)).toEqual({});
    await fixture.reportAll();
  });

  test('a rejected event stops its account until the operator changes the customer; the others are sent', async () => {
    const [wrong, right] = [await fixture.holder(), await fixture.holder()];
    fixture.stripe.rejectedCustomers.add(wrong.customer);
    await wrong.use(dayBefore(0), 4);
    await right.use(dayBefore(0), 6);
    await fixture.runProcess();
    const count = fixture.stripe.requests.length;
    await fixture.runProcess();
    expect(fixture.stripe.requests).toHaveLength(count);
    expect(fixture.stripe.unitsOf(right.customer)).toEqual({ [dayBefore(0)]: 6 });
    expect(fixture.logged()).toContain(`No such customer: '${wrong.customer}'`);
    await fixture.owner.query(
      sql`/* test.correct */ update accounts.account set stripe_customer_id = 'cus_corrected' where id = ${wrong.account}`,
    );
    await wrong.use(dayBefore(0), 1);
    await fixture.runProcess();
    await fixture.runProcess();
    expect(fixture.stripe.unitsOf('cus_corrected')).toEqual({ [dayBefore(0)]: 5 });
  });

  test('a key that Stripe does not accept stops all events after one request, and is in no log line', async () => {
    const all = [await fixture.holder(), await fixture.holder()];
    for (const { use } of all) await use(dayBefore(0), 1);
    const settings = { ...fixture.stripe.settings, secretKey: 'sk_live_revoked' };
    const count = fixture.stripe.requests.length;
    await fixture.runProcess({ settings });
    expect(fixture.stripe.requests.slice(count).map(({ status }) => status)).toEqual([401]);
    expect(fixture.logged()).toContain('Stripe rejected the secret key');
    expect(fixture.logged()).not.toContain(settings.secretKey);
    await fixture.reportAll();
    expect(all.map(({ customer }) => fixture.stripe.unitsOf(customer))).toEqual([{ [dayBefore(0)]: 1 }, { [dayBefore(0)]: 1 }]);
  });

  test('an event whose outcome stays unknown for a day is not sent again, and is reported', async () => {
    const { account, customer, use } = await fixture.holder();
    await use(dayBefore(0), 2);
    fixture.stripe.fail(() => 'DROPPED_AFTER');
    await fixture.runProcess();
    fixture.stripe.fail();
    await fixture.owner.query(
      sql`/* test.age */ update accounts.meter_event set unknown_since = now() - interval '23 hours' where account_id = ${account}`,
    );
    const count = fixture.stripe.requests.length;
    await fixture.runProcess();
    expect(fixture.stripe.requests).toHaveLength(count);
    expect(await countHeld(fixture.area)).toEqual({ unknown: 1, expired: 0 });
    expect(fixture.logged()).toContain('meter events need a decision');
    expect(fixture.stripe.unitsOf(customer)).toEqual({ [dayBefore(0)]: 2 });
  });
});
