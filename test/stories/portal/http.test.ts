/** The portal over HTTP: the order of errors, HEAD, and bodies that are not UTF-8. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sameOrigin } from '../../administrator.ts';
import { createMember } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

const send = (path: string, init: RequestInit) =>
  fetch(`${platform.graphqlUrl}${path}`, { ...init, headers: { ...sameOrigin, ...(init.headers as Record<string, string>) } });

test('a request without a session is 401, with and without an account', async () => {
  const body = JSON.stringify({ query: '{ member { role } }' });
  const ended = `__Host-portal-session=${'a'.repeat(43)}`;
  for (const headers of [{}, { 'x-account-id': 'none' }, { cookie: ended }, { cookie: ended, 'x-account-id': 'none' }]) {
    const response = await send('/portal/graphql', { method: 'POST', body, headers });
    expect([response.status, await response.json()]).toMatchObject([
      401,
      { errors: [{ extensions: { code: 'sign_in_required' } }] },
    ]);
  }
  const member = await createMember(platform);
  const { body: rejected } = await member.graphql('{ member { role } }', {}, { 'x-account-id': 'none' });
  expect(rejected.errors[0].extensions.code).toBe('parameter_invalid');
});

test.each(['/portal/session', '/admin/session'])('HEAD %s responds as GET without a body', async (path) => {
  const member = await createMember(platform);
  for (const cookie of ['', member.cookie]) {
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => fetch(`${platform.graphqlUrl}${path}`, { method, headers: { cookie } })),
    );
    expect([head?.status, head?.headers.get('content-type')]).toEqual([200, get?.headers.get('content-type')]);
    expect(head?.headers.get('cache-control')).toBe('no-store');
    expect(await head?.text()).toBe('');
  }
  const foreign = await fetch(`${platform.graphqlUrl}${path}`, { method: 'HEAD', headers: { 'sec-fetch-site': 'cross-site' } });
  expect(foreign.status).toBe(400);
});

test.each([
  ['PUT', '/portal/session', 'DELETE, GET, HEAD, POST'],
  ['PATCH', '/admin/session', 'DELETE, GET, HEAD, POST'],
  ['OPTIONS', '/portal/session', 'DELETE, GET, HEAD, POST'],
  ['DELETE', '/portal/invitation', 'GET, HEAD, POST'],
  ['PUT', '/portal/passkeys/a', 'DELETE, GET, HEAD'],
  ['POST', '/portal/accounts/a/statements', 'GET, HEAD'],
  ['PUT', '/admin/password', 'GET, HEAD, POST'],
])('%s %s is method_not_allowed with the supported ones', async (method, path, allow) => {
  const response = await fetch(`${platform.graphqlUrl}${path}`, { method, headers: { 'sec-fetch-site': 'same-origin' } });
  expect([response.status, response.headers.get('allow'), await response.json()]).toMatchObject([
    405,
    allow,
    { code: 'method_not_allowed' },
  ]);
});

test('a path without a route stays not_found for other methods than GET', async () => {
  for (const path of ['/portal/nowhere', '/admin/nowhere', '/portal/assets/nowhere.js', '/admin/registration'])
    expect([path, (await fetch(`${platform.graphqlUrl}${path}`, { method: 'POST' })).status]).toEqual([path, 404]);
});

describe('a body that is not UTF-8 is malformed_json', () => {
  const bytes = (text: string): Uint8Array => {
    const encoded = new TextEncoder().encode(text);
    encoded[encoded.indexOf(0x23)] = 0xff;
    return encoded;
  };

  test.each(['/portal/session', '/portal/setup', '/portal/password', '/portal/invitation', '/admin/session', '/admin/setup'])(
    'at %s',
    async (path) => {
      const input = JSON.stringify({ email: 'a#a@example.com', token: '#', password: 'x', current: '#', next: 'x' });
      const body = bytes(input);
      const response = await send(path, { method: 'POST', body, headers: { 'x-forwarded-for': '198.51.100.9' } });
      expect([response.status, await response.json()]).toMatchObject([400, { code: 'malformed_json' }]);
    },
  );

  test.each(['/graphql', '/portal/graphql', '/admin/graphql'])('at %s', async (path) => {
    const [member, administrator] = [await createMember(platform), await platform.administrator()];
    const headers = { cookie: `${member.cookie}; ${administrator.cookie}`, 'x-account-id': member.accountId };
    const body = bytes(JSON.stringify({ query: '{ __typename }', variables: { q: '#' } }));
    const response = await send(path, { method: 'POST', body, headers });
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'malformed_json' } }] });
  });
});
