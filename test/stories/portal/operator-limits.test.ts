/** Limits of the operator that members cannot lift: scopes, limits and plans of keys, and what webhook endpoints receive. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createMember, type MemberClient } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { asDatabaseOwner } from '../webhooks/fixture.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

interface Issued {
  readonly key: string;
  readonly id: string;
}

/** Issues a key as the operator. */
async function issueTo({ accountId }: MemberClient, input: Record<string, unknown> = {}): Promise<Issued> {
  const issue = 'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key apiKey { id } } }';
  const data = await platform.administer(issue, { input: { accountId, plan: 'starter', ...input } });
  const { key, apiKey } = data['issueApiKey'] as { key: string; apiKey: { id: string } };
  return { key, id: apiKey.id };
}

const update = 'mutation ($id: ID!, $input: UpdateApiKeyInput!) { updateOwnKey(id: $id, ifMatch: "*", input: $input) { id } }';
const rotate = 'mutation ($id: ID!) { rotateOwnKey(id: $id, graceSeconds: 0) { key apiKey { id } } }';
const revoke = 'mutation ($id: ID!) { revokeOwnKey(id: $id) { id } }';
const create = 'mutation { createOwnKey(input: { name: "server" }) { apiKey { id plan { code } } } }';

const planOfNewKey = async (member: MemberClient): Promise<string> => (await member.run(create)).createOwnKey.apiKey.plan.code;

const expire = (id: string) =>
  asDatabaseOwner(platform, "update accounts.api_key set expires_at = now() - interval '1 minute' where id = $1", [id]);

test.each(['minors:read', 'moderation:write'])('a member does not get the secret of a key with %s by rotation', async (scope) => {
  const member = await createMember(platform, { role: 'DEVELOPER' });
  const { id } = await issueTo(member, { scopes: [scope] });
  expect(await member.codeOf(rotate, { id })).toBe('insufficient_scope');
  const plain = await issueTo(member, { scopes: ['events:read'] });
  expect(await member.codeOf(rotate, { id: plain.id })).toBeNull();
});

test('a member restricts a key of the operator and cannot extend it, also after its rotation', async () => {
  const member = await createMember(platform);
  const limits = {
    scopes: ['events:read'],
    allowedCidrs: ['192.0.2.0/24'],
    registeredDocumentsOnly: true,
    expiresAt: '2090-01-01T00:00:00.000Z',
  };
  const { id } = await issueTo(member, limits);
  const rotated = (await member.run(rotate, { id })).rotateOwnKey.apiKey.id;
  for (const input of [
    { allowedCidrs: [] },
    { allowedCidrs: ['192.0.0.0/16'] },
    { allowedCidrs: ['192.0.2.0/25', '198.51.100.0/24'] },
    { registeredDocumentsOnly: false },
    { expiresAt: null },
    { expiresAt: '2091-01-01T00:00:00.000Z' },
    { scopes: ['events:read', 'webhooks:write'] },
  ])
    expect([input, await member.codeOf(update, { id: rotated, input })]).toEqual([input, 'conflict']);
  const stricter = { name: 'mine', allowedCidrs: ['192.0.2.128/25'], expiresAt: '2089-01-01T00:00:00.000Z', scopes: [] };
  expect(await member.codeOf(update, { id: rotated, input: stricter })).toBeNull();
});

test('a member extends an own key, but does not revive an expired one', async () => {
  const member = await createMember(platform);
  const { id } = (await member.run(create)).createOwnKey.apiKey;
  const input = { allowedCidrs: ['192.0.2.0/24'], expiresAt: '2090-01-01T00:00:00.000Z' };
  expect(await member.codeOf(update, { id, input })).toBeNull();
  expect(await member.codeOf(update, { id, input: { allowedCidrs: [], expiresAt: null } })).toBeNull();
  await expire(id);
  expect(await member.codeOf(update, { id, input: { expiresAt: null } })).toBe('conflict');
});

test('an endpoint that a member redirects does not receive what only the key that created it can read', async () => {
  const member = await createMember(platform, { role: 'DEVELOPER' });
  const scopes = ['events:read', 'minors:read', 'webhooks:write'];
  const { key } = await issueTo(member, { plan: 'pro', scopes });
  const created = await platform.anonymous.post('/webhooks', { url: 'https://example.com/hook' }, { 'x-api-key': key });
  const { id } = created.body;
  const scopesOf = async () =>
    (
      (await asDatabaseOwner(platform, 'select scopes from accounts.webhook_endpoint where id = $1', [id])) as {
        scopes: string[];
      }[]
    )
      .flatMap((row) => row.scopes)
      .sort();
  await member.run('mutation ($id: ID!) { rotateWebhookSecret(id: $id) { secret } }', { id });
  expect(await scopesOf()).toEqual(scopes);
  const redirect =
    'mutation ($id: ID!) { updateWebhookEndpoint(id: $id, ifMatch: "*", input: { url: "https://example.com/mine" }) { id } }';
  await member.run(redirect, { id });
  expect(await scopesOf()).toEqual(['events:read', 'webhooks:write']);
});

test('members who remove the cheaper keys do not get the plan of the others', async () => {
  const member = await createMember(platform);
  await issueTo(member, { plan: 'enterprise' });
  const { id } = await issueTo(member, { plan: 'starter' });
  const successor = (await member.run(rotate, { id })).rotateOwnKey.apiKey.id;
  await member.run(revoke, { id: successor });
  expect(await planOfNewKey(member)).toBe('starter');
});

test('a key that is disabled or expired gives no plan', async () => {
  const [member, other] = [await createMember(platform), await createMember(platform)];
  const disabled = await issueTo(member, { plan: 'enterprise' });
  await platform.administer('mutation ($id: ID!) { disableApiKey(id: $id) { id } }', { id: disabled.id });
  expect(await planOfNewKey(member)).toBe('free');
  await expire((await issueTo(other, { plan: 'enterprise' })).id);
  expect(await planOfNewKey(other)).toBe('free');
});

test('the plan to which the operator moved the account comes before the plans of single keys', async () => {
  const member = await createMember(platform);
  const move = 'mutation ($id: ID!, $plan: String!) { moveAccount(id: $id, plan: $plan, when: NOW) { id } }';
  await platform.administer(move, { id: member.accountId, plan: 'pro' });
  await issueTo(member, { plan: 'enterprise' });
  expect(await planOfNewKey(member)).toBe('pro');
});
