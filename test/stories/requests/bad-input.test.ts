/** Invalid requests get a clear problem, and nothing is written. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiResponse, Client } from '../../client.ts';
import { countRows } from '../../rows.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
let owner: Client;
let id: string;
let before: Record<string, number>;
const club = { type: 'CLUB', name: 'Bad Input FC', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' };
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Clumsy' });
  id = (await owner.post('/organizations', club)).body.id;
  await platform.settled();
  before = await countRows(platform.database);
});
afterAll(async () => {
  expect(await countRows(platform.database)).toEqual(before);
  await platform.close();
});

const json = { 'content-type': 'application/json' };
const raw = (body: string | Uint8Array, headers: Record<string, string> = json, path = '/organizations', method = 'POST') =>
  owner.send(path, { method, body: body as string, headers });

/** Checks that a response is a problem with all required members. */
function expectProblem(response: ApiResponse, status: number, code: string): void {
  expect({ status: response.status, code: response.body.code }).toEqual({ status, code });
  expect(response.headers.get('content-type')).toContain('application/problem+json');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.body).toMatchObject({ type: expect.any(String), title: expect.any(String), detail: expect.any(String) });
  expect(response.body.requestId).toBe(response.headers.get('x-request-id'));
  expect(JSON.stringify(response.body)).not.toMatch(/select |insert |at \w+ \(|node_modules|pg_/i);
}

describe('a body', () => {
  test.each([
    ['cut off', '{"name": "x"'],
    ['nothing', ''],
    ['a word', 'name'],
    ['two values', '{} {}'],
    ['bad UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d)],
    ['a comment', '{/**/}'],
    ['a poisoned prototype', '{"__proto__": {"name": "x"}}'],
    ['a repeated member', '{"type": "CLUB", "type": "UNIVERSITY"}'],
    ['a repeated member of an item', '{"items": [{"name": "a", "n\\u0061me": "b"}]}'],
    ['very deep', '['.repeat(1_000)],
    ['very deep and well-formed', `${'['.repeat(1_000)}${']'.repeat(1_000)}`],
    ['very deep and contains an escape', `${'['.repeat(1_000)}"\\u0041"${']'.repeat(1_000)}`],
  ])('that is %s is malformed_json', async (_, body) => expectProblem(await raw(body), 400, 'malformed_json'));

  test.each([
    ['an array', '[]', ''],
    ['null', 'null', ''],
    ['a text', '"x"', ''],
    ['given an unknown member', JSON.stringify({ ...club, colour: 'red' }), '/colour'],
    ['given constructor', JSON.stringify({ ...club, constructor: { prototype: {} } }), '/constructor'],
    ['given a value of the wrong type', JSON.stringify({ ...club, foundedYear: '1886' }), '/foundedYear'],
    ['given a value out of range', JSON.stringify({ ...club, foundedYear: 99_999_999_999 }), '/foundedYear'],
    ['given an unknown enum value', JSON.stringify({ ...club, type: 'club' }), '/type'],
    [
      'given a nested value of the wrong type',
      JSON.stringify({ ...club, facilities: [{ name: 'x', capacity: 1.5 }] }),
      '/facilities/0/capacity',
    ],
    ['given an invalid id', JSON.stringify({ ...club, parentOrganizationId: "1' or '1'='1" }), '/parentOrganizationId'],
    ['given an unsafe URL', JSON.stringify({ ...club, website: 'javascript:alert(1)' }), '/website'],
    ['given a string that is too long', JSON.stringify({ ...club, name: 'x'.repeat(201) }), '/name'],
    ['given an empty string', JSON.stringify({ ...club, name: '' }), '/name'],
    ['given a string with NUL', JSON.stringify({ ...club, name: 'a\0b' }), '/name'],
    [
      'given a string with an unpaired surrogate',
      '{"type":"CLUB","country":"DE","sports":["FOOTBALL"],"name":"\\ud800"}',
      '/name',
    ],
    ['given an unknown country', JSON.stringify({ ...club, country: 'ZZ' }), '/country'],
    ['without required members', '{}', '/name'],
  ])('that is %s is validation_failed, with a pointer to the member', async (_, body, pointer) => {
    const response = await raw(body);
    expectProblem(response, 422, 'validation_failed');
    expect(response.body.errors.map((violation: { pointer: string }) => violation.pointer)).toContain(pointer);
  });

  test('with many violations reports all of them at once', async () => {
    const { body } = await owner.post('/organizations', { type: 'X', name: 1, country: 'de', sports: ['CHESS'], colour: 'red' });
    expect(body.errors.map((violation: { pointer: string }) => violation.pointer).toSorted()).toEqual([
      '/colour',
      '/country',
      '/name',
      '/sports/0',
      '/type',
    ]);
  });

  test('that patches the state, or another read-only member, is rejected', async () => {
    for (const patch of [
      { status: 'CLOSED' },
      { id: 'x' },
      { version: 9 },
      { accountId: id },
      { name: null },
      { sports: null },
    ]) {
      expectProblem(await owner.patch(`/organizations/${id}`, patch, { 'if-match': '*' }), 422, 'validation_failed');
    }
  });

  test('that is too large is rejected before parsing', async () => {
    expectProblem(await raw(`{"name": "${'x'.repeat(1_100_000)}"}`), 413, 'payload_too_large');
    expectProblem(await raw(`{"items": ["${'x'.repeat(8_500_000)}"]}`, json, '/organizations/batch'), 413, 'payload_too_large');
  });

  test.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
  ])('of type %s is unsupported_media_type', async (type) =>
    expectProblem(await raw('{}', { 'content-type': type }), 415, 'unsupported_media_type'),
  );

  test('of a batch is rejected without items, with too many, or without a list', async () => {
    for (const body of [{ items: [] }, { items: Array.from({ length: 501 }, () => club) }, { items: club }, {}, []]) {
      expectProblem(await owner.post('/organizations/batch', body), 422, 'validation_failed');
    }
    const items = [null, 1, 'x', [], {}, { ...club, colour: 'red' }, club];
    const response = await owner.post('/organizations/batch', { items });
    expect(response.body.summary).toEqual({ created: 0, updated: 0, unchanged: 0, failed: items.length });
    for (const each of response.body.data)
      expect(each.error).toMatchObject({ code: 'validation_failed', detail: expect.any(String) });
  });
});

