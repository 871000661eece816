/** Markers of analytics: deployments, and changes of the limits of an account. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AdministratorClient } from '../../administrator.ts';
import type { Client } from '../../client.ts';
import { createMember, type MemberClient } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { asDatabaseOwner } from '../webhooks/fixture.ts';

let platform: TestPlatform;
let owner: Client & { readonly key: string };
let accountId: string;
let administrator: AdministratorClient;
let member: MemberClient;
let other: MemberClient;

const read =
  'query ($accountId: ID, $key: String) { requestAnalytics(accountId: $accountId, key: $key) { markers { kind name } } }';
const ofMember = '{ requestAnalytics { markers { kind name } } }';

beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Markers', plan: 'starter' });
  accountId = (await owner.get('/me')).body.account.id;
  administrator = await platform.administrator('OWNER');
  [member, other] = [await createMember(platform, { accountId }), await createMember(platform)];
  await asDatabaseOwner(platform, 'delete from accounts.deployment');
});
afterAll(() => platform.close());

const markersOf = async (variables: object = {}) =>
  (await administrator.run(read, { accountId, ...variables })).data.requestAnalytics.markers;

/** The same changes, as if they were made a minute earlier. */
const passMinute = async (): Promise<void> => {
  await asDatabaseOwner(platform, `update accounts.deployment set started_at = started_at - interval '1 minute'`);
  await asDatabaseOwner(
    platform,
    `update accounts.plan_held set since = since - interval '1 minute', until = until - interval '1 minute'`,
  );
};

test('a version of the platform that starts is a marker once', async () => {
  await platform.maintain();
  await passMinute();
  await platform.maintain();
  const [first, ...more] = (await administrator.run(read)).data.requestAnalytics.markers;
  expect([first, more]).toEqual([{ kind: 'DEPLOYMENT', name: expect.stringMatching(/^\d+\.\d+\.\d+$/) }, []]);
  await asDatabaseOwner(platform, `insert into accounts.deployment (version) values ('0.0.1')`);
  await passMinute();
  await platform.maintain();
  const names = (await administrator.run(read)).data.requestAnalytics.markers.map(({ name }: { name: string }) => name);
  expect(names).toEqual([first.name, '0.0.1', first.name]);
});

test('a changed plan and a contract are markers of the account, and of no other one', async () => {
  // before the range; an elected leader would record a deleted version again
  await asDatabaseOwner(platform, `update accounts.deployment set started_at = started_at - interval '1 year'`);
  expect(await markersOf()).toEqual([]);
  await passMinute();
  const move = `mutation ($id: ID!) { moveAccount(id: $id, plan: "pro") { id } }`;
  const moved = await administrator.run(move, { id: accountId });
  expect(moved.errors).toEqual([]);
  const set = 'mutation ($id: ID!) { setContract(accountId: $id, plan: "pro", input: { perDay: 5 }) { id } }';
  expect((await administrator.run(set, { id: accountId })).errors).toEqual([]);
  const markers = [
    { kind: 'PLAN', name: 'pro' },
    { kind: 'CONTRACT', name: 'pro' },
  ];
  expect(await markersOf()).toEqual(markers);
  expect(await markersOf({ accountId: null, key: owner.key.split('.', 1)[0] })).toEqual(markers);
  expect((await member.run(ofMember)).requestAnalytics.markers).toEqual(markers);
  expect((await other.run(ofMember)).requestAnalytics.markers).toEqual([]);
  // markers name versions of the platform: API keys do not read them
  expect((await owner.graphql(ofMember)).body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
});

test('the request log is filtered by the mode of the key', async () => {
  await owner.get('/organizations?limit=1');
  await platform.flushUsage();
  const list = async (mode: string) => (await owner.get(`/requests?mode=${mode}`)).body.data;
  expect((await list('LIVE')).length).toBeGreaterThan(0);
  expect(await list('TEST')).toEqual([]);
  await asDatabaseOwner(
    platform,
    `update accounts.request_log set public_id = 'sp_test_000000000000' where account_id = '${accountId}'`,
  );
  expect((await list('TEST')).length).toBeGreaterThan(0);
});
