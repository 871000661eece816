/** The usage that is sent to Stripe: which days, which accounts, and in which form. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { retryPauseMs } from '../../../subgraphs/accounts/meter-events/retry-pause.ts';
import { dayBefore, openMeterFixture, type MeterFixture } from './meter-fixture.ts';

let fixture: MeterFixture;
beforeAll(async () => {
  fixture = await openMeterFixture();
});
afterAll(() => fixture.close());
beforeEach(() => fixture.disconnect());

describe('usage', () => {
  test('of each day is sent once per growth, with the form that Stripe documents', async () => {
    const { account, customer, use } = await fixture.holder();
    const [today, yesterday] = [dayBefore(0), dayBefore(1)];
    await use(today, 3);
    await use(yesterday, 5);
    const first = fixture.stripe.requests.length;
    await fixture.runProcess();
    await fixture.runProcess();
    expect(fixture.stripe.unitsOf(customer)).toEqual({ [today]: 3, [yesterday]: 5 });
    expect(fixture.stripe.requests).toHaveLength(first + 2);
    const { headers, form } = fixture.stripe.requests[first] ?? {};
    expect(headers).toMatchObject({
      authorization: `Bearer ${fixture.stripe.settings.secretKey}`,
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
    await fixture.runProcess();
    expect(fixture.stripe.unitsOf(customer)).toEqual({ [today]: 4, [yesterday]: 7 });
    expect(fixture.stripe.requests.slice(-2).map((each) => each.form.get('identifier'))).toEqual([
      `usage-${account}-${yesterday}-2`,
      `usage-${account}-${today}-2`,
    ]);
  });

  test('is sent for the last 35 days only, and for accounts with a customer only', async () => {
    const { customer, use } = await fixture.holder();
    const other = await fixture.createHolder('No customer', 'pro', '2024-01-01T00:00:00Z');
    await fixture.flush([{ at: `${dayBefore(0)}T00:00:00Z`, account: other.account, lineage: other.lineage, key: other.key }]);
    await use(dayBefore(34), 1);
    await use(dayBefore(35), 1);
    await fixture.runProcess();
    expect(fixture.stripe.unitsOf(customer)).toEqual({ [dayBefore(34)]: 1 });
    expect(fixture.stripe.events().every((event) => event.customer.startsWith('cus_'))).toBe(true);
  });

  test('of more accounts than one statement reads is sent', async () => {
    const all = [];
    for (let index = 0; index < 105; index += 1) all.push(await fixture.holder());
    for (const { use } of all) await use(dayBefore(0), 2);
    await fixture.runProcess();
    expect(all.filter(({ customer }) => fixture.stripe.unitsOf(customer)[dayBefore(0)] !== 2)).toEqual([]);
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
