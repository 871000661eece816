/** Routes that no quota counts and anyone can call do not cost one statement of the database per request. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { postSameOrigin } from '../../administrator.ts';
import { repeat } from '../accounts/rates.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform({ isolated: true });
  // the session route keeps that there is an administrator, not that there is none
  await platform.administrator();
});
afterAll(() => platform.close());

const requests = 100;

test.each(['/admin/session', '/portal/session', '/ready', '/health'])('reads of %s', async (path) => {
  platform.statements();
  const statuses = await repeat(requests, async () => (await fetch(platform.graphqlUrl + path)).status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  // a result is kept for a second
  expect(platform.statements().length).toBeLessThan(requests / 2);
});

test.each(['/admin/setup/look', '/portal/setup/look'])('tokens of links at %s', async (path) => {
  platform.statements();
  const token = 'x'.repeat(43);
  const statuses = await repeat(requests, async () => (await postSameOrigin(platform.graphqlUrl, path, { token })).status);
  // 60 per minute and network, before the body is read
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(requests - 60);
});
