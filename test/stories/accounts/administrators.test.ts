/** Sign-in, actions and sign-out of administrators over HTTP, in one process and in several. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sameOrigin, withCookie } from '../../administrator.ts';
import { openTestPlatform, wirings, type TestPlatform } from '../../test-platform.ts';

const issue = `mutation ($input: IssueApiKeyInput!) {
  issueApiKey(input: $input) { key apiKey { id createdBy account { id } } }
}`;
const input = { accountName: 'FC Example', plan: 'starter', scopes: ['athletes:write'] };

describe.each(wirings)('in %s', (wiring) => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await openTestPlatform({ wiring });
  });
  afterAll(() => platform.close());

  test('an invited administrator sets a password, signs in, issues a working key and signs out', async () => {
    const ada = await platform.administratorWithPassword('ADMIN');
    const session = await ada.fetch('/admin/session');
    expect(session.headers.get('cache-control')).toBe('no-store');
    expect(session.headers.get('access-control-allow-origin')).toBeNull();
    expect(await session.json()).toMatchObject({
      state: 'SIGNED_IN',
      administrator: { id: ada.id, name: 'Ada Example', email: ada.email, role: 'ADMIN' },
      signedInBy: 'PASSWORD',
    });

    const body = JSON.stringify({ email: ada.email.toUpperCase(), password: ada.password });
    const repeated = await fetch(`${platform.graphqlUrl}/admin/session`, { method: 'POST', headers: sameOrigin, body });
    expect(repeated.status).toBe(200);
    const [cookie = ''] = repeated.headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const second = withCookie(platform.graphqlUrl, cookie.split(';', 1)[0] ?? '');

    const issued = await second.graphql(issue, { input });
    expect(issued.body.errors).toBeUndefined();
    const { key, apiKey } = issued.body.data.issueApiKey;
    expect(apiKey.createdBy).toBe('Ada Example');
    expect((await platform.anonymous.get('/me', { 'x-api-key': key })).status).toBe(200);

    expect((await second.fetch('/admin/session', { method: 'DELETE' })).status).toBe(204);
    const over = await second.graphql('{ apiKeys { nodes { id } } }');
    expect({ status: over.status, code: over.body.errors[0].extensions.code }).toEqual({ status: 401, code: 'sign_in_required' });
    expect(await (await second.fetch('/admin/session')).json()).toEqual({
      state: 'SIGNED_OUT',
      setUp: true,
      providers: { password: true, oidc: null, passkey: { origin: platform.graphqlUrl.replace('127.0.0.1', 'localhost') } },
    });
    expect((await ada.graphql('{ apiKeys { nodes { id } } }')).body.errors).toBeUndefined();
  });

  test('a viewer can read but not issue keys, and the error lists the required roles', async () => {
    const viewer = await platform.administrator('VIEWER');
    expect((await viewer.graphql('{ apiKeys { nodes { id } } administrators { nodes { email } } }')).body.errors).toBeUndefined();
    const { body } = await viewer.graphql(issue, { input });
    expect(body.errors[0]).toMatchObject({
      message: 'The role VIEWER lacks the scope administration:write. Required role: OWNER or ADMIN.',
      extensions: { code: 'insufficient_scope' },
    });
  });

  test('an API key is not accepted below /admin', async () => {
    const { key } = await platform.account();
    const headers = { 'content-type': 'application/json', 'x-api-key': key };
    const body = JSON.stringify({ query: '{ accounts { nodes { id } } }' });
    const response = await fetch(`${platform.graphqlUrl}/admin/graphql`, { method: 'POST', headers, body });
    expect(response.status).toBe(401);
  });
});
