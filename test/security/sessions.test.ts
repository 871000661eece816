/** Sessions, request forgery, cross-site requests, and enumeration of people. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sameOrigin } from '../administrator.ts';
import { createMember, createMemberWithPassword, type MemberClient, type MemberWithPassword } from '../member.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { attack, codeOf, expectHarmless, send, type Attack, type AttackRequest } from './attack.ts';

let platform: TestPlatform;
let administrator: string;
let member: MemberClient;
let other: MemberClient;
let known: MemberWithPassword;
beforeAll(async () => {
  platform = await openTestPlatform();
  administrator = (await platform.administrator()).cookie;
  member = await createMember(platform);
  other = await createMember(platform);
  known = await createMemberWithPassword(platform);
});
afterAll(() => platform.close());

const document = { query: '{ __typename }' };
const graph = (base: string, headers: Record<string, string>, body: AttackRequest['body'] = document): AttackRequest => ({
  path: `${base}/graphql`,
  body,
  headers: { ...sameOrigin, ...headers },
});

const forgeries: readonly (readonly [string, Record<string, string>])[] = [
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['the same site with another host', { 'sec-fetch-site': 'same-site' }],
  ['the address bar', { 'sec-fetch-site': 'none' }],
  ['another origin', { origin: 'https://evil.example' }],
  ['a null origin', { origin: 'null' }],
  ['an origin with the host as prefix', { origin: 'http://localhost.evil.example' }],
  ['an origin with the host as user', { origin: 'http://127.0.0.1@evil.example' }],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
  ['a text form', { 'content-type': 'text/plain' }],
  ['a multipart form', { 'content-type': 'multipart/form-data; boundary=a' }],
  ['a type that only starts like JSON', { 'content-type': 'application/jsonp' }],
];
describe.each(['/admin', '/portal'])('a write below %s from', (base) => {
  test.each(forgeries)('%s', async (_, headers) => {
    const cookie = `${administrator}; ${member.cookie}`;
    for (const path of ['/graphql', '/session', '/password', '/second-factor', '/passkeys/options', '/setup'])
      await attack(platform, { ...graph(base, { cookie, ...headers }), path: base + path }, 400, 'csrf_refused');
  });

  test('a preflight of another site gets no permission', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    for (const path of ['/graphql', '/session', '/password']) {
      const response = await send(platform.restUrl, { path: base + path, method: 'OPTIONS', headers });
      expectHarmless(response);
      expect(response.headers).not.toHaveProperty('access-control-allow-origin');
      expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });
});

const token = (name: string, value: string): Record<string, string> => ({ cookie: `${name}=${value}` });
const sessions: Attack[] = [
  ['no cookie', graph('/admin', {}), 401, 'sign_in_required'],
  ['an empty cookie', graph('/admin', token('__Host-session', '')), 401, 'sign_in_required'],
  ['an unknown token', graph('/admin', token('__Host-session', 'a'.repeat(43))), 401, 'sign_in_required'],
  ['SQL as token', graph('/admin', token('__Host-session', "'or'1'='1")), 401, 'sign_in_required'],
  ['a token of 4 kB', graph('/admin', token('__Host-session', 'a'.repeat(4_096))), 401, 'sign_in_required'],
  ['a cookie without the prefix', graph('/admin', token('session', 'a'.repeat(43))), 401, 'sign_in_required'],
  ['a token in the query', { ...graph('/admin', {}), path: `/admin/graphql?session=${'a'.repeat(43)}` }, 401, 'sign_in_required'],
  ['a token as Bearer', graph('/admin', { authorization: `Bearer ${'a'.repeat(43)}` }), 401, 'sign_in_required'],
  ['no portal cookie', graph('/portal', {}), 401, 'sign_in_required'],
  ['a forged account', graph('/portal', { 'x-account-id': '00000000-0000-4000-8000-000000000000' }), 401, 'sign_in_required'],
];
describe('a session of', () => {
  test.each(sessions)('%s', async (_, request, status, code) => void (await attack(platform, request, status, code)));

  test('a member opens no graph of administrators, and not the account of another member', async () => {
    const [, value = ''] = member.cookie.split('=');
    await attack(platform, graph('/admin', token('__Host-session', value)), 401, 'sign_in_required');
    await attack(platform, graph('/admin', { cookie: member.cookie }), 401, 'sign_in_required');
    const foreign = graph(
      '/portal',
      { cookie: member.cookie, 'x-account-id': other.accountId },
      { query: '{ member { role } }' },
    );
    await attack(platform, foreign, 403, 'account_unavailable');
    await attack(
      platform,
      graph('/portal', { cookie: administrator, 'x-account-id': member.accountId }),
      401,
      'sign_in_required',
    );
  });

  test('a signed-out member has ended, wherever it was copied to', async () => {
    const { cookie, accountId } = await createMember(platform);
    await attack(platform, { path: '/portal/session', method: 'DELETE', headers: { ...sameOrigin, cookie } }, 204, null);
    await attack(platform, graph('/portal', { cookie, 'x-account-id': accountId }), 401, 'sign_in_required');
  });

  test('an attacker is not fixed by a sign-in', async () => {
    const given = `__Host-portal-session=${'f'.repeat(43)}`;
    const request = { path: '/portal/session', body: { email: known.email, password: known.password } };
    const headers = { ...sameOrigin, cookie: given, 'x-forwarded-for': '198.51.100.77' };
    const { headers: received } = await attack(platform, { ...request, headers }, 200, null);
    const [cookie = ''] = received['set-cookie'] ?? [];
    expect(cookie).toMatch(/^__Host-portal-session=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(cookie).not.toContain('ffff');
  });
});

describe('enumeration', () => {
  /** A response without what differs between any two requests. */
  const shape = ({ status, headers, text }: Awaited<ReturnType<typeof send>>) => ({
    status,
    headers: Object.keys(headers).sort(),
    text: text.replace(/"requestId":"[^"]*"/, ''),
  });

  test.each(['/admin', '/portal'])('a sign-in at %s does not reveal whether an address exists', async (base) => {
    const responses = [];
    for (const [index, email] of [known.email, 'unknown@example.com', "' or 1=1--", `${'a'.repeat(300)}@example.com`].entries()) {
      const headers = { ...sameOrigin, 'x-forwarded-for': `198.51.101.${index}` };
      const request = { path: `${base}/session`, body: { email, password: 'a wrong password of some length' }, headers };
      responses.push(shape(await attack(platform, request, 401, 'sign_in_failed')));
    }
    expect(new Set(responses.map((each) => JSON.stringify(each))).size).toBe(1);
  });

  test('a setup link that never existed reads like a used one', async () => {
    for (const value of ['a'.repeat(43), 'x', "'", '']) {
      const request = { path: '/portal/setup/look', body: { token: value }, headers: sameOrigin };
      const response = await send(platform.restUrl, request);
      expectHarmless(response);
      expect(['gone', 'validation_failed']).toContain(codeOf(response));
    }
  });

  const malformed: readonly (readonly [string, unknown])[] = [
    ['an object', { $gt: '' }],
    ['an array', ['a']],
    ['a number', 1],
    ['true', true],
    ['null', null],
  ];
  test.each(malformed)('a password that is %s is no password', async (_, password) => {
    const request = { path: '/admin/session', body: { email: known.email, password }, headers: sameOrigin };
    await attack(platform, request, 422, 'validation_failed');
  });
});

describe('cross-site', () => {
  test.each(['https://evil.example', 'null', 'http://localhost:3000'])(
    'the public API permits %s to read without credentials',
    async (origin) => {
      const { headers } = await attack(platform, { path: '/api/v1/organizations', headers: { origin } }, 200, null);
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    },
  );

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=a'])(
    'a GraphQL request of a form as %s is rejected',
    async (type) => {
      const response = await send(platform.restUrl, {
        path: '/graphql',
        body: '{"query":"{ __typename }"}',
        headers: { 'content-type': type },
      });
      expectHarmless(response);
      expect([400, 415]).toContain(response.status);
    },
  );
});
