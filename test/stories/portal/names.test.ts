/** The request log and the activity name the keys and members of the account, and of no other one. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createMember, type MemberClient } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
let member: MemberClient;
let publicId: string;
let keyId: string;

beforeAll(async () => {
  platform = await openTestPlatform();
  member = await createMember(platform);
  const { createOwnKey } = await member.run(
    'mutation { createOwnKey(input: { name: "website" }) { key apiKey { id publicId } } }',
  );
  ({ id: keyId, publicId } = createOwnKey.apiKey);
  await fetch(`${platform.restUrl}/api/v1/athletes?limit=1`, { headers: { 'x-api-key': createOwnKey.key } });
  await platform.flushUsage();
});
afterAll(() => platform.close());

const requests = '{ requests { nodes { id key units apiKey { id name } } } }';

test('logged requests have the key of the account', async () => {
  const viewer = await createMember(platform, { role: 'VIEWER', accountId: member.accountId });
  for (const reader of [member, viewer]) {
    const { nodes } = (await reader.run(requests)).requests;
    expect(nodes).toMatchObject([{ key: publicId, apiKey: { id: keyId, name: 'website' } }]);
    const one = await reader.run('query ($id: ID!) { request(id: $id) { apiKey { name } } }', { id: nodes[0].id });
    expect(one.request).toEqual({ apiKey: { name: 'website' } });
    const other = await createMember(platform);
    expect(await other.run('query ($id: ID!) { request(id: $id) { apiKey { name } } }', { id: nodes[0].id })).toEqual({
      request: null,
    });
    expect((await other.run(requests)).requests.nodes).toEqual([]);
  }
});

test('the public graph has no names of keys in the log', async () => {
  const client = await platform.account({ account: 'Owner' });
  const { body } = await client.graphql('{ requests { nodes { apiKey { name } } } }');
  expect(body.errors[0].message).toContain('apiKey');
});

test('the activity names the key, the account and the member', async () => {
  const { nodes } = (await member.run('{ accountActivity(first: 100) { nodes { resourceType resourceName } } }')).accountActivity;
  expect(nodes).toContainEqual({ resourceType: 'API_KEY', resourceName: 'website' });
  const { user } = (await member.run('{ member { user { name } } }')).member;
  expect(nodes).toContainEqual({ resourceType: 'ACCOUNT_MEMBER', resourceName: user.name });
  // only owners read the addresses of invitations
  const invitation = nodes.find(({ resourceType }: { resourceType: string }) => resourceType === 'ACCOUNT_INVITATION');
  expect(invitation).toEqual({ resourceType: 'ACCOUNT_INVITATION', resourceName: null });
});
