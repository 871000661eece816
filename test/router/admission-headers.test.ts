/** Rate limit headers, read by an independent parser of structured fields. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isInnerList, parseList } from 'structured-headers';
import { rateHeaders } from '../../router/admission/quota/headers.ts';
import type { Limits, Usage } from '../../router/admission/quota/store.ts';
import { addressNetwork, createAddressSubjects } from '../../router/admission/quota/subject.ts';
import { monthSeconds } from '../../router/admission/quota/windows.ts';

const limits = fc.record({
  burstPerMinute: fc.integer({ min: 1, max: 1_000_000 }),
  perDay: fc.integer({ min: 1, max: 1e12 }),
  perMonth: fc.integer({ min: 1, max: 1e12 }),
});
/** Any instant from 2024 to 2099, including leap years. */
const instants = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2099, 11, 31, 23, 59, 59, 999) });

function usageAt(clockMs: number, dayUsed: number, monthUsed: number, burstLeft = 1, burstWaitMs = 0): Usage {
  const day = new Date(clockMs).toISOString().slice(0, 10);
  return { day, month: `${day.slice(0, 7)}-01`, dayUsed, monthUsed, burstLeft, burstWaitMs, clockMs };
}

/** A structured list of strings with integer parameters, by an independent parser. */
function parse(header: string | undefined): Record<string, Record<string, unknown>> {
  const members: Record<string, Record<string, unknown>> = {};
  for (const member of parseList(header ?? '')) {
    if (isInnerList(member) || typeof member[0] !== 'string') throw new Error('A string was expected.');
    members[member[0]] = Object.fromEntries(member[1]);
  }
  return members;
}

describe('rate limit headers', () => {
  test('the documented example', () => {
    const free: Limits = { burstPerMinute: 60, perDay: 1000, perMonth: 10_000 };
    const headers = rateHeaders(free, usageAt(Date.UTC(2026, 10, 21, 15, 19, 26), 588, 1877));
    expect(headers).toEqual({
      'ratelimit-policy': '"burst";q=60;w=60, "day";q=1000;w=86400, "month";q=10000;w=2592000',
      ratelimit: '"day";r=412;t=31234, "month";r=8123;t=808834',
      'x-ratelimit-limit': '1000',
      'x-ratelimit-remaining': '412',
      'x-ratelimit-reset': '31234',
    });
  });

  test('every state gives valid structured fields within its limits and windows', () => {
    fc.assert(
      fc.property(
        limits,
        instants,
        fc.double({ min: 0, max: 1.2, noNaN: true }),
        fc.double({ min: 0, max: 1.2, noNaN: true }),
        (plan, clockMs, dayShare, monthShare) => {
          const usage = usageAt(clockMs, Math.round(plan.perDay * dayShare), Math.round(plan.perMonth * monthShare));
          const headers = rateHeaders(plan, usage);
          const policy = parse(headers['ratelimit-policy']);
          const month = new Date(clockMs);
          const days = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 0)).getUTCDate();
          expect(policy).toEqual({
            burst: { q: plan.burstPerMinute, w: 60 },
            day: { q: plan.perDay, w: 86_400 },
            month: { q: plan.perMonth, w: days * 86_400 },
          });
          const rate = parse(headers.ratelimit);
          expect(Object.keys(rate)).toEqual(['day', 'month']);
          for (const name of ['day', 'month']) {
            const { r, t } = rate[name] ?? {};
            expect(r).toBeGreaterThanOrEqual(0);
            expect(t).toBeGreaterThanOrEqual(1);
            expect(t).toBeLessThanOrEqual(Number(policy[name]?.w));
          }
          const trio = [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining'], headers['x-ratelimit-reset']].map(Number);
          const shares = ['day', 'month'].map((name) => Number(rate[name]?.r) / Number(policy[name]?.q));
          expect(Number(trio[1]) / Number(trio[0])).toBe(Math.min(...shares));
        },
      ),
    );
  });

  test('windows of months have their real length', () => {
    expect(
      ['2026-01-01', '2026-02-01', '2028-02-01', '2100-02-01', '2026-04-01', '2026-12-01'].map(
        (month) => monthSeconds(month) / 86_400,
      ),
    ).toEqual([31, 28, 29, 28, 30, 31]);
  });

  test('the last millisecond of a day, a month and a year resets in one second', () => {
    const headers = rateHeaders(
      { burstPerMinute: 1, perDay: 1, perMonth: 1 },
      usageAt(Date.UTC(2026, 11, 31, 23, 59, 59, 999), 1, 1),
    );
    expect(headers.ratelimit).toBe('"day";r=0;t=1, "month";r=0;t=1');
  });

  test('a rejection by the burst reports the burst first', () => {
    const plan = { burstPerMinute: 60, perDay: 1000, perMonth: 10_000 };
    const headers = rateHeaders(plan, usageAt(Date.UTC(2026, 1, 28), 1, 1, 0, 1), ['burst']);
    expect(Object.keys(parse(headers.ratelimit))).toEqual(['burst', 'day', 'month']);
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1' });
  });
});

describe('the subject of an address', () => {
  test('an IPv4 address counts individually, also when mapped into IPv6; IPv6 counts by its /64', () => {
    expect(addressNetwork('::ffff:192.0.2.1')).toBe('192.0.2.1');
    expect(addressNetwork('192.0.2.1')).toBe('192.0.2.1');
    expect(addressNetwork('2001:db8:1:2:3:4:5:6')).toBe(addressNetwork('2001:0DB8:1:2::1'));
    expect(addressNetwork('2001:db8:1:2::1')).not.toBe(addressNetwork('2001:db8:1:3::1'));
    fc.assert(fc.property(fc.ipV4(), (address) => expect(addressNetwork(`::ffff:${address}`)).toBe(addressNetwork(address))));
  });

  test('it changes with the month, not before, and with the pepper', () => {
    let clock = Date.UTC(2026, 10, 30, 23, 59, 59, 999);
    const subjects = createAddressSubjects(Buffer.alloc(32, 1), () => clock);
    const subject = (address: string) => subjects(address).subject;
    const other = (address: string) => createAddressSubjects(Buffer.alloc(32, 2), () => clock)(address).subject;
    const november = subject('192.0.2.1');
    expect(november).toMatch(/^[0-9a-f]{64}$/);
    expect(subject('::ffff:192.0.2.1')).toBe(november);
    expect(other('192.0.2.1')).not.toBe(november);
    clock += 1;
    expect(subject('192.0.2.1')).not.toBe(november);
  });

  test('an IPv6 address has an outer /48, an IPv4 address has none', () => {
    const subjects = createAddressSubjects(Buffer.alloc(32, 1), () => 0);
    const { outer } = subjects('2001:db8:1:2::1');
    expect(outer?.network).toBe('2001:db8:1::/48');
    expect(subjects('2001:db8:1:ffff:ffff::1').outer).toEqual(outer);
    expect(subjects('2001:db8:2:2::1').outer).not.toEqual(outer);
    expect(subjects('fe80::1%eth0')).toEqual(subjects('fe80::1'));
    for (const address of ['192.0.2.1', '::ffff:192.0.2.1', 'not an address']) expect(subjects(address).outer).toBeNull();
  });
});
