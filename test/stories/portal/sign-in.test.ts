/** Sign-in to the portal over HTTP: invitations, passwords, sessions and their limits, in one process and in several. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cookieOf, postSameOrigin, sameOrigin } from '../../administrator.ts';
import { createAccount, createMember, createMemberWithPassword, inviteUser, withPortalCookie } from '../../member.ts';
import { openTestPlatform, wirings, type TestPlatform } from '../../test-platform.ts';

let network = 0;
/** The headers of a client in a network that no other test uses. */
const fromNewNetwork = (): Record<string, string> => {
  network += 1;
  return { 'x-forwarded-for': `203.0.113.${network}` };
};

describe.each(wirings)('in %s', (wiring) => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await openTestPlatform({ wiring });
  });
  afterAll(() => platform.close());

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    postSameOrigin(platform.graphqlUrl, path, body, { ...fromNewNetwork(), ...headers });

  test('an invited owner sets a password, signs in, reads the own account and signs out', async () => {
    const owner = await platform.administrator('OWNER');
    const accountId = await createAccount(platform.administer, 'FC Partner');
    const invited = await owner.run(
      `mutation ($accountId: ID!) { invitePortalUser(accountId: $accountId, email: "ada@partner.example") {
        setupPath invitation { email role status invitedBy }
      } }`,
      { accountId },
    );
    const { setupPath, invitation } = invited.data.invitePortalUser;
    expect(setupPath).toMatch(/^\/portal\/setup#[\w-]{43}$/);
    expect(invitation).toMatchObject({ email: 'ada@partner.example', role: 'OWNER', status: 'OPEN', invitedBy: 'Ada Example' });
    const token = setupPath.split('#')[1];
    expect((await post('/portal/setup/look', { token })).body).toMatchObject({
      purpose: 'INVITATION',
      email: 'ada@partner.example',
      memberRole: 'OWNER',
      accountName: 'FC Partner',
    });
    const input = { token, name: 'Ada Partner', password: 'correct horse battery' };
    const accepted = await post('/portal/setup', input);
    expect(accepted.body).toMatchObject({
      state: 'SIGNED_IN',
      user: { name: 'Ada Partner', email: 'ada@partner.example', hasSecondFactor: false },
      memberships: [{ role: 'OWNER', account: { id: accountId, name: 'FC Partner', status: 'ACTIVE' } }],
    });
    expect((await post('/portal/setup', { ...input, name: 'Eve' })).status).toBe(410);

    const credentials = { email: 'Ada@Partner.example', password: 'correct horse battery' };
    const reply = await fetch(`${platform.graphqlUrl}/portal/session`, {
      method: 'POST',
      headers: { ...sameOrigin, ...fromNewNetwork() },
      body: JSON.stringify(credentials),
    });
    const [cookie = ''] = reply.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-portal-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    const ada = withPortalCookie(platform.graphqlUrl, cookieOf(reply), accountId);
    expect(
      await ada.run('{ member { role scopes user { name emailVerifiedAt } account { name } plan { code } } }'),
    ).toMatchObject({
      member: { role: 'OWNER', user: { name: 'Ada Partner' }, account: { name: 'FC Partner' }, plan: { code: 'free' } },
    });
    expect((await ada.fetch('/portal/session', { method: 'DELETE' })).status).toBe(204);
    expect(await ada.codeOf('{ member { role } }')).toBe('sign_in_required');
    expect(await (await ada.fetch('/portal/session')).json()).toEqual({
      state: 'SIGNED_OUT',
      registration: false,
      providers: { password: true, oidc: null, passkey: { origin: platform.graphqlUrl.replace('127.0.0.1', 'localhost') } },
    });
  });

  test('a session of one population opens nothing of the other', async () => {
    const member = await createMember(platform);
    const administrator = await platform.administrator('OWNER');
    const [memberToken, administratorToken] = [member, administrator].map(({ cookie }) => cookie.split('=')[1] ?? '');
    const asAdministrator = { cookie: `__Host-session=${memberToken}` };
    const asMember = `__Host-portal-session=${administratorToken}`;
    const query = { query: '{ accounts { nodes { id } } }' };
    expect((await postSameOrigin(platform.graphqlUrl, '/admin/graphql', query, asAdministrator)).status).toBe(401);
    expect((await postSameOrigin(platform.graphqlUrl, '/admin/graphql', query, { cookie: member.cookie })).status).toBe(401);
    const client = withPortalCookie(platform.graphqlUrl, asMember, member.accountId);
    expect(await client.codeOf('{ member { role } }')).toBe('sign_in_required');
    expect(await (await client.fetch('/portal/session')).json()).toMatchObject({ state: 'SIGNED_OUT' });
  });

  test('a password of one population opens no session of the other', async () => {
    const member = await createMemberWithPassword(platform);
    const credentials = { email: member.email, password: member.password };
    expect((await post('/admin/session', credentials)).body.code).toBe('sign_in_failed');
    expect((await post('/portal/session', credentials)).status).toBe(200);
  });

  test('removal, suspension, closing, disabling and the end of a session take effect with the next request', async () => {
    const read = '{ member { role } }';
    const owner = await createMember(platform);
    const colleague = await createMember(platform, { role: 'DEVELOPER', accountId: owner.accountId });
    expect(await colleague.codeOf(read)).toBeNull();
    const { accountMembers } = await owner.run('{ accountMembers { id email } }');
    const { id } = accountMembers.find(({ email }: { email: string }) => email === colleague.email);
    await owner.run('mutation ($id: ID!) { removeMember(id: $id) { id } }', { id });
    expect(await colleague.codeOf(read)).toBe('account_unavailable');

    const account = { id: owner.accountId };
    await platform.administer('mutation ($id: ID!) { suspendAccount(id: $id) { id } }', account);
    expect(await owner.codeOf(read)).toBe('account_unavailable');
    await platform.administer('mutation ($id: ID!) { reinstateAccount(id: $id) { id } }', account);
    expect(await owner.codeOf(read)).toBeNull();
    await platform.administer('mutation ($id: ID!) { closeAccount(id: $id) { id } }', account);
    expect(await owner.codeOf(read)).toBe('account_unavailable');

    const other = await createMember(platform);
    await platform.administer('mutation ($id: ID!) { disablePortalUser(id: $id) { id } }', { id: other.userId });
    expect(await other.codeOf(read)).toBe('sign_in_required');
  });

  test('a request names an account of its member', async () => {
    const [member, other] = [await createMember(platform), await createMember(platform)];
    const read = '{ member { account { id } } }';
    for (const [id, code] of [
      ['', 'parameter_invalid'],
      ["' or true", 'parameter_invalid'],
      [other.accountId, 'account_unavailable'],
      ['00000000-0000-7000-8000-000000000000', 'account_unavailable'],
    ] as const) {
      const { body } = await member.graphql(read, {}, { 'x-account-id': id });
      expect([id, body.errors[0].extensions.code]).toEqual([id, code]);
    }
  });

  test('cross-site requests, other content types and long bodies are rejected', async () => {
    const member = await createMember(platform);
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await member.graphql('{ member { role } }', {}, headers)).body.errors[0].extensions.code).toBe('csrf_refused');
    expect((await post('/portal/session', { email: 'a@b', password: 'x' }, headers)).body.code).toBe('csrf_refused');
    expect((await post('/portal/session', {}, { 'content-type': 'text/plain' })).body.code).toBe('csrf_refused');
    expect((await post('/portal/session', { email: 'a@b', password: 'x'.repeat(5_000) })).status).toBe(413);
    const options = await fetch(`${platform.graphqlUrl}/portal/session`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example' },
    });
    expect(options.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('requests of a network are limited before their body is read', async () => {
    const headers = fromNewNetwork();
    const statuses: number[] = [];
    for (let request = 0; request < 62; request += 1) {
      const response = await fetch(`${platform.graphqlUrl}/portal/session`, {
        method: 'POST',
        headers: { ...sameOrigin, ...headers },
        body: 'not json',
      });
      statuses.push(response.status);
    }
    expect(statuses.slice(0, 60)).toEqual(Array.from({ length: 60 }, () => 400));
    expect(statuses.slice(60)).toEqual([429, 429]);
  });

  test('wrong passwords are limited per address and network, without effect on administrators', async () => {
    const member = await createMemberWithPassword(platform);
    const headers = fromNewNetwork();
    const guess = (password: string) =>
      postSameOrigin(platform.graphqlUrl, '/portal/session', { email: member.email, password }, headers);
    for (let guesses = 0; guesses < 5; guesses += 1) expect((await guess('a wrong password')).status).toBe(401);
    const limited = await guess(member.password);
    expect([limited.status, Number(limited.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await post('/portal/session', { email: member.email, password: member.password })).status).toBe(200);
  });

  test('registration does not exist unless the operator allows it', async () => {
    const input = { email: 'new@example.com', name: 'New', accountName: 'New account', password: 'correct horse battery' };
    expect((await post('/portal/registration', input)).status).toBe(404);
  });

  test('an existing user accepts a second invitation with the open session, and only with the invited address', async () => {
    const [ada, grace] = [await createMember(platform), await createMember(platform)];
    const invite = (email: string) =>
      ada.run('mutation ($email: String!) { inviteMember(email: $email, role: VIEWER) { setupPath } }', { email });
    const token = (await invite(grace.email)).inviteMember.setupPath.split('#')[1];
    expect((await post('/portal/setup', { token, name: 'Eve', password: 'correct horse battery' })).body.code).toBe('conflict');
    const accept = (cookie: string) => post('/portal/invitation', { token }, { cookie });
    expect((await accept('')).body.code).toBe('sign_in_required');
    const stranger = await createMember(platform);
    expect((await accept(stranger.cookie)).body.code).toBe('account_unavailable');
    const accepted = await accept(grace.cookie);
    expect(accepted.body.memberships.map(({ role }: { role: string }) => role)).toEqual(['OWNER', 'VIEWER']);
    expect((await accept(grace.cookie)).status).toBe(410);
    const inOther = withPortalCookie(platform.graphqlUrl, grace.cookie, ada.accountId);
    expect(await inOther.run('{ member { role } }')).toEqual({ member: { role: 'VIEWER' } });
  });

  test('a withdrawn, replaced or expired invitation is void', async () => {
    const ada = await createMember(platform);
    const invite = async (email: string): Promise<{ id: string; token: string }> => {
      const { inviteMember } = await ada.run(
        'mutation ($email: String!) { inviteMember(email: $email, role: VIEWER) { setupPath invitation { id } } }',
        { email },
      );
      return { id: inviteMember.invitation.id, token: inviteMember.setupPath.split('#')[1] };
    };
    const look = async (token: string) => (await post('/portal/setup/look', { token })).status;
    const [first, second] = [await invite('twice@example.com'), await invite('Twice@example.com')];
    expect([await look(first.token), await look(second.token)]).toEqual([410, 200]);
    await ada.run('mutation ($id: ID!) { withdrawInvitation(id: $id) { status } }', { id: second.id });
    expect(await look(second.token)).toBe(410);
    expect(await ada.codeOf('mutation ($id: ID!) { withdrawInvitation(id: $id) { status } }', { id: second.id })).toBe(
      'invalid_transition',
    );
    const suspended = await inviteUser(platform.administer, ada.accountId, 'late@example.com', 'VIEWER');
    await platform.administer('mutation ($id: ID!) { suspendAccount(id: $id) { id } }', { id: ada.accountId });
    expect(await look(suspended)).toBe(410);
  });
});
