/** Bypass of authentication and scopes: every route without a key, with a key without scopes, and with invalid credentials in every place. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { countRows } from '../rows.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { attack, codeOf, expectHarmless, send, type Attack } from './attack.ts';
import { routes } from './routes.ts';

let platform: TestPlatform;
let scopeless: string;
let key: string;
let before: Record<string, number>;
beforeAll(async () => {
  platform = await openTestPlatform();
  ({ key } = await platform.account({ account: 'Full' }));
  ({ key: scopeless } = await platform.account({ account: 'Scopeless', scopes: [] }));
  await platform.settled();
  before = await countRows(platform.database);
});
afterAll(async () => {
  expect(await countRows(platform.database)).toEqual(before);
  await platform.close();
});

const writes = routes.filter(({ method }) => method !== 'GET');
const bodyOf = (method: string) => (method === 'DELETE' ? {} : { body: {} });

test('the document has the routes to attack', () => expect(writes.length).toBeGreaterThan(150));

describe('without a key', () => {
  test.each(
    routes
      .filter(({ needsKey }) => needsKey)
      .map(({ method, template, path }) => [`${method} ${template}`, method, path] as const),
  )('%s', async (_, method, path) => {
    const headers = { 'if-match': '*' };
    await attack(platform, { method, path, headers, ...(method !== 'GET' && bodyOf(method)) }, 401, 'api_key_missing');
  });
});

describe('with a key without scopes', () => {
  test.each(writes.map(({ method, template, path }) => [`${method} ${template}`, method, path] as const))(
    '%s',
    async (_, method, path) => {
      const headers = { 'x-api-key': scopeless, 'if-match': '*' };
      const response = await send(platform.restUrl, { method, path, headers, ...bodyOf(method) });
      expectHarmless(response);
      const code = codeOf(response);
      // these need no scope: what they name does not exist, or the body is invalid
      if (response.status !== 403)
        expect({ status: response.status, code }).toMatchObject({
          code: expect.stringMatching(/^(?:not_found|validation_failed|parameter_invalid|unsupported_media_type)$/),
        });
      else expect(code).toBe('insufficient_scope');
    },
  );
});

const me = '/api/v1/me';
const unknownKey = `sp_live_${'a'.repeat(16)}_${'b'.repeat(43)}`;
const withHeaders = (headers: Record<string, string | string[]>) => ({ path: me, headers });
const credentials: Attack[] = [
  ['no key', { path: me }, 401, 'api_key_missing'],
  ['an empty key', withHeaders({ 'x-api-key': '' }), 401, 'api_key_invalid'],
  ['a word', withHeaders({ 'x-api-key': 'admin' }), 401, 'api_key_invalid'],
  ['an unknown key', withHeaders({ 'x-api-key': unknownKey }), 401, 'api_key_invalid'],
  ['a key of 8 kB', withHeaders({ 'x-api-key': 'a'.repeat(8_000) }), 401, 'api_key_invalid'],
  ['SQL as key', withHeaders({ 'x-api-key': "' or 1=1--" }), 401, 'api_key_invalid'],
  ['null', withHeaders({ 'x-api-key': 'null' }), 401, 'api_key_invalid'],
  ['undefined', withHeaders({ 'x-api-key': 'undefined' }), 401, 'api_key_invalid'],
  ['Basic', withHeaders({ authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` }), 401, 'api_key_invalid'],
  ['Bearer without a key', withHeaders({ authorization: 'Bearer' }), 401, 'api_key_invalid'],
  ['Bearer with an unknown key', withHeaders({ authorization: `Bearer ${unknownKey}` }), 401, 'api_key_invalid'],
  [
    'a JWT without a signature',
    withHeaders({ authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.' }),
    401,
    'api_key_invalid',
  ],
  ['a key in the query', { path: `${me}?api_key=${unknownKey}` }, 401, 'api_key_missing'],
  ['a key in the query by its header', { path: `${me}?x-api-key=${unknownKey}` }, 401, 'api_key_missing'],
  ['a key in a cookie', withHeaders({ cookie: `x-api-key=${unknownKey}` }), 401, 'api_key_missing'],
  ['a session as key', withHeaders({ cookie: `__Host-session=${'a'.repeat(43)}` }), 401, 'api_key_missing'],
];
describe('credentials:', () => {
  test.each(credentials)('%s', async (_, request, status, code) => void (await attack(platform, request, status, code)));

  test.each([
    ['in upper case', (given: string) => given.toUpperCase()],
    ['cut', (given: string) => given.slice(0, -1)],
    ['with a suffix', (given: string) => `${given}a`],
    ['with another secret', (given: string) => given.slice(0, -8) + 'aaaaaaaa'],
    ['as a test key', (given: string) => given.replace('sp_live_', 'sp_test_')],
    ['with a NUL escape', (given: string) => `${given}%00`],
    ['twice', (given: string) => `${given},${given}`],
  ])('a valid key %s', async (_, change) => {
    await attack(platform, { path: me, headers: { 'x-api-key': change(key) } }, 401, 'api_key_invalid');
  });

  test('two keys, in two headers or in one, are ambiguous', async () => {
    await attack(
      platform,
      { path: me, headers: { 'x-api-key': key, authorization: `Bearer ${scopeless}` } },
      400,
      'ambiguous_credentials',
    );
    const repeated = await send(platform.restUrl, { path: me, headers: { 'x-api-key': [key, scopeless] } });
    expectHarmless(repeated);
    expect([400, 401]).toContain(repeated.status);
  });

  test('a key does not open the graphs of sessions', async () => {
    for (const path of ['/admin/graphql', '/portal/graphql']) {
      const headers = { 'x-api-key': key, authorization: `Bearer ${key}`, 'sec-fetch-site': 'same-origin' };
      await attack(platform, { path, body: { query: '{ __typename }' }, headers }, 401, 'sign_in_required');
    }
  });

  test('a rejected key is in no response', async () => {
    const { text } = await send(platform.restUrl, withHeaders({ 'x-api-key': unknownKey }));
    expect(text).not.toContain('b'.repeat(43));
  });
});
