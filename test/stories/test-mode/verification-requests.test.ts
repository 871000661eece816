/** Verification requests in test mode: they belong to the account, and moderators must not receive requests about test data. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createMember, type MemberClient } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { club, issueTestKey, type KeyedClient } from './test-key.ts';

let platform: TestPlatform;
let tested: KeyedClient;
let owner: MemberClient;
beforeAll(async () => {
  platform = await openTestPlatform();
  tested = await issueTestKey(platform, 'Verified tests');
  owner = await createMember(platform, { accountId: (await tested.get('/me')).body.account.id });
});
afterAll(() => platform.close());

const inTest = { 'x-data-mode': 'TEST' };
const request = `createVerificationRequest(input: { organizationId: $id }) { id organizationId }`;
const create = `mutation ($id: ID!) { ${request} }`;
const ownRequests = '{ verificationRequests { nodes { organizationId status } } }';
const problem = {
  message: 'Verification requests concern live organizations. Send the request in live mode.',
  extensions: { code: 'conflict' },
};

/** Creates an organization with a live key of the account. */
async function createLiveOrganization(): Promise<string> {
  const input = { accountId: owner.accountId, plan: 'plenty', scopes: ['organizations:write'] };
  const issue = 'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key } }';
  const { issueApiKey } = await platform.administer(issue, { input });
  const { key } = Object(issueApiKey);
  const { status, body } = await platform.anonymous.post('/organizations', club('Live'), { 'x-api-key': key });
  expect(status).toBe(201);
  return body.id;
}

test('a verification request for an organization of the test data is rejected and enters no queue', async () => {
  const { status, body: organization } = await tested.post('/organizations', club('Tested'));
  expect(status).toBe(201);
  const { body } = await owner.graphql(create, { id: organization.id }, inTest);
  expect(body.errors).toMatchObject([problem]);
  const deletes = `mutation ($id: ID!) { ${request} deleteTestData { deleted } }`;
  const together = await owner.graphql(deletes, { id: organization.id }, inTest);
  expect(together.body.errors).toContainEqual(expect.objectContaining(problem));
  expect(await owner.codeOf(create, { id: organization.id })).toBe('validation_failed');
  const queue = 'query ($accountId: ID!) { verificationRequests(filter: { accountId: $accountId }) { nodes { id } } }';
  const moderator = await platform.administrator('MODERATOR');
  expect((await moderator.run(queue, { accountId: owner.accountId })).data.verificationRequests.nodes).toEqual([]);
});

test('a verification request for a live organization is created in live mode only', async () => {
  const id = await createLiveOrganization();
  expect((await owner.graphql(create, { id }, inTest)).body.errors).toMatchObject([problem]);
  expect((await owner.run(create, { id })).createVerificationRequest).toMatchObject({ organizationId: id });
  const { body } = await owner.graphql(ownRequests, {}, inTest);
  expect(body.data.verificationRequests.nodes).toEqual([{ organizationId: id, status: 'OPEN' }]);
});
