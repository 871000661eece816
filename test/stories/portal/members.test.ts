/** Members of an account, and what a member of one account reads and changes of another: nothing. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createMember, type MemberClient } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

describe('members of an account', () => {
  const membersOf = async (member: MemberClient): Promise<{ id: string; email: string }[]> =>
    (await member.run('{ accountMembers { id email } }')).accountMembers;
  const change = 'mutation ($id: ID!, $role: MemberRole!) { changeMemberRole(id: $id, role: $role) { role } }';
  const remove = 'mutation ($id: ID!) { removeMember(id: $id) { id } }';

  test('belong to their account only', async () => {
    const [owner, other] = [await createMember(platform), await createMember(platform)];
    const [foreign] = await membersOf(other);
    expect(await owner.codeOf(change, { id: foreign?.id, role: 'VIEWER' })).toBe('not_found');
    expect(await owner.codeOf(remove, { id: foreign?.id })).toBe('not_found');
    expect((await membersOf(owner)).map(({ email }) => email)).toEqual([owner.email]);
  });

  test('keep one of two last owners who remove each other concurrently', async () => {
    const ada = await createMember(platform);
    const grace = await createMember(platform, { accountId: ada.accountId });
    const all = await membersOf(ada);
    const idOf = (member: MemberClient) => all.find(({ email }) => email === member.email)?.id;
    const codes = await Promise.all([
      ada.codeOf(remove, { id: idOf(grace) }),
      grace.codeOf(change, { id: idOf(ada), role: 'VIEWER' }),
    ]);
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    const last = codes[0] === null ? ada : grace;
    expect(await last.codeOf(remove, { id: idOf(last) })).toBe('conflict');
    expect(await last.codeOf(change, { id: idOf(last), role: 'DEVELOPER' })).toBe('conflict');
    expect(await last.codeOf('mutation { leaveAccount { id } }')).toBe('conflict');
  });

  test('lose rights with the next request', async () => {
    const ada = await createMember(platform);
    const grace = await createMember(platform, { accountId: ada.accountId });
    const invitations = '{ accountInvitations { id } }';
    expect(await grace.codeOf(invitations)).toBeNull();
    const id = (await membersOf(ada)).find(({ email }) => email === grace.email)?.id;
    await ada.run(change, { id, role: 'VIEWER' });
    expect(await grace.codeOf(invitations)).toBe('insufficient_scope');
  });

  test('who are removed or lose the role leave no open invitations', async () => {
    const ada = await createMember(platform);
    const invite = 'mutation ($email: String!) { inviteMember(email: $email, role: OWNER) { invitation { id } } }';
    const colleagues = [];
    for (const name of ['removed', 'demoted']) {
      const colleague = await createMember(platform, { accountId: ada.accountId });
      await colleague.run(invite, { email: `friend-of-${name}@example.com` });
      colleagues.push(colleague);
    }
    await ada.run(invite, { email: 'friend-of-ada@example.com' });
    const all = await membersOf(ada);
    const [removed, demoted] = colleagues.map(({ email }) => all.find((each) => each.email === email)?.id);
    await ada.run(remove, { id: removed });
    await ada.run(change, { id: demoted, role: 'DEVELOPER' });
    const { accountInvitations } = await ada.run('{ accountInvitations { email status } }');
    const open = accountInvitations.filter(({ status }: { status: string }) => status === 'OPEN');
    expect(open.map(({ email }: { email: string }) => email)).toEqual(['friend-of-ada@example.com']);
  });

  test('do not read the other accounts and the sessions of colleagues', async () => {
    const ada = await createMember(platform);
    const own = await ada.run('{ member { user { memberships { account { id } } sessions { current } } } }');
    expect(own.member.user).toEqual({ memberships: [{ account: { id: ada.accountId } }], sessions: [{ current: true }] });
  });
});

test('a member reads and changes nothing of another account over the public fields', async () => {
  const [member, other] = [await createMember(platform), await createMember(platform)];
  await platform.administer('mutation ($id: ID!) { moveAccount(id: $id, plan: "plenty", when: NOW) { id } }', {
    id: other.accountId,
  });
  await platform.administer('mutation ($id: ID!) { moveAccount(id: $id, plan: "plenty", when: NOW) { id } }', {
    id: member.accountId,
  });
  for (const each of [member, other]) await each.run('mutation { createOwnKey(input: { name: "k" }) { key } }');
  const created = await other.run(
    'mutation { createWebhookEndpoint(input: { url: "https://example.com/hook", types: [] }) { id secret } createShortlist(input: { name: "Private" }) { id } }',
  );
  const { id } = created.createWebhookEndpoint;
  const read = await member.run(
    'query ($id: ID!, $list: ID!) { webhookEndpoint(id: $id) { id } webhookEndpoints { nodes { id } } shortlist(id: $list) { id } shortlists { nodes { id } } usageStatements { nodes { id } } }',
    { id, list: created.createShortlist.id },
  );
  expect(read).toEqual({
    webhookEndpoint: null,
    webhookEndpoints: { nodes: [] },
    shortlist: null,
    shortlists: { nodes: [] },
    usageStatements: { nodes: [] },
  });
  expect(await member.codeOf('mutation ($id: ID!) { deleteWebhookEndpoint(id: $id, ifMatch: "*") { id } }', { id })).toBe(
    'not_found',
  );
  const activity = await other.run(
    '{ accountActivity(filter: { resourceType: [WEBHOOK_ENDPOINT] }) { nodes { action actorKind actorName } } }',
  );
  expect(activity.accountActivity.nodes).toMatchObject([{ action: 'created', actorKind: 'MEMBER' }]);
  expect(
    (await member.run('{ accountActivity { nodes { resourceType } } }')).accountActivity.nodes.map(
      ({ resourceType }: { resourceType: string }) => resourceType,
    ),
  ).not.toContain('WEBHOOK_ENDPOINT');
});
