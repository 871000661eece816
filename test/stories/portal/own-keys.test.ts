/** Keys that members manage: the plan and the quota of the account, the scopes of the role, and the rules of administrators' keys. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../eventually.ts';
import { createMember, withPortalCookie, type MemberClient } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

const create = `mutation ($input: CreateOwnKeyInput!) { createOwnKey(input: $input) {
  key apiKey { id publicId status plan { code } scopes createdBy version }
} }`;

const createKey = async (member: MemberClient, input: Record<string, unknown> = {}) =>
  (await member.run(create, { input: { name: 'server', ...input } })).createOwnKey;

/** A change of a key is in force within a second. */
const expectStatus = (key: string, status: number): Promise<void> =>
  eventually(async () => expect((await platform.anonymous.get('/me', { 'x-api-key': key })).status).toBe(status));

const move = (id: string, plan: string) =>
  platform.administer('mutation ($id: ID!, $plan: String!) { moveAccount(id: $id, plan: $plan, when: NOW) { id } }', {
    id,
    plan,
  });

test('a member creates, restricts, disables, rotates and revokes a key', async () => {
  const member = await createMember(platform);
  const { key, apiKey } = await createKey(member, { scopes: ['events:read'] });
  const { id } = apiKey;
  expect(apiKey).toMatchObject({ status: 'ACTIVE', plan: { code: 'free' }, scopes: ['events:read'] });
  const { member: own } = await member.run('{ member { user { name } } }');
  expect(apiKey.createdBy).toBe(own.user.name);
  await expectStatus(key, 200);

  const update =
    'mutation ($id: ID!, $input: UpdateApiKeyInput!) { updateOwnKey(id: $id, ifMatch: "*", input: $input) { allowedCidrs registeredDocumentsOnly } }';
  const input = { allowedCidrs: ['192.0.2.0/24'], registeredDocumentsOnly: true };
  expect((await member.run(update, { id, input })).updateOwnKey).toEqual(input);
  await expectStatus(key, 403);
  await member.run(update, { id, input: { allowedCidrs: [] } });

  await member.run('mutation ($id: ID!) { disableOwnKey(id: $id, reason: "leaked") { status } }', { id });
  await expectStatus(key, 401);
  await member.run('mutation ($id: ID!) { enableOwnKey(id: $id) { status } }', { id });
  await expectStatus(key, 200);

  const rotate = 'mutation ($id: ID!) { rotateOwnKey(id: $id, graceSeconds: 0) { key apiKey { id } } }';
  const rotated = (await member.run(rotate, { id })).rotateOwnKey;
  await expectStatus(key, 401);
  await expectStatus(rotated.key, 200);
  await member.run('mutation ($id: ID!) { revokeOwnKey(id: $id) { status } }', { id: rotated.apiKey.id });
  await expectStatus(rotated.key, 401);

  const list = await member.run(
    '{ ownKeys { nodes { status revokedBy lastUsedAt quota { day { used } } requestsLast24Hours } } keyAllowance { liveKeys liveKeysMax plan { code } scopes } }',
  );
  expect(list.ownKeys.nodes.map(({ status }: { status: string }) => status)).toEqual(['REVOKED', 'REVOKED']);
  expect(list.keyAllowance).toMatchObject({ liveKeys: 0, liveKeysMax: 20, plan: { code: 'free' } });
  expect(list.keyAllowance.scopes).not.toContain('athletes:write');
});

test('the history of a key names the user for administrators', async () => {
  const member = await createMember(platform);
  const { apiKey } = await createKey(member);
  const administrator = await platform.administrator('VIEWER');
  const { data } = await administrator.run(
    `query ($id: ID!, $userId: ID!) {
      apiKey(id: $id) { createdBy history { nodes { action actor { kind userId user { email } accountId } } } }
      auditEntries(filter: { userId: $userId, resourceType: "api_key" }) { nodes { action } }
    }`,
    { id: apiKey.id, userId: member.userId },
  );
  const actor = { kind: 'MEMBER', userId: member.userId, user: { email: member.email }, accountId: member.accountId };
  expect(data.apiKey.history.nodes).toEqual([{ action: 'issued', actor }]);
  expect(data.auditEntries.nodes).toEqual([{ action: 'issued' }]);
});

test('members do not read names of administrators', async () => {
  const member = await createMember(platform);
  const administrator = await platform.administrator('OWNER');
  const issue = 'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { apiKey { id } } }';
  const { data } = await administrator.run(issue, { input: { accountId: member.accountId, plan: 'free' } });
  const { id } = data.issueApiKey.apiKey;
  await administrator.run('mutation ($id: ID!) { revokeApiKey(id: $id, reason: "abuse") { id } }', { id });
  const read = await member.run('query ($id: ID!) { ownKey(id: $id) { createdBy revokedBy revokedWhy } }', { id });
  expect(read.ownKey).toEqual({ createdBy: 'ADMINISTRATOR', revokedBy: 'ADMINISTRATOR', revokedWhy: 'abuse' });
  const { accountActivity } = await member.run(
    '{ accountActivity { nodes { action actorKind actorName reason resourceType resourceName } } }',
  );
  expect(accountActivity.nodes[0]).toEqual({
    resourceName: expect.any(String),
    action: 'revoke',
    actorKind: 'ADMINISTRATOR',
    actorName: null,
    reason: 'abuse',
    resourceType: 'API_KEY',
  });
  expect(JSON.stringify(accountActivity)).not.toContain(administrator.id);
});

