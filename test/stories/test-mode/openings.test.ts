/** Test data that does not open: requests wait before they try again, and live data is not affected. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { issueTestKey } from './test-key.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform({ sandboxes: { template: 'no_such_template' } });
});
afterAll(() => platform.close());

test('a failed opening is not repeated at once: requests get 503 with the time to wait', async () => {
  const one = await issueTestKey(platform, 'One');
  expect((await one.get('/organizations')).status).toBe(503);
  const retryAfter = async () => {
    const { status, headers } = await one.get('/organizations');
    return [status, headers.get('retry-after')];
  };
  // the second failure, after the pause of the first one
  await eventually(async () => expect(await retryAfter()).toEqual([503, '2']));
});

test('a deletion of test data that does not open is 503, and keys, plans and usage stay readable', async () => {
  const one = await issueTestKey(platform, 'Other');
  expect(await one.delete('/test-data')).toMatchObject({ status: 503, body: { code: 'upstream_unavailable' } });
  expect((await one.get('/me')).status).toBe(200);
});
