/** Accounts whose name a person chose at the registration get nothing that the operator gives to an account by its name. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cookieOf, sameOrigin } from '../../administrator.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform({ registration: true });
});
afterAll(() => platform.close());

const issue = 'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { apiKey { account { id name } } } }';

/** Issues a key as an administrator. */
async function issueTo(account: object) {
  const administrator = await platform.administrator('OWNER');
  return administrator.run(issue, { input: { plan: 'pro', scopes: ['events:read'], ...account } });
}

test('a key that is issued by name does not go to a registered account of that name', async () => {
  const body = { email: 'eve@example.com', name: 'Eve', accountName: 'FC Example', password: 'correct horse battery' };
  const reply = await fetch(`${platform.graphqlUrl}/portal/registration`, {
    method: 'POST',
    headers: { ...sameOrigin, 'x-forwarded-for': '203.0.113.77' },
    body: JSON.stringify(body),
  });
  expect([reply.status, cookieOf(reply)]).toEqual([200, expect.stringContaining('__Host-portal-session=')]);
  const { memberships } = (await reply.json()) as { memberships: { account: { id: string } }[] };
  const id = memberships[0]?.account.id ?? '';
  const { data, errors } = await issueTo({ accountName: 'fc example' });
  expect([data, errors[0].extensions.code]).toEqual([null, 'conflict']);
  expect(errors[0].message).toContain(id);
  expect((await issueTo({ accountId: id })).data.issueApiKey.apiKey.account).toEqual({ id, name: 'FC Example' });
});

test('a key that is issued by name creates the account, and finds it again while it has no users', async () => {
  const first = (await issueTo({ accountName: 'Fresh' })).data.issueApiKey.apiKey.account;
  expect((await issueTo({ accountName: 'fresh' })).data.issueApiKey.apiKey.account).toEqual(first);
});