test('a key that the operator disabled stays disabled', async () => {
  const member = await createMember(platform);
  const { key, apiKey } = await createKey(member);
  await platform.administer('mutation ($id: ID!) { disableApiKey(id: $id) { id } }', { id: apiKey.id });
  expect(await member.codeOf('mutation ($id: ID!) { enableOwnKey(id: $id) { id } }', { id: apiKey.id })).toBe('conflict');
  await expectStatus(key, 401);
});

test('scopes are limited by the plan, the role and the operator', async () => {
  const member = await createMember(platform);
  const codeOf = (scopes: string[]) => member.codeOf(create, { input: { name: 'server', scopes } });
  expect(await codeOf(['athletes:write'])).toBe('write_not_in_plan');
  expect(await codeOf(['moderation:write'])).toBe('insufficient_scope');
  expect(await codeOf(['minors:read'])).toBe('insufficient_scope');
  for (const scope of ['administration:write', 'keys:write', 'unknown']) expect(await codeOf([scope])).toBe('validation_failed');
  await move(member.accountId, 'starter');
  expect((await createKey(member, { scopes: ['athletes:write'] })).apiKey).toMatchObject({ plan: { code: 'starter' } });
  expect(await codeOf(['moderation:write'])).toBe('insufficient_scope');
});

test('new keys get the plan of the account, never the higher one of a single key', async () => {
  const member = await createMember(platform);
  const issue = 'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { apiKey { id } } }';
  for (const plan of ['enterprise', 'starter'])
    await platform.administer(issue, { input: { accountId: member.accountId, plan } });
  expect((await createKey(member)).apiKey.plan.code).toBe('starter');
});

test('keys that a member creates share one quota, so that another key gives no further quota', async () => {
  const member = await createMember(platform);
  const [first, second] = [await createKey(member), await createKey(member)];
  for (const { key } of [first, first, second]) await platform.anonymous.get('/athletes', { 'x-api-key': key });
  const read = '{ ownKeys { nodes { quota { day { used } } } } }';
  const { ownKeys } = await member.run(read);
  const used = ownKeys.nodes.map((node: { quota: { day: { used: number } } }) => node.quota.day.used);
  expect(used[0]).toBeGreaterThan(2);
  expect(used[0]).toBe(used[1]);
  await member.run('mutation ($id: ID!) { revokeOwnKey(id: $id) { id } }', { id: first.apiKey.id });
  await member.run('mutation ($id: ID!) { revokeOwnKey(id: $id) { id } }', { id: second.apiKey.id });
  await createKey(member);
  expect((await member.run('{ ownKeys(first: 1) { nodes { quota { day { used } } } } }')).ownKeys.nodes[0].quota.day.used).toBe(
    used[0],
  );
});

test('an account has at most 20 live keys, also under concurrent requests', async () => {
  const member = await createMember(platform);
  const responses = await Promise.all(
    Array.from({ length: 23 }, (_, index) => member.codeOf(create, { input: { name: `key ${index}` } })),
  );
  expect(responses.filter((code) => code === null)).toHaveLength(20);
  expect(responses.filter((code) => code === 'conflict')).toHaveLength(3);
});

test('a key in its grace period counts, so that rotations do not exceed the limit, also under concurrent requests', async () => {
  const member = await createMember(platform);
  const rotate = 'mutation ($id: ID!, $grace: Int!) { rotateOwnKey(id: $id, graceSeconds: $grace) { apiKey { id } } }';
  const allowance = async () => (await member.run('{ keyAllowance { liveKeys } }')).keyAllowance.liveKeys;
  const created = await Promise.all(Array.from({ length: 15 }, () => createKey(member)));
  const ids: string[] = created.map(({ apiKey }) => apiKey.id);
  const codes = await Promise.all(ids.map((id) => member.codeOf(rotate, { id, grace: 604_800 })));
  expect(codes.filter((code) => code === null)).toHaveLength(5);
  expect(new Set(codes.filter((code) => code !== null))).toEqual(new Set(['conflict']));
  expect(await allowance()).toBe(20);
  const [id] = ids.filter((_, index) => codes[index] !== null);
  expect(await member.codeOf(rotate, { id, grace: 0 })).toBeNull();
  expect(await allowance()).toBe(20);
});

test('a member reads and changes no key of another account', async () => {
  const [member, other] = [await createMember(platform), await createMember(platform)];
  const { id } = (await createKey(other)).apiKey;
  expect(await member.run('query ($id: ID!) { ownKey(id: $id) { id } }', { id })).toEqual({ ownKey: null });
  const changes = [
    'updateOwnKey(id: $id, ifMatch: "*", input: { name: "mine" }) { id }',
    'disableOwnKey(id: $id) { id }',
    'enableOwnKey(id: $id) { id }',
    'revokeOwnKey(id: $id) { id }',
    'rotateOwnKey(id: $id) { key }',
  ];
  for (const change of changes)
    expect([change, await member.codeOf(`mutation ($id: ID!) { ${change} }`, { id })]).toEqual([change, 'not_found']);
  const inOther = withPortalCookie(platform.graphqlUrl, member.cookie, other.accountId);
  expect(await inOther.codeOf('{ ownKeys { nodes { id } } }')).toBe('account_unavailable');
});
