/** Registration in the portal with an OpenID provider has the limit of registration with a password. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { client, openProvider, type LocalProvider } from '../../oidc-provider.ts';
import { createMember } from '../../member.ts';
import { signInByProvider } from '../../portal-provider.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let provider: LocalProvider;
let platform: TestPlatform;
beforeAll(async () => {
  provider = await openProvider();
  const portalOidc = { ...client, issuer: provider.issuer, name: 'Example ID', newcomerRole: null };
  platform = await openTestPlatform({ portalOidc, registration: true });
  provider.register(`${platform.graphqlUrl}/portal/oidc/callback`);
});
afterAll(async () => {
  await platform.close();
  await provider.close();
});

const signIn = async (sub: string): Promise<string> => (await signInByProvider(provider, platform.graphqlUrl, sub)).path;

test('five people of a network register in an hour, and known users sign in without a limit', async () => {
  const paths: string[] = [];
  for (const person of ['a', 'b', 'c', 'd', 'e', 'f', 'a']) paths.push(await signIn(`person-${person}`));
  expect(paths).toEqual([...Array.from({ length: 5 }, () => '/portal'), '/portal/sign-in?problem=rate_limited', '/portal']);
});

test('a person whom only members invited gets an own account, and joins theirs with the link only', async () => {
  const owner = await createMember(platform);
  const email = 'colleague@example.com';
  await owner.run('mutation ($email: String!) { inviteMember(email: $email, role: OWNER) { setupPath } }', { email });
  const headers = { 'x-forwarded-for': '203.0.113.99' };
  const { cookie } = await signInByProvider(provider, platform.graphqlUrl, 'colleague', { email, headers });
  const session = await (await fetch(`${platform.graphqlUrl}/portal/session`, { headers: { cookie } })).json();
  expect(session).toMatchObject({ memberships: [{ role: 'OWNER', account: { name: 'colleague' } }] });
});
