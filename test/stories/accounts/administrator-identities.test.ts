/** Sign-in of administrators with an OpenID provider that runs on this machine. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { invite, postSameOrigin, withCookie } from '../../administrator.ts';
import { client, openProvider, type LocalProvider, type Person } from '../../oidc-provider.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let provider: LocalProvider;
let platform: TestPlatform;
let database: pg.Client;
beforeAll(async () => {
  provider = await openProvider();
  const settings = { ...client, issuer: provider.issuer, name: 'Example ID', newcomerRole: null };
  platform = await openTestPlatform({ oidc: settings });
  provider.register(`${platform.graphqlUrl}/admin/oidc/callback`);
  database = new pg.Client({ connectionString: platform.database.ownerUrl });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await platform.close();
  await provider.close();
});

/** A browser that stores cookies per host and follows redirects. */
function openBrowser() {
  const jar = new Map<string, Map<string, string>>();
  const visited: string[] = [];
  async function step(url: string): Promise<Response> {
    const { host } = new URL(url);
    const cookies = jar.get(host) ?? new Map<string, string>();
    jar.set(host, cookies);
    visited.push(url);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';', 1)[0] ?? '').split(/=(.*)/s);
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }
  return {
    visited,
    cookies: () => jar.get(new URL(platform.graphqlUrl).host) ?? new Map<string, string>(),
    step,
    /** Follows redirects to a path of the platform outside the OpenID routes; returns that path. */
    async signIn(from = `${platform.graphqlUrl}/admin/oidc`): Promise<string> {
      let url = from;
      for (let steps = 0; steps < 20; steps += 1) {
        const location = (await step(url)).headers.get('location');
        if (location === null) throw new Error(`No redirect from ${url}`);
        const next = new URL(location, url);
        const path = `${next.pathname}${next.search}`;
        if (next.origin === platform.graphqlUrl && !next.pathname.startsWith('/admin/oidc')) return path;
        url = next.href;
      }
      throw new Error('Too many redirects');
    },
  };
}

const person = (sub: string, more: Partial<Person> = {}): Person => ({
  sub,
  email: `${sub}@example.com`,
  email_verified: true,
  name: `Person ${sub}`,
  ...more,
});

async function signInAs(user: Person | null): Promise<{ path: string; session: string | undefined }> {
  provider.setNextUser(user);
  const browser = openBrowser();
  const path = await browser.signIn();
  expect(browser.cookies().has('__Host-oidc')).toBe(false);
  return { path, session: browser.cookies().get('__Host-session') };
}

const readSession = async (session: string | undefined): Promise<unknown> =>
  (await withCookie(platform.graphqlUrl, `__Host-session=${session ?? ''}`).fetch('/admin/session')).json();

test('the sign-in page receives the provider', async () => {
  const reply = await fetch(`${platform.graphqlUrl}/admin/session`);
  expect(await reply.json()).toMatchObject({ providers: { password: true, oidc: { name: 'Example ID' } } });
});

describe('a user of the provider', () => {
  test('with an invitation signs in, is bound to the identity, and signs in again with another address', async () => {
    const { id, token } = await invite(platform.administer, 'MODERATOR', 'Invited@example.com', 'Ivy');
    const first = await signInAs(person('invited'));
    expect(first.path).toBe('/admin');
    expect(await readSession(first.session)).toMatchObject({
      state: 'SIGNED_IN',
      signedInBy: 'OIDC',
      administrator: { id, name: 'Ivy', role: 'MODERATOR' },
    });
    // the sign-in uses the invitation
    const link = await postSameOrigin(platform.graphqlUrl, '/admin/setup', { token, password: 'a password for later' });
    expect(link.body.code).toBe('gone');
    const repeated = await signInAs(person('invited', { email: 'married@example.com' }));
    expect(await readSession(repeated.session)).toMatchObject({ administrator: { id } });
    const { rows } = await database.query(`select action from accounts.history where resource_id = $1 order by id`, [id]);
    expect(rows.map(({ action }) => action)).toEqual(['invited', 'identity_bound', 'signed_in', 'signed_in']);
  });

  test.each([
    ['without an invitation', 'uninvited', {}],
    ['with an unverified address', 'unverified', { email_verified: false }],
    ['with the address of an administrator with another identity', 'another', { email: 'invited@example.com' }],
  ])('%s cannot sign in', async (_, sub, more) => {
    if (sub === 'unverified') await invite(platform.administer, 'OWNER', 'unverified@example.com');
    expect(await signInAs(person(sub, more))).toEqual({ path: '/admin/sign-in?problem=sign_in_failed', session: undefined });
  });

  test('with an identity at a former provider is bound to the current one', async () => {
    const { id } = await invite(platform.administer, 'VIEWER', 'mover@example.com');
    await signInAs(person('mover'));
    await database.query(`update accounts.administrator set oidc_issuer = 'https://old.example' where id = $1`, [id]);
    const { session } = await signInAs(person('new-name', { email: 'mover@example.com' }));
    expect(await readSession(session)).toMatchObject({ administrator: { id } });
  });

  test('with a disabled account cannot sign in', async () => {
    const { id } = await invite(platform.administer, 'VIEWER', 'leaver@example.com');
    expect((await signInAs(person('leaver'))).path).toBe('/admin');
    await platform.administer('mutation ($id: ID!) { disableAdministrator(id: $id) { id } }', { id });
    expect((await signInAs(person('leaver'))).path).toBe('/admin/sign-in?problem=sign_in_failed');
  });

  test('who denies access is redirected to the sign-in page', async () => {
    expect((await signInAs(null)).path).toBe('/admin/sign-in?problem=sign_in_failed');
  });
});