describe('a path', () => {
  test.each([
    '/nowhere',
    '/organizations/x',
    '/organizations/1%27%20or%201=1',
    '/organizations/%00',
    '/organizations/%',
    '/organizations/../../etc',
    '/organizations/__proto__',
    `/organizations/${'a'.repeat(2000)}`,
    '/athletes/x/statistics',
    '/plans/%2e%2e',
  ])('%s is not_found', async (path) => expectProblem(await owner.get(path), 404, 'not_found'));

  test('of an unknown version lists the supported ones', async () => {
    for (const path of ['/api/v2', '/api/v2/organizations', '/api/v99/x']) {
      const response = await owner.get(path);
      expectProblem(response, 404, 'not_found');
      expect(response.body.versions).toEqual(['v1']);
    }
  });

  test('with null as the only member of an object with alternatives is validation_failed', async () => {
    const participants = [{ participantId: id, mark: { value: null } }];
    const response = await owner.send(`/competitions/matches/${id}/result`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'if-none-match': '*' },
      body: JSON.stringify({ participants }),
    });
    expectProblem(response, 422, 'validation_failed');
    expect(response.body.errors).toMatchObject([{ pointer: '/participants/0/mark/value' }]);
  });

  test('with an unsupported method is method_not_allowed, with the supported ones', async () => {
    for (const [method, path, allow] of [
      ['PUT', '/organizations', 'GET, HEAD, OPTIONS, POST'],
      ['DELETE', '/organizations', 'GET, HEAD, OPTIONS, POST'],
      ['POST', `/organizations/${id}`, 'DELETE, GET, HEAD, OPTIONS, PATCH'],
      ['PATCH', '/me', 'GET, HEAD, OPTIONS'],
    ] as const) {
      const response = await owner.send(path, { method });
      expectProblem(response, 405, 'method_not_allowed');
      expect(response.headers.get('allow')).toBe(allow);
    }
  });

  test('responds to HEAD without a body and to OPTIONS with the supported methods', async () => {
    const head = await owner.send(`/organizations/${id}`, { method: 'HEAD' });
    const get = await owner.get(`/organizations/${id}`);
    expect([head.status, head.body]).toEqual([200, '']);
    for (const name of ['etag', 'content-type', 'cache-control', 'ratelimit-policy'])
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    const options = await owner.send(`/organizations/${id}`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'DELETE, GET, HEAD, OPTIONS, PATCH']);
    const missing = await owner.send('/organizations/x', { method: 'HEAD' });
    expect([missing.status, missing.body]).toEqual([404, '']);
  });
});

describe('a parameter', () => {
  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['q=', 'q'],
    [`q=${'x'.repeat(101)}`, 'q'],
    ['q=%00', 'q'],
    ['q=%ff', 'q'],
    ['sport=CHESS', 'sport'],
    ['sport=FOOTBALL,', 'sport'],
    ['country=Germany', 'country'],
    ['country=DE,ZZ', 'country'],
    ['verified=yes', 'verified'],
    ['mine=1', 'mine'],
    ['sort=colour', 'sort'],
    ['sort=name;drop', 'sort'],
    ['updatedSince=yesterday', 'updatedSince'],
    ['updatedSince=2026-02-31T00:00:00Z', 'updatedSince'],
    ['externalId=x', 'externalId'],
    ['fields=name,secret', 'fields'],
    ['fields=__proto__', 'fields'],
    ['include=owner', 'include'],
  ])('%s is parameter_invalid', async (query, parameter) => {
    const response = await owner.get(`/organizations?${query}`);
    expectProblem(response, 400, 'parameter_invalid');
    expect(response.body.errors).toContainEqual(expect.objectContaining({ parameter }));
  });

  test.each(['colour=red', 'Limit=1', '__proto__=1', 'constructor=1', 'filter[q]=x', 'first=1'])(
    '%s is unknown_parameter',
    async (query) => expectProblem(await owner.get(`/organizations?${query}`), 400, 'unknown_parameter'),
  );

  test('with an id of another area is checked like any id', async () => {
    for (const path of [
      '/athletes?organizationId=x',
      '/organizations/teams?organizationId=1',
      '/competitions?organizerId=x',
      '/athletes/statistics?athleteId=x',
    ]) {
      expectProblem(await owner.get(path), 400, 'parameter_invalid');
    }
    expect((await owner.get(`/athletes?organizationId=${id}`)).body.data).toEqual([]);
  });
});
