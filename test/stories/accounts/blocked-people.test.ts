/** People who were disabled and erased: neither a provider that admits new people nor a registration lets them in again; an invitation does. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { invite, postSameOrigin } from '../../administrator.ts';
import { createMember, inviteUser } from '../../member.ts';
import { client, openProvider, type LocalProvider } from '../../oidc-provider.ts';
import { signInByProvider } from '../../portal-provider.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let providers: Readonly<Record<'/admin' | '/portal', LocalProvider>>;
let platform: TestPlatform;
beforeAll(async () => {
  providers = { '/admin': await openProvider(), '/portal': await openProvider() };
  const settings = { ...client, name: 'Example ID' };
  platform = await openTestPlatform({
    oidc: { ...settings, issuer: providers['/admin'].issuer, newcomerRole: 'VIEWER' },
    portalOidc: { ...settings, issuer: providers['/portal'].issuer, newcomerRole: null },
    registration: true,
  });
  for (const base of ['/admin', '/portal'] as const) providers[base].register(`${platform.graphqlUrl}${base}/oidc/callback`);
});
afterAll(async () => {
  await platform.close();
  await Promise.all(Object.values(providers).map((provider) => provider.close()));
});

let networks = 0;
/** Registrations are limited per network. */
const newNetwork = () => ({ 'x-forwarded-for': `203.0.113.${(networks += 1)}` });

const signIn = async (base: '/admin' | '/portal', sub: string, email = `${sub}@example.com`): Promise<string> =>
  (await signInByProvider(providers[base], platform.graphqlUrl, sub, { base, email, headers: newNetwork() })).path;

const register = (email: string) =>
  postSameOrigin(
    platform.graphqlUrl,
    '/portal/registration',
    { email, name: 'New', accountName: 'New account', password: 'correct horse battery' },
    newNetwork(),
  );

/** Disables and erases the person with an address. */
async function erase(kind: 'Administrator' | 'PortalUser', email: string): Promise<void> {
  const owner = await platform.administrator('OWNER');
  const list = kind === 'Administrator' ? 'administrators' : 'portalUsers';
  const { data } = await owner.run(`{ ${list}(first: 100) { nodes { id email } } }`);
  const { id } = data[list].nodes.find((person: { email: string }) => person.email === email);
  for (const verb of ['disable', 'erase'])
    expect((await owner.run(`mutation ($id: ID!) { ${verb}${kind}(id: $id) { id } }`, { id })).errors).toEqual([]);
}

test('a provider does not admit an erased administrator again, by identity or by address, until an invitation', async () => {
  expect(await signIn('/admin', 'leaver')).toBe('/admin');
  await erase('Administrator', 'leaver@example.com');
  const rejected = '/admin/sign-in?problem=sign_in_failed';
  expect(await signIn('/admin', 'leaver')).toBe(rejected);
  expect(await signIn('/admin', 'leaver', 'renamed@example.com')).toBe(rejected);
  expect(await signIn('/admin', 'other-identity', 'Leaver@example.com')).toBe(rejected);
  expect(await signIn('/admin', 'colleague')).toBe('/admin');

  await invite(platform.administer, 'VIEWER', 'leaver@example.com');
  expect(await signIn('/admin', 'leaver')).toBe('/admin');
});

test('neither a registration nor the invitation of a member admits an erased portal user; that of an administrator does', async () => {
  expect(await signIn('/portal', 'partner')).toBe('/portal');
  await erase('PortalUser', 'partner@example.com');
  const rejected = '/portal/sign-in?problem=sign_in_failed';
  expect(await signIn('/portal', 'partner')).toBe(rejected);
  expect(await signIn('/portal', 'partner', 'renamed@example.com')).toBe(rejected);
  expect((await register('Partner@example.com')).body.code).toBe('conflict');
  expect((await register('colleague@example.com')).status).toBe(200);

  const member = await createMember(platform);
  const { inviteMember } = await member.run('mutation { inviteMember(email: "partner@example.com", role: OWNER) { setupPath } }');
  const token = String(inviteMember.setupPath).split('#')[1];
  const setup = await postSameOrigin(platform.graphqlUrl, '/portal/setup', {
    token,
    name: 'Partner',
    password: 'correct horse battery',
  });
  expect(setup.body.code).toBe('sign_in_failed');
  expect(await signIn('/portal', 'partner')).toBe(rejected);

  await inviteUser(platform.administer, member.accountId, 'partner@example.com', 'VIEWER');
  expect(await signIn('/portal', 'partner')).toBe('/portal');
});
