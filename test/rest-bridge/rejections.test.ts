/** Requests that the bridge rejects, and its error messages. */
import { expect, test } from '@jest/globals';
import { openClubBridge } from './club-bridge.ts';
import type { ClubBridge } from './club-bridge.ts';

interface ReceivedProblem {
  status: number;
  code: string;
  detail: string;
  errors: { parameter?: string; pointer?: string; code: string; detail: string }[];
}

async function problemOf(
  platform: ClubBridge,
  url: string,
  init: { method?: 'POST' | 'PUT' | 'PATCH' | 'DELETE'; headers?: Record<string, string>; payload?: string | Buffer } = {},
): Promise<ReceivedProblem> {
  const response = await platform.app.inject({ url, ...init });
  expect(response.headers['content-type']).toContain('application/problem+json');
  expect(response.headers['cache-control']).toBe('no-store');
  const problem = response.json<ReceivedProblem>();
  expect(problem).toMatchObject({ status: response.statusCode, instance: url.split('?')[0] });
  return problem;
}

const json = { 'content-type': 'application/json' };

test('every invalid parameter is reported at once, unknown ones with a suggestion', async () => {
  await using platform = await openClubBridge();
  const problem = await problemOf(
    platform,
    '/api/v1/clubs?limit=0&contry=DE&kind=PRO,AMATEUR&verified=yes&sort=founded&cityId=7',
  );
  expect(problem).toMatchObject({ status: 400, code: 'unknown_parameter' });
  expect(Object.fromEntries(problem.errors.map(({ parameter, detail }) => [parameter, detail]))).toEqual({
    contry: 'is not a parameter of GET /clubs. Did you mean "country"?',
    limit: 'must be between 1 and 100',
    kind: 'must be one of PROFESSIONAL, AMATEUR',
    verified: 'must be true or false',
    sort: 'must be one of -createdAt, name',
    cityId: 'must be an id (a UUID)',
  });
});

test.each([
  ['limit=101', 'limit', 'must be between 1 and 100'],
  ['limit=20.5', 'limit', 'must be an integer'],
  ['limit=020', 'limit', 'must be an integer'],
  ['limit=1e1', 'limit', 'must be an integer'],
  ['limit=', 'limit', 'must not be empty; omit it or set a value'],
  ['limit=2&limit=3', 'limit', 'must not be repeated; it takes one value'],
  ['q=a%00b', 'q', 'must be percent-encoded UTF-8 without NUL characters'],
  ['q=%ED%A0%80', 'q', 'must be percent-encoded UTF-8 without NUL characters'],
  ['country=de', 'country', 'must be a country code: ISO 3166-1 alpha-2 (DE), GB-ENG, GB-NIR, GB-SCT, GB-WLS or XK'],
  ['fields=nam', 'fields', 'has an unknown value "nam". Did you mean "name"?'],
  ['include=name', 'include', 'has an unknown value "name". Known values: players'],
])('?%s is rejected', async (query, parameter, detail) => {
  await using platform = await openClubBridge();
  expect(await problemOf(platform, `/api/v1/clubs?${query}`)).toMatchObject({
    status: 400,
    code: 'parameter_invalid',
    errors: [{ parameter, detail }],
  });
  expect(platform.requested.map(({ admitOnly }) => admitOnly)).toEqual([true]);
});

test('names of prototype members are unknown names', async () => {
  await using platform = await openClubBridge();
  for (const name of ['__proto__', 'constructor', 'toString']) {
    expect(await problemOf(platform, `/api/v1/clubs?${name}=1`)).toMatchObject({
      code: 'unknown_parameter',
      errors: [{ parameter: name }],
    });
  }
  const poisoned = await problemOf(platform, '/api/v1/clubs', {
    method: 'POST',
    headers: json,
    payload: '{"name":"A","country":"DE","\\u005f_proto__":{}}',
  });
  expect(poisoned).toMatchObject({ status: 400, code: 'malformed_json' });
  const constructed = await problemOf(platform, '/api/v1/clubs', {
    method: 'POST',
    headers: json,
    payload: '{"name":"A","country":"DE","constructor":{}}',
  });
  expect(constructed).toMatchObject({ status: 422, errors: [{ pointer: '/constructor' }] });
});

