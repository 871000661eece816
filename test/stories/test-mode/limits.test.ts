/** Test mode is bounded: the number of sandboxes, how many are open, and how often one opens. */
import { afterEach, expect, test } from '@jest/globals';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { asDatabaseOwner } from '../webhooks/fixture.ts';
import { club, issueTestKey } from './test-key.ts';

let platform: TestPlatform;
afterEach(() => platform.close());

test('an account waits while the sandboxes of others have opened recently, and data cannot be deleted again and again', async () => {
  platform = await openTestPlatform({ sandboxes: { openMax: 1, reopenMs: 60_000 } });
  const [one, two] = [await issueTestKey(platform, 'One'), await issueTestKey(platform, 'Two')];
  expect((await one.post('/organizations', club('Kept'))).status).toBe(201);
  const rejected = await two.get('/organizations');
  expect(rejected).toMatchObject({ status: 503, body: { code: 'overloaded' } });
  expect(rejected.body.detail).toBe('Too many accounts use test mode now. Retry the request.');
  // keys, plans and usage need no sandbox
  expect((await two.get('/me')).status).toBe(200);
  const again = await one.delete('/test-data');
  expect(again).toMatchObject({ status: 409, body: { code: 'conflict' } });
  expect(again.body.detail).toMatch(/^The test data was created or opened less than 60 s ago\. Retry in \d+ s\.$/);
  expect((await one.get('/organizations')).body.data).toMatchObject([{ name: 'Kept' }]);
});

test('an account that deletes its data does not hold its place longer', async () => {
  platform = await openTestPlatform({ sandboxes: { openMax: 1, reopenMs: 3_000 } });
  const [one, two] = [await issueTestKey(platform, 'One'), await issueTestKey(platform, 'Two')];
  expect((await one.post('/organizations', club('Deleted'))).status).toBe(201);
  await eventually(async () => expect((await one.delete('/test-data')).status).toBe(200));
  expect((await two.post('/organizations', club('Of another account'))).status).toBe(201);
  expect(await one.get('/organizations')).toMatchObject({ status: 503, body: { code: 'overloaded' } });
});

test('an account gets no test data while the platform has its maximum, and closes that of no other account', async () => {
  platform = await openTestPlatform({ sandboxes: { openMax: 1, databasesMax: 1 } });
  const [one, two] = [await issueTestKey(platform, 'One'), await issueTestKey(platform, 'Two')];
  expect((await one.post('/organizations', club('Kept'))).status).toBe(201);
  const rejected = await two.get('/organizations');
  expect(rejected).toMatchObject({ status: 503, body: { code: 'overloaded' } });
  expect(rejected.body.detail).toBe('Too many accounts have test data. Retry the request later.');
  expect((await two.get('/me')).status).toBe(200);
  const open = `select from pg_stat_activity where datname like current_database() || '_test_%'`;
  expect(await asDatabaseOwner(platform, open)).not.toEqual([]);
  expect((await one.delete('/test-data')).status).toBe(200);
  expect((await one.get('/organizations')).body.data).toEqual([]);
});
