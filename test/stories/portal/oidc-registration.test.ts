/** Registration in the portal with an OpenID provider has the limit of registration with a password. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { client, openProvider, type LocalProvider } from '../../oidc-provider.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let provider: LocalProvider;
let platform: TestPlatform;
beforeAll(async () => {
  provider = await openProvider();
  const portalOidc = { ...client, issuer: provider.issuer, name: 'Example ID', newcomerRole: null };
  platform = await openTestPlatform({ portalOidc, registration: true });
  provider.register(`${platform.graphqlUrl}/portal/oidc/callback`);
}, 120_000);
afterAll(async () => {
  await platform.close();
  await provider.close();
});

/** Signs in with a new browser. Returns the path after the sign-in. */
async function signIn(sub: string): Promise<string> {
  provider.setNextUser({ sub, email: `${sub}@example.com`, email_verified: true, name: sub });
  const cookies = new Map<string, Map<string, string>>();
  let url = `${platform.graphqlUrl}/portal/oidc`;
  for (let steps = 0; steps < 20; steps += 1) {
    const { origin } = new URL(url);
    const jar = cookies.get(origin) ?? new Map<string, string>();
    cookies.set(origin, jar);
    const cookie = Array.from(jar, ([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split(/=(.*)/s);
      jar.set(name, value);
    }
    const next = new URL(response.headers.get('location') ?? '', url);
    if (next.origin === platform.graphqlUrl && !next.pathname.startsWith('/portal/oidc')) return `${next.pathname}${next.search}`;
    url = next.href;
  }
  throw new Error('Too many redirects');
}

test('five people of a network register in an hour, and known users sign in without a limit', async () => {
  const paths: string[] = [];
  for (const person of ['a', 'b', 'c', 'd', 'e', 'f', 'a']) paths.push(await signIn(`person-${person}`));
  expect(paths).toEqual([...Array.from({ length: 5 }, () => '/portal'), '/portal/sign-in?problem=rate_limited', '/portal']);
}, 60_000);