test('every violation in a body is reported with its pointer', async () => {
  await using platform = await openClubBridge();
  const payload = JSON.stringify({
    nam: 'Ajax',
    country: 'Germany',
    kind: 'PRO',
    founded: '1900',
    colours: ['red', 7],
    ground: { name: '', capacity: -1, 'a/b': 1 },
  });
  const problem = await problemOf(platform, '/api/v1/clubs', { method: 'POST', headers: json, payload });
  expect(problem).toMatchObject({ status: 422, code: 'validation_failed' });
  expect(Object.fromEntries(problem.errors.map(({ pointer, detail }) => [pointer, detail]))).toEqual({
    '/nam': 'is not a known member. Did you mean "name"?',
    '/name': 'is required',
    '/country': 'must be a country code: ISO 3166-1 alpha-2 (DE), GB-ENG, GB-NIR, GB-SCT, GB-WLS or XK',
    '/kind': 'must be one of PROFESSIONAL, AMATEUR',
    '/founded': 'must be an integer or null',
    '/colours/1': 'must be a string',
    '/ground/capacity': 'must be at least 0',
    '/ground/a~1b': 'is not a known member. Known values: name, capacity',
  });
  expect(platform.clubs).toEqual([]);
});

test.each([
  ['{"name":', 400, 'malformed_json'],
  ['', 400, 'malformed_json'],
  ['[]', 422, 'validation_failed'],
  ['null', 422, 'validation_failed'],
  [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 400, 'malformed_json'],
  ['{"name":"a\\u0000b","country":"DE"}', 422, 'validation_failed'],
  ['{"name":"a\\ud800","country":"DE"}', 422, 'validation_failed'],
])('the body %j is rejected', async (payload, status, code) => {
  await using platform = await openClubBridge();
  expect(await problemOf(platform, '/api/v1/clubs', { method: 'POST', headers: json, payload })).toMatchObject({ status, code });
  expect(platform.settled).toEqual([status]);
  expect(platform.clubs).toEqual([]);
});

test('truncated JSON is rejected with the position of its end', async () => {
  await using platform = await openClubBridge();
  const request = { method: 'POST', headers: json, payload: '{"name":' } as const;
  const { detail } = await problemOf(platform, '/api/v1/clubs', request);
  expect(detail).toBe('The request body is not valid JSON: it ends unexpectedly at position 8.');
});

test('unsupported media types, charsets and sizes are rejected before parsing', async () => {
  await using platform = await openClubBridge();
  const post = (headers: Record<string, string>, payload = '{}') =>
    problemOf(platform, '/api/v1/clubs', { method: 'POST', headers, payload });
  expect(await post({ 'content-type': 'text/xml' }, '<a/>')).toMatchObject({ status: 415, code: 'unsupported_media_type' });
  expect(await post({ 'content-type': 'application/json; charset=latin1' })).toMatchObject({ status: 415 });
  expect(await post({ 'content-type': 'application/merge-patch+json' })).toMatchObject({ status: 415 });
  expect(await post(json, `"${'x'.repeat(1024 * 1024)}"`)).toMatchObject({ status: 413, code: 'payload_too_large' });
  expect(platform.requested.every(({ admitOnly }) => admitOnly)).toBe(true);
});

test('an unknown path is 404, an unsupported method is 405 with the supported ones', async () => {
  await using platform = await openClubBridge();
  expect(await problemOf(platform, '/api/v1/clups')).toMatchObject({ status: 404, code: 'not_found' });
  expect(
    await problemOf(platform, '/api/v1/clups', { method: 'POST', headers: { 'content-type': 'text/xml' }, payload: '<a/>' }),
  ).toMatchObject({ status: 404 });
  const response = await platform.app.inject({ method: 'DELETE', url: '/api/v1/clubs' });
  expect([response.statusCode, response.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS, POST']);
  expect(platform.settled).toEqual([404, 404, 405]);
});

test('an invalid key is reported before a violation in the request', async () => {
  await using platform = await openClubBridge();
  const response = await platform.app.inject({ url: '/api/v1/clubs?limit=0', headers: { 'x-api-key': 'wrong' } });
  expect([response.statusCode, response.headers['www-authenticate'], response.json<ReceivedProblem>().code]).toEqual([
    401,
    'Bearer',
    'api_key_invalid',
  ]);
});

test('errors of areas use the names of the REST request', async () => {
  await using platform = await openClubBridge();
  expect(await problemOf(platform, '/api/v1/clubs?cursor=x')).toMatchObject({
    status: 400,
    code: 'cursor_invalid',
    errors: [{ parameter: 'cursor' }],
  });
});

test('a failing entry point is 500 without its message', async () => {
  await using platform = await openClubBridge({ entryPoint: { execute: () => Promise.reject(new Error('secret detail')) } });
  const response = await platform.app.inject('/api/v1/clubs');
  expect([response.statusCode, response.json<ReceivedProblem>().code]).toEqual([500, 'internal']);
  expect(response.body).not.toContain('secret');
});