test('while the provider is unavailable the platform and passwords work, and the button reports the problem', async () => {
  // the port of the discard protocol, on which no process listens
  const settings = { ...client, issuer: 'http://127.0.0.1:9', name: 'Unavailable', newcomerRole: 'VIEWER' } as const;
  const other = await openTestPlatform({ oidc: settings });
  try {
    const reply = await fetch(`${other.graphqlUrl}/admin/oidc`, { redirect: 'manual' });
    expect(reply.headers.get('location')).toBe('/admin/sign-in?problem=upstream_unavailable');
    const owner = await other.administrator('OWNER');
    expect((await owner.graphql('{ plans { nodes { code } } }')).status).toBe(200);
  } finally {
    await other.close();
  }
});

describe('the callback of the provider', () => {
  test('uses PKCE, state and nonce, and works once in the browser that started the sign-in', async () => {
    await invite(platform.administer, 'VIEWER', 'once@example.com');
    provider.setNextUser(person('once'));
    const browser = openBrowser();
    expect(await browser.signIn()).toBe('/admin');
    const sent = new URL(browser.visited.find((url) => url.startsWith(`${provider.issuer}/auth?`)) ?? '').searchParams;
    expect(Object.fromEntries(sent)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${platform.graphqlUrl}/admin/oidc/callback`,
    });
    expect([sent.get('state'), sent.get('nonce'), sent.get('code_challenge')].map((each) => each?.length)).toEqual([43, 43, 43]);

    const callback = browser.visited.find((url) => url.includes('/admin/oidc/callback')) ?? '';
    // the same callback in another browser, and in one that started a different sign-in
    expect(await openBrowser().signIn(callback)).toBe('/admin/sign-in?problem=sign_in_failed');
    const other = openBrowser();
    await other.step(`${platform.graphqlUrl}/admin/oidc`);
    expect(await other.signIn(callback)).toBe('/admin/sign-in?problem=sign_in_failed');
    expect(other.cookies().has('__Host-session')).toBe(false);
  });

  test('with another state or an invalid code is rejected', async () => {
    for (const query of [
      'code=x&state=y',
      'error=server_error',
      '',
      `code=x&iss=${encodeURIComponent('https://evil.example')}`,
    ]) {
      const browser = openBrowser();
      const started = await browser.step(`${platform.graphqlUrl}/admin/oidc`);
      const { searchParams } = new URL(started.headers.get('location') ?? '');
      const state = query.includes('state') ? '' : `&state=${searchParams.get('state') ?? ''}`;
      const path = await browser.signIn(`${platform.graphqlUrl}/admin/oidc/callback?${query}${state}`);
      expect([query, path]).toEqual([query, '/admin/sign-in?problem=sign_in_failed']);
    }
  });

  test('ends the previous session of the browser', async () => {
    const { id } = await invite(platform.administer, 'VIEWER', 'twice@example.com');
    provider.setNextUser(person('twice'));
    const browser = openBrowser();
    await browser.signIn();
    const before = browser.cookies().get('__Host-session');
    await browser.signIn();
    expect(browser.cookies().get('__Host-session')).not.toBe(before);
    expect(await readSession(before)).toMatchObject({ state: 'SIGNED_OUT' });
    expect(await readSession(browser.cookies().get('__Host-session'))).toMatchObject({ administrator: { id } });
  });
});
