/** What members read of the operator, and of accounts that are suspended; and what the operator ends for users. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createMember } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

test('the activity has the reasons that are for members, and not the notes of the operator', async () => {
  const owner = await createMember(platform);
  const administrator = await platform.administrator();
  const create = 'mutation { createOwnKey(input: { name: "server" }) { apiKey { id } } }';
  const [first, second, third] = [await owner.run(create), await owner.run(create), await owner.run(create)].map(
    ({ createOwnKey }) => createOwnKey.apiKey.id as string,
  );
  const act = (mutation: string, id: string | undefined) =>
    administrator.run(`mutation ($id: ID!) { ${mutation} { id } }`, { id });
  await act('disableApiKey(id: $id, reason: "note about fraud")', first);
  await act('revokeApiKey(id: $id, reason: "leaked in a repository")', second);
  await owner.run('mutation ($id: ID!) { revokeOwnKey(id: $id, reason: "own reason") { id } }', { id: third });
  await act('suspendAccount(id: $id, reason: "note about payment")', owner.accountId);
  await act('reinstateAccount(id: $id, reason: "note about a call")', owner.accountId);
  const request = await owner.run('mutation { createPlanRequest(plan: "pro", note: "more") { id } }');
  await act('declinePlanRequest(id: $id, reason: "not yet")', request.createPlanRequest.id);
  const { accountActivity } = await owner.run('{ accountActivity(first: 50) { nodes { action reason } } }');
  const reasons = accountActivity.nodes.map(({ action, reason }: { action: string; reason: string | null }) => [action, reason]);
  expect(reasons).toEqual(
    expect.arrayContaining([
      ['disable', null],
      ['suspend', null],
      ['reinstate', null],
      ['decline', 'not yet'],
      ['revoke', 'leaked in a repository'],
      ['revoke', 'own reason'],
    ]),
  );
  expect(JSON.stringify(reasons)).not.toContain('note about');
});

test('of other accounts of a user, also suspended ones, memberships show the name and the status only', async () => {
  const owner = await createMember(platform);
  const other = await createMember(platform);
  const token = (
    await other.run('mutation ($email: String!) { inviteMember(email: $email, role: VIEWER) { setupPath } }', {
      email: owner.email,
    })
  ).inviteMember.setupPath.split('#')[1];
  const accept = await owner.fetch('/portal/invitation', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ token }),
  });
  expect(accept.status).toBe(200);
  for (const { accountId } of [owner, other])
    await platform.administer(
      'mutation ($id: ID!) { updateAccount(id: $id, ifMatch: "*", input: { legalName: "Legal", billingAddress: "Street 1", vatId: "DE123", email: "a@b.example" }) { id } }',
      { id: accountId },
    );
  const read = async () => {
    const { member } = await owner.run(
      '{ member { user { memberships { account { id status legalName billingAddress vatId email } } } } }',
    );
    return Object.fromEntries(
      member.user.memberships.map(({ account: { id, ...account } }: { account: { id: string } }) => [id, account]),
    );
  };
  const hidden = { legalName: null, billingAddress: null, vatId: null, email: null };
  expect(await read()).toEqual({
    [owner.accountId]: { status: 'ACTIVE', legalName: 'Legal', billingAddress: 'Street 1', vatId: 'DE123', email: 'a@b.example' },
    [other.accountId]: { status: 'ACTIVE', ...hidden },
  });
  await platform.administer('mutation ($id: ID!) { suspendAccount(id: $id) { id } }', { id: other.accountId });
  expect((await read())[other.accountId]).toEqual({ status: 'SUSPENDED', ...hidden });
});

test('an administrator ends the sessions of a user, who stays active', async () => {
  const member = await createMember(platform);
  const end = 'mutation ($id: ID!) { endPortalUserSessions(id: $id) { id status sessions { id } } }';
  const viewer = await platform.administrator('VIEWER');
  expect((await viewer.run(end, { id: member.userId })).errors[0].extensions.code).toBe('insufficient_scope');
  expect(await member.codeOf('{ member { role } }')).toBeNull();
  const administrator = await platform.administrator('ADMIN');
  const { data } = await administrator.run(end, { id: member.userId });
  expect(data.endPortalUserSessions).toEqual({ id: member.userId, status: 'ACTIVE', sessions: [] });
  expect(await member.codeOf('{ member { role } }')).toBe('sign_in_required');
  const history = await administrator.run(
    'query ($id: ID!) { auditEntries(first: 1, filter: { resourceType: "portal_user", resourceId: $id }) { nodes { action } } }',
    { id: member.userId },
  );
  expect(history.data.auditEntries.nodes).toEqual([{ action: 'sessions_ended' }]);
});
