/** Reads through the bridge: bodies, paging, fields, entity tags and caching. */
import { expect, test } from '@jest/globals';
import { openClubBridge } from './club-bridge.ts';

test('a list has data, page, and an absolute link to the next page that keeps every other parameter', async () => {
  await using platform = await openClubBridge();
  for (const name of ['Ajax', 'Boca', 'Celta']) platform.create(name);
  const response = await platform.app.inject('/api/v1/clubs?limit=2&country=DE,NL&sort=name');
  expect(response.statusCode).toBe(200);
  expect(response.json()).toMatchObject({
    data: [{ name: 'Ajax', kind: null }, { name: 'Boca' }],
    page: { nextCursor: '2', hasMore: true },
  });
  expect(response.headers['link']).toBe(
    '<https://api.example.com/api/v1/clubs?limit=2&country=DE,NL&sort=name&cursor=2>; rel="next"',
  );
  expect(platform.requested[0]).toMatchObject({
    operation: 'listClubs',
    variables: { limit: 2, country: ['DE', 'NL'], sort: 'NAME_ASC' },
  });
  const last = await platform.app.inject('/api/v1/clubs?limit=2&sort=name&cursor=2');
  expect(last.json()).toMatchObject({ data: [{ name: 'Celta' }], page: { nextCursor: null, hasMore: false } });
  expect(last.headers['link']).toBeUndefined();
});

test('a link to the next page is relative without a public URL, whatever the Host header is', async () => {
  await using platform = await openClubBridge({ publicUrl: null });
  for (const name of ['Ajax', 'Bayern']) platform.create(name);
  const { headers } = await platform.app.inject({ url: '/api/v1/clubs?limit=1', headers: { host: 'evil.example' } });
  expect(headers['link']).toBe('</api/v1/clubs?limit=1&cursor=1>; rel="next"');
  expect(JSON.stringify(headers)).not.toContain('evil.example');
});

test('only selected members are returned: optional ones need include, fields drops the others', async () => {
  await using platform = await openClubBridge();
  const { id } = platform.create('Ajax');
  const keys = async (query: string): Promise<string[]> =>
    Object.keys((await platform.app.inject(`/api/v1/clubs/${id}${query}`)).json<object>());
  expect(await keys('')).toEqual(['id', 'version', 'name', 'country', 'kind', 'status', 'founded']);
  expect(await keys('?include=players')).toContain('players');
  expect(await keys('?fields=name,players')).toEqual(['name', 'players']);
  expect(await keys('?fields=name&include=players')).toEqual(['name', 'players']);
  const some = await platform.app.inject(`/api/v1/clubs/${id}?fields=name`);
  expect(some.headers['etag']).toMatch(/^"1-.+"$/);
  const list = await platform.app.inject('/api/v1/clubs?fields=name');
  expect(list.json()).toEqual({ data: [{ name: 'Ajax' }], page: { nextCursor: null, hasMore: false } });
});

test('an entity tag has version and hash, and an unchanged representation is 304 without a body', async () => {
  await using platform = await openClubBridge();
  const club = platform.create('Ajax');
  const url = `/api/v1/clubs/${club.id}`;
  const first = await platform.app.inject(url);
  const etag = String(first.headers['etag']);
  expect(etag).toMatch(/^"1-.+"$/);
  const repeated = await platform.app.inject({ url, headers: { 'if-none-match': `"other", W/${etag}` } });
  expect([repeated.statusCode, repeated.body, repeated.headers['etag']]).toEqual([304, '', etag]);
  expect(platform.settled).toEqual([200, 304]);
  expect((await platform.app.inject({ url: `${url}?fields=name`, headers: { 'if-none-match': etag } })).statusCode).toBe(200);
  const list = await platform.app.inject('/api/v1/clubs');
  expect(list.headers['etag']).toMatch(/^W\/".+"$/);
  expect((await platform.app.inject({ url: '/api/v1/clubs', headers: { 'if-none-match': '*' } })).statusCode).toBe(304);
});

test('anonymous responses are cacheable, those with a key or personal data private, and those about a minor not stored', async () => {
  await using platform = await openClubBridge();
  const control = async (headers = {}) => (await platform.app.inject({ url: '/api/v1/clubs', headers })).headers['cache-control'];
  expect(await control()).toBe(
    'public, max-age=30, no-cache="RateLimit, RateLimit-Policy, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset"',
  );
  expect(await control({ 'x-api-key': 'key' })).toBe('private');
  platform.notes = { person: true };
  expect(await control()).toBe('private, no-cache');
  platform.notes = { person: true, minor: true };
  const response = await platform.app.inject('/api/v1/clubs');
  expect(response.headers).toMatchObject({
    'cache-control': 'private, no-store',
    vary: 'accept, accept-encoding, x-api-key, authorization',
    ratelimit: '"day";r=9;t=1',
  });
});

test('an unknown id is 404, and so is an invalid one', async () => {
  await using platform = await openClubBridge();
  for (const id of ['00000000-0000-4000-8000-000000000000', '1', "'; drop table clubs; --", 'a%00b', '%F0']) {
    const response = await platform.app.inject(`/api/v1/clubs/${id.includes('%') ? id : encodeURIComponent(id)}`);
    expect([id, response.statusCode]).toEqual([id, id === '%F0' ? 400 : 404]);
  }
});

test('a REST response is complete or an error', async () => {
  await using platform = await openClubBridge();
  const { id } = platform.create('Ajax');
  platform.playersViolation = new Error('connection refused at 10.0.0.7');
  const response = await platform.app.inject(`/api/v1/clubs/${id}?include=players`);
  expect(response.statusCode).toBe(503);
  expect(response.json()).toMatchObject({ code: 'upstream_unavailable', status: 503 });
  expect(response.body).not.toContain('10.0.0.7');
  expect(response.headers['content-type']).toContain('application/problem+json');
  expect((await platform.app.inject(`/api/v1/clubs/${id}`)).statusCode).toBe(200);
  expect(platform.settled).toEqual([503, 200]);
});

test('HEAD returns the headers of GET, OPTIONS the supported methods without a charge', async () => {
  await using platform = await openClubBridge();
  const head = await platform.app.inject({ method: 'HEAD', url: '/api/v1/clubs' });
  expect([head.statusCode, head.body]).toEqual([200, '']);
  expect(head.headers['etag']).toBeDefined();
  const requested = platform.requested.length;
  const options = await platform.app.inject({ method: 'OPTIONS', url: '/api/v1/clubs' });
  expect([options.statusCode, options.headers['allow']]).toEqual([204, 'GET, HEAD, OPTIONS, POST']);
  expect(options.headers['access-control-allow-methods']).toBe('GET, HEAD');
  expect(platform.requested).toHaveLength(requested);
});

test('every distinct key reaches the entry point unverified, and other schemes are never treated as anonymous', async () => {
  await using platform = await openClubBridge();
  const credentials = async (headers: Record<string, string>) => {
    await platform.app.inject({ url: '/api/v1/clubs', headers });
    return platform.requested.at(-1)?.caller.credentials;
  };
  expect(await credentials({})).toEqual([]);
  expect(await credentials({ 'x-api-key': 'a', authorization: 'bearer a' })).toEqual(['a']);
  expect(await credentials({ 'x-api-key': 'a', authorization: 'Bearer b' })).toEqual(['a', 'b']);
  expect(await credentials({ authorization: 'Basic Zm9v' })).toEqual(['Basic Zm9v']);
  expect(await credentials({ authorization: 'Bearer' })).toEqual(['']);
});
