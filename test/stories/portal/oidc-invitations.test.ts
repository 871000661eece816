/** Sign-in to the portal with an OpenID provider: which invitations count, and its limit. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { postSameOrigin } from '../../administrator.ts';
import { createAccount, createMember, inviteUser } from '../../member.ts';
import { client, openProvider, type LocalProvider } from '../../oidc-provider.ts';
import { signInByProvider } from '../../portal-provider.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let provider: LocalProvider;
let platform: TestPlatform;
beforeAll(async () => {
  provider = await openProvider();
  platform = await openTestPlatform({
    portalOidc: { ...client, issuer: provider.issuer, name: 'Example ID', newcomerRole: null },
  });
  provider.register(`${platform.graphqlUrl}/portal/oidc/callback`);
});
afterAll(async () => {
  await platform.close();
  await provider.close();
});

let network = 0;
function signIn(sub: string, options: { email?: string; verified?: boolean } = {}) {
  network += 1;
  return signInByProvider(provider, platform.graphqlUrl, sub, {
    ...options,
    headers: { 'x-forwarded-for': `198.19.9.${network}` },
  });
}

const membershipsOf = async (cookie: string): Promise<string[]> => {
  const response = await fetch(`${platform.graphqlUrl}/portal/session`, { headers: { cookie } });
  const { memberships } = (await response.json()) as { memberships: { account: { id: string } }[] };
  return memberships.map(({ account }) => account.id);
};

test('a first sign-in accepts the invitations of the operator, and none of members, who can invite any address', async () => {
  const [trusted, stranger] = [await createAccount(platform.administer, 'Trusted'), await createMember(platform)];
  const email = 'ada@partner.example';
  await inviteUser(platform.administer, trusted, email, 'DEVELOPER');
  const invite = 'mutation ($email: String!) { inviteMember(email: $email, role: OWNER) { setupPath } }';
  const token = (await stranger.run(invite, { email })).inviteMember.setupPath.split('#')[1];
  const { path, cookie } = await signIn('ada', { email });
  expect([path, await membershipsOf(cookie)]).toEqual(['/portal', [trusted]]);
  const accepted = await postSameOrigin(platform.graphqlUrl, '/portal/invitation', { token }, { cookie });
  expect(accepted.status).toBe(200);
  expect(await membershipsOf(cookie)).toEqual([trusted, stranger.accountId]);
});

test('a person whom only members invited signs in without an account, and accepts with the link', async () => {
  const owner = await createMember(platform);
  const email = 'grace@partner.example';
  const invite = 'mutation ($email: String!) { inviteMember(email: $email, role: VIEWER) { setupPath } }';
  const token = (await owner.run(invite, { email })).inviteMember.setupPath.split('#')[1];
  const { path, cookie } = await signIn('grace', { email });
  expect([path, await membershipsOf(cookie)]).toEqual(['/portal', []]);
  expect((await postSameOrigin(platform.graphqlUrl, '/portal/invitation', { token }, { cookie })).status).toBe(200);
  expect(await membershipsOf(cookie)).toEqual([owner.accountId]);
});

test('an address that the provider did not verify, or that nobody invited, has no access', async () => {
  const account = await createAccount(platform.administer, 'Unverified');
  await inviteUser(platform.administer, account, 'unverified@partner.example', 'OWNER');
  const failed = { path: '/portal/sign-in?problem=sign_in_failed', cookie: '' };
  expect(await signIn('unverified', { email: 'unverified@partner.example', verified: false })).toEqual(failed);
  expect(await signIn('nobody')).toEqual(failed);
});

test('requests of a network to the provider are limited like those of the sign-in with a password', async () => {
  const headers = { 'x-forwarded-for': '198.19.10.1' };
  const locations: string[] = [];
  for (let count = 0; count < 62; count += 1) {
    const path = count % 2 === 0 ? '/portal/oidc' : '/portal/oidc/callback?code=x';
    const response = await fetch(`${platform.graphqlUrl}${path}`, { redirect: 'manual', headers });
    locations.push(response.headers.get('location') ?? '');
  }
  expect(locations[58]).toContain(provider.issuer);
  expect(locations.slice(60)).toEqual(Array.from({ length: 2 }, () => '/portal/sign-in?problem=rate_limited'));
});
