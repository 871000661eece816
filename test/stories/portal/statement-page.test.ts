/** The page for print of a statement in the portal: for the members of the account only. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, sql } from '../../../platform/database/database.ts';
import { createMember, type MemberClient } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
let owner: MemberClient;
let viewer: MemberClient;

beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await createMember(platform);
  viewer = await createMember(platform, { role: 'VIEWER', accountId: owner.accountId });
  const database = openDatabase({ url: platform.database.ownerUrl, name: 'test-statement-page', poolSize: 1 });
  await database.query(sql`/* test.statement */ with statement as (
      insert into accounts.statement (account_id, month, requests, units, late_requests, late_units)
      values (${owner.accountId}, '2025-05-01', 12, 12, 0, 0) returning id)
    insert into accounts.statement_line select id, gen_random_uuid(), '<b>import', 'sp_live_000000000000', 'pro', 1, 14900, 'EUR', 12, 12
    from statement`);
  await database.close();
});
afterAll(() => platform.close());

const pathOf = (accountId: string, month = '2025-05') => `/portal/accounts/${accountId}/statements/${month}`;

test('a member of the account opens the page, which runs no script and is not stored', async () => {
  const response = await viewer.fetch(pathOf(owner.accountId), { headers: { 'sec-fetch-site': 'same-origin' } });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri/);
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  const html = await response.text();
  expect(html).toContain('149.00 EUR');
  expect(html).toContain('&lt;b&gt;import');
});

test('a month without a statement, an invalid month and an invalid account are not found', async () => {
  for (const path of [pathOf(owner.accountId, '2025-04'), pathOf(owner.accountId, '2025-13'), pathOf('mine')])
    expect([path, (await owner.fetch(path)).status]).toEqual([path, 404]);
});

test('no other account, no other site and no removed member reads the page', async () => {
  const other = await createMember(platform);
  expect((await other.fetch(pathOf(owner.accountId))).status).toBe(403);
  expect((await other.fetch(pathOf(other.accountId))).status).toBe(404);
  const foreign = await owner.fetch(pathOf(owner.accountId), { headers: { 'sec-fetch-site': 'cross-site' } });
  expect(foreign.status).toBe(400);
  const { accountMembers } = await owner.run('{ accountMembers { id isCurrent } }');
  const { id } = accountMembers.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
  await owner.run('mutation ($id: ID!) { removeMember(id: $id) { id } }', { id });
  expect((await viewer.fetch(pathOf(owner.accountId))).status).toBe(403);
});

test('members of a suspended account read its statements, which it owes, and nothing else; those of a closed one read nothing', async () => {
  const id = { id: owner.accountId };
  await platform.administer('mutation ($id: ID!) { suspendAccount(id: $id) { id } }', id);
  expect((await owner.fetch(pathOf(owner.accountId))).status).toBe(200);
  const listed = await owner.fetch(`/portal/accounts/${owner.accountId}/statements`);
  expect([listed.status, await listed.json()]).toEqual([200, { data: [{ month: '2025-05' }] }]);
  expect(await owner.codeOf('{ usageStatements { nodes { id } } }')).toBe('account_unavailable');
  expect(await owner.codeOf('mutation { updateBillingData(ifMatch: "*", input: { legalName: "x" }) { id } }')).toBe(
    'account_unavailable',
  );
  const other = await createMember(platform);
  expect((await other.fetch(`/portal/accounts/${owner.accountId}/statements`)).status).toBe(403);
  await platform.administer('mutation ($id: ID!) { reinstateAccount(id: $id) { id } }', id);
  const closed = await createMember(platform);
  await platform.administer('mutation ($id: ID!) { closeAccount(id: $id) { id } }', { id: closed.accountId });
  expect((await closed.fetch(pathOf(closed.accountId))).status).toBe(403);
});

test('without a session, the browser goes to the statement in the portal, which asks for the sign-in', async () => {
  const ended = await createMember(platform, { accountId: owner.accountId });
  await ended.fetch('/portal/session', { method: 'DELETE', headers: { 'sec-fetch-site': 'same-origin' } });
  expect((await ended.fetch(pathOf(owner.accountId))).status).toBe(303);
  const response = await fetch(`${platform.graphqlUrl}${pathOf(owner.accountId)}`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/portal/statements/2025-05']);
});
