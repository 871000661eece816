/** Abuse of methods, headers and paths that reach the HTTP parser as valid requests. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { attack, type Attack } from './attack.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

const list = '/api/v1/organizations';
const methods: Attack[] = [
  ...['TRACE', 'QUERY'].map((method): Attack => [method, { path: list, method }, 405, 'method_not_allowed']),
  ...['PROPFIND', 'COPY', 'MOVE', 'LOCK', 'SEARCH', 'PURGE', 'LINK', 'REPORT', 'MKCOL'].map((method): Attack => [
    method,
    { path: list, method },
    404,
    'not_found',
  ]),
  ['PUT of a list', { path: list, method: 'PUT', body: {} }, 405, 'method_not_allowed'],
  ['DELETE of a list', { path: list, method: 'DELETE' }, 405, 'method_not_allowed'],
  ['PATCH of a list', { path: list, method: 'PATCH', body: {} }, 405, 'method_not_allowed'],
  ['a method in a header', { path: list, headers: { 'x-http-method-override': 'DELETE' } }, 200, null],
  ['a method in a header of a POST', { path: list, body: {}, headers: { 'x-http-method': 'GET' } }, 401, 'api_key_missing'],
  ['a method in the query', { path: `${list}?_method=DELETE` }, 400, 'unknown_parameter'],
  ['PUT of /graphql', { path: '/graphql', method: 'PUT', body: {} }, 405, 'method_not_allowed'],
  ['DELETE of /graphql', { path: '/graphql', method: 'DELETE' }, 405, 'method_not_allowed'],
  ['POST of a page', { path: '/docs', body: {} }, 405, 'method_not_allowed'],
  ['DELETE of a page', { path: '/', method: 'DELETE' }, 405, 'method_not_allowed'],
  ['POST of /health', { path: '/health', body: {} }, 404, 'not_found'],
];
describe('a method:', () => {
  test.each(methods)('%s', async (_, request, status, code) => void (await attack(platform, request, status, code)));
});

const headers: Attack[] = [
  ['another path in a header', { path: list, headers: { 'x-original-url': '/admin', 'x-rewrite-url': '/admin' } }, 200, null],
  [
    'another host in a header',
    { path: list, headers: { 'x-forwarded-host': 'evil.example', 'x-host': 'evil.example' } },
    200,
    null,
  ],
  ['a request ID with markup', { path: '/nowhere', headers: { 'x-request-id': '"><script>' } }, 404, 'not_found'],
  ['a request ID of 5,000 characters', { path: '/nowhere', headers: { 'x-request-id': 'a'.repeat(5_000) } }, 404, 'not_found'],
  ['If-None-Match with 1,000 tags', { path: list, headers: { 'if-none-match': '"a",'.repeat(1_000) } }, 200, null],
  ['If-None-Match without quotes', { path: list, headers: { 'if-none-match': 'W/W/W/"' } }, 200, null],
  ['a range', { path: list, headers: { range: `bytes=${'0-1,'.repeat(1_000)}` } }, 200, null],
  ['a negative range', { path: list, headers: { range: 'bytes=-1' } }, 200, null],
  ['Accept with 1,000 types', { path: list, headers: { accept: `${'a/b,'.repeat(1_000)}*/*` } }, 200, null],
  ['Accept of a script', { path: list, headers: { accept: 'application/javascript' } }, 406, 'not_acceptable'],
  ['Accept with an invalid weight', { path: list, headers: { accept: 'application/json;q=NaN' } }, 406, 'not_acceptable'],
  ['Accept-Language with 1,000 languages', { path: list, headers: { 'accept-language': 'de-DE,'.repeat(1_000) } }, 200, null],
  ['Accept-Encoding with 1,000 encodings', { path: list, headers: { 'accept-encoding': 'br;q=0.1,'.repeat(1_000) } }, 200, null],
  ['a cookie of 8 kB', { path: list, headers: { cookie: `a=${'b'.repeat(8_000)}` } }, 200, null],
  ['1,000 cookies', { path: '/admin/session', headers: { cookie: 'a=b;'.repeat(1_000) } }, 200, null],
  ['a cookie with a prototype', { path: '/admin/session', headers: { cookie: '__proto__=a; constructor=b' } }, 200, null],
  [
    'an Upgrade to WebSocket',
    { path: list, headers: { connection: 'upgrade', upgrade: 'h2c', 'http2-settings': 'AA' } },
    200,
    null,
  ],
  [
    'an internal connection on the public port',
    { path: '/frames', headers: { connection: 'upgrade', upgrade: 'frames' } },
    404,
    'not_found',
  ],
  ['an internal route on the public port', { path: '/internal/execute', body: {} }, 404, 'not_found'],
  ['the internal graph on the public port', { path: '/internal/graph', body: {} }, 404, 'not_found'],
  ['a forged viewer', { path: '/api/v1/me', headers: { 'x-viewer': '{"kind":"SYSTEM"}' } }, 401, 'api_key_missing'],
  ['a forged client address', { path: list, headers: { 'x-real-ip': '127.0.0.1', 'true-client-ip': '127.0.0.1' } }, 200, null],
  ['a forged chain of 1,000 proxies', { path: list, headers: { 'x-forwarded-for': '1.1.1.1,'.repeat(1_000) } }, 200, null],
  ['an invalid Forwarded', { path: list, headers: { forwarded: 'for="[::1";by=;;,,' } }, 200, null],
  ['Expect', { path: list, headers: { expect: 'a-miracle' } }, 200, null],
];
describe('a header:', () => {
  test.each(headers)('%s', async (_, request, status, code) => {
    const { headers: received, text } = await attack(platform, request, status, code);
    expect(JSON.stringify(received) + text).not.toMatch(/evil\.example|<script>/);
  });
});

const paths: Attack[] = [
  ...[
    '/../../../../etc/passwd',
    '/docs/../../package.json',
    '/docs/guides/../../../package.json',
    '/docs/guides/..%2f..%2f..%2fpackage.json',
    '/docs/guides/%2e%2e/%2e%2e/package.json',
    '/docs/guides/%252e%252e%252fpackage.json',
    '/docs/guides/..%5c..%5cpackage.json',
    '/docs/guides/....//....//package.json',
    '/docs/guides/keys%00.md',
    '/docs/assets/..%2f..%2f.env',
    '/admin/assets/../../../.env',
    '/admin/assets/..%2f..%2f..%2f.env',
    '/admin/assets/%2e%2e%2f%2e%2e%2f.data/secrets.json',
    '/portal/assets/..%2f..%2f..%2f.env',
    '/portal/assets/....//....//.env',
    '/images/..%2f..%2f..%2fetc%2fpasswd',
    '/images/%2e%2e%2f%2e%2e%2fsecrets.json',
    '/images/a%00.webp',
    '/images/C:%5cWindows%5cwin.ini',
    '/.env',
    '/.git/config',
    '/.data/secrets.json',
    '/package.json',
    '/main.ts',
    '/node_modules/fastify/package.json',
    '/server-status',
    '/metrics',
    '/debug/pprof',
    '/actuator/env',
    '/api/v1/../../admin/graphql',
    '/api//v1/organizations',
    '/api/v1/organizations/',
    '/API/V1/organizations',
    '/api/v1;a=b/organizations',
    '/api/v1/organizations%2f',
    '/api/v1/organizations%00',
    '/%',
    '/%zz',
    '/api/v1/athletes/%c0%ae%c0%ae',
    `/${'a/'.repeat(2_000)}`,
    `/api/v1/organizations/${'a'.repeat(5_000)}`,
  ].map((path): Attack => [path.slice(0, 80), { path }, 404, 'not_found']),
];
describe('a path:', () => {
  test.each(paths)('%s', async (_, request, status, code) => void (await attack(platform, request, status, code)));
});
