/** Requests are charged for what they return: pages, revalidations and replays. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { repeat, remainingOf, statusCounts, usageOf } from './rates.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
  await platform.plan('roomy', { burstPerMinute: 100_000, perDay: 1000, perMonth: 10_000 });
  await platform.plan('narrow', { burstPerMinute: 100_000, perDay: 5, perMonth: 10_000 });
});
afterAll(() => platform.close());

test('a replayed batch costs one unit, also in the headers', async () => {
  const client = await platform.account({ account: 'Replays', plan: 'roomy' });
  const items = Array.from({ length: 60 }, (_, index) => ({
    type: 'UNIVERSITY',
    name: `College ${index}`,
    country: 'US',
    sports: [],
    externalIds: [{ scheme: 'REPLAY', value: `r-${index}` }],
  }));
  const send = () => client.post('/organizations/batch', { items }, { 'idempotency-key': 'replayed' });
  expect(remainingOf((await send()).headers.get('ratelimit'))).toEqual({ day: 994, month: 9994 });
  const replayed = await send();
  expect(replayed.headers.get('idempotent-replayed')).toBe('true');
  expect(remainingOf(replayed.headers.get('ratelimit'))).toEqual({ day: 993, month: 9993 });
  expect(await usageOf(client)).toEqual({ day: 7, month: 7 });
});

describe('reads are charged for what they return', () => {
  const matches = '/competitions/matches?limit=100';

  test('an empty incremental page costs one unit, and the headers show it', async () => {
    const client = await platform.account({ account: 'Incremental', plan: 'roomy' });
    const { status, headers, body } = await client.get(`${matches}&updatedSince=${new Date().toISOString()}`);
    expect({ status, data: body.data }).toEqual({ status: 200, data: [] });
    expect(remainingOf(headers.get('ratelimit'))).toEqual({ day: 999, month: 9999 });
    expect(await usageOf(client)).toEqual({ day: 1, month: 1 });
  });

  test('the estimate must be left', async () => {
    const client = await platform.account({ account: 'Estimates', plan: 'narrow' });
    expect(await client.get(matches)).toMatchObject({ status: 429, body: { code: 'quota_exceeded' } });
    expect((await usageOf(client)).day).toBe(0);
  });

  test('a 304 is free with a valid key and costs one unit without, and the headers show it', async () => {
    const client = await platform.account({ account: 'Revalidating', plan: 'roomy' });
    for (const path of [matches, '/sports', '/plans']) {
      const { headers } = await client.get(path);
      const before = remainingOf(headers.get('ratelimit'));
      for (let round = 0; round < 3; round += 1) {
        const again = await client.get(path, { 'if-none-match': headers.get('etag') ?? '' });
        expect({ path, status: again.status }).toEqual({ path, status: 304 });
        expect(remainingOf(again.headers.get('ratelimit'))).toEqual(before);
      }
      expect((await usageOf(client)).day).toBe(1000 - (before['day'] ?? 0));
    }
    const from = { 'x-forwarded-for': '203.0.113.77' };
    const { headers } = await platform.anonymous.get(matches, from);
    const again = await platform.anonymous.get(matches, { ...from, 'if-none-match': headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    const left = remainingOf(headers.get('ratelimit'))['day'] ?? 0;
    expect(remainingOf(again.headers.get('ratelimit'))['day']).toBe(left - 1);
  });

  test('concurrent revalidations leave the counters exact, and later requests find the returned units', async () => {
    const client = await platform.account({ account: 'Exact', plan: 'narrow' });
    const { headers } = await client.get('/sports');
    const etag = headers.get('etag') ?? '';
    for (let round = 0; round < 10; round += 1) {
      const responses = await repeat(4, () => client.get('/sports', { 'if-none-match': etag }));
      expect(statusCounts(responses)).toEqual({ 304: 4 });
    }
    expect(await usageOf(client)).toEqual({ day: 1, month: 1 });
    expect(statusCounts(await repeat(9, () => client.get('/sports')))).toEqual({ 200: 4, 429: 5 });
  });
});
