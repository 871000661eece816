/** The request log: every counted request of a key, found by its request ID and by filters. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AdministratorClient } from '../../administrator.ts';
import { createClient, type ApiResponse, type Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

type Owner = Client & { readonly key: string };

let platform: TestPlatform;
let owner: Owner;
let other: Owner;
let administrator: AdministratorClient;

beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Owner' });
  other = await platform.account({ account: 'Other' });
  administrator = await platform.administrator('VIEWER');
});
afterAll(() => platform.close());

const publicIdOf = ({ key }: Pick<Owner, 'key'>): string => key.slice(0, key.indexOf('.'));

/** The logged requests of a client after a flush. */
async function logOf(client: Client, query = ''): Promise<ApiResponse['body'][]> {
  await platform.flushUsage();
  const { status, body } = await client.get(`/requests?limit=100${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.data;
}

/** The only logged request with the ID of a response. */
async function loggedOf(client: Client, { headers }: Pick<ApiResponse, 'headers'>): Promise<ApiResponse['body']> {
  const found = await logOf(client, `&requestId=${headers.get('x-request-id')}`);
  expect(found).toHaveLength(1);
  return found[0];
}

test('a request is found by its X-Request-Id, with its path template and without its query', async () => {
  const { body: club } = await owner.post('/organizations', { type: 'CLUB', name: 'Log', country: 'NO', sports: ['FOOTBALL'] });
  const response = await owner.get(`/organizations/${club.id}?fields=id,name`, { 'user-agent': 'test/1.0' });
  expect(response.status).toBe(200);
  const logged = await loggedOf(owner, response);
  expect(logged).toEqual({
    id: expect.any(String),
    at: expect.any(String),
    key: publicIdOf(owner),
    api: 'REST',
    method: 'GET',
    path: `/api/v1/organizations/${club.id}`,
    operation: 'GET /api/v1/organizations/{id}',
    documentHash: null,
    area: 'organizations',
    status: 200,
    errorCode: null,
    errorPointers: [],
    durationMs: expect.any(Number),
    units: 1,
    requestId: response.headers.get('x-request-id'),
    network: '127.0.0.0/24',
    userAgent: 'test/1.0',
  });
  expect(Math.abs(Date.parse(logged.at) - Date.now())).toBeLessThan(60_000);
  expect((await owner.get(`/requests/${logged.id}`)).body).toEqual(logged);
});

test('errors are logged with their code and the places that they name', async () => {
  const invalid = await owner.post('/organizations', {
    type: 'CLUB',
    name: '',
    country: 'NORWAY',
    sports: ['FOOTBALL'],
    color: 1,
  });
  expect(invalid.status).toBe(422);
  const pointers: string[] = invalid.body.errors.map(({ pointer }: { pointer: string }) => pointer);
  expect(pointers.length).toBeGreaterThan(1);
  expect(await loggedOf(owner, invalid)).toMatchObject({ status: 422, errorCode: 'validation_failed', errorPointers: pointers });

  const unknown = await owner.get('/athletes?sprot=FOOTBALL');
  expect(await loggedOf(owner, unknown)).toMatchObject({ status: 400, errorCode: 'unknown_parameter', errorPointers: ['sprot'] });
  const missing = await owner.get('/nothing/at/all');
  expect(await loggedOf(owner, missing)).toMatchObject({
    status: 404,
    errorCode: 'not_found',
    path: '/api/v1/*/*/*',
    operation: null,
  });
  const notAllowed = await owner.send('/athletes', { method: 'DELETE' });
  expect(await loggedOf(owner, notAllowed)).toMatchObject({ status: 405, errorCode: 'method_not_allowed', method: 'DELETE' });
});

test('GraphQL requests are logged by operation name and document hash, also with errors in a 200', async () => {
  const good = await owner.graphql('query Clubs { organizations(first: 1) { nodes { id } } }');
  expect(await loggedOf(owner, good)).toMatchObject({
    api: 'GRAPHQL',
    method: 'POST',
    path: '/graphql',
    operation: 'Clubs',
    documentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    area: 'organizations',
    status: 200,
    errorCode: null,
  });
  const bad = await owner.graphql('{ organizations { nodes { id } } unknown }', {}, { accept: 'application/json' });
  expect(bad.status).toBe(200);
  expect(await loggedOf(owner, bad)).toMatchObject({ status: 200, errorCode: 'GRAPHQL_VALIDATION_FAILED' });
  const rejected = await owner.graphql(
    'mutation { updateOrganization(id: "00000000-0000-4000-8000-000000000000", ifMatch: "*", input: { name: "A" }) { id } }',
  );
  expect(await loggedOf(owner, rejected)).toMatchObject({ errorCode: rejected.body.errors[0].extensions.code });
});

test('denied, limited and rejected keys are logged for their account: 403, 429 and 401', async () => {
  const reader = await platform.account({ account: 'Reader', scopes: ['requests:read'] });
  const denied = await reader.post('/organizations', {});
  expect(denied.status).toBe(403);
  expect(await loggedOf(reader, denied)).toMatchObject({ status: 403, errorCode: 'insufficient_scope', units: 0 });

  await platform.plan('two-a-day', { burstPerMinute: 1000, perDay: 2, perMonth: 100 });
  const limited = await platform.account({ account: 'Limited', plan: 'two-a-day', scopes: ['requests:read'] });
  for (let count = 0; count < 2; count += 1) await limited.get('/organizations');
  const rejected = await limited.get('/organizations');
  expect(rejected.status).toBe(429);
  await platform.flushUsage();
  const ofLimited = await administrator.run(
    `query ($filter: LoggedRequestFilter) { requests(filter: $filter) { nodes { status errorCode account { name } apiKey { publicId } } } }`,
    { filter: { key: publicIdOf(limited), status: [429] } },
  );
  expect(ofLimited.data.requests.nodes).toEqual([
    { status: 429, errorCode: 'quota_exceeded', account: { name: 'Limited' }, apiKey: { publicId: publicIdOf(limited) } },
  ]);

  // the right public ID with another secret
  const [publicId] = owner.key.split('.');
  const [, secret] = other.key.split('.');
  const checked = await createClient({ ...platform, key: `${publicId}.${secret}` }).get('/organizations');
  expect(checked.status).toBe(401);
  const revoked = await platform.account({ account: 'Owner of a revoked key', scopes: ['requests:read'] });
  await revoked.get('/me');
  const found = await administrator.run('query ($q: String!) { apiKeys(filter: { q: $q }) { nodes { id } } }', {
    q: publicIdOf(revoked),
  });
  await platform.administer('mutation ($id: ID!) { revokeApiKey(id: $id) { id } }', found.data.apiKeys.nodes[0]);
  let after = checked;
  await eventually(async () => {
    after = await revoked.get('/organizations');
    expect(after.status).toBe(401);
  });
  await platform.flushUsage();
  const ofRevoked = await administrator.run(
    `query ($filter: LoggedRequestFilter) { requests(filter: $filter) { nodes { key status errorCode } } }`,
    { filter: { requestId: after.headers.get('x-request-id') } },
  );
  expect(ofRevoked.data.requests.nodes).toEqual([{ key: publicIdOf(revoked), status: 401, errorCode: 'api_key_revoked' }]);
});

test('the list is filtered, newest first, and continues after a cursor', async () => {
  const reader = await platform.account({ account: 'Filters' });
  for (const path of ['/organizations', '/athletes', '/athletes?sort=wrong', '/organizations/nothing', '/athletes'])
    await reader.get(path);
  const all = await logOf(reader);
  const times = all.map(({ at }: { at: string }) => at);
  expect(times).toEqual(times.toSorted().toReversed());
  const paths = (rows: ApiResponse['body'][]): string[] =>
    rows.map(({ operation, status }) => `${operation} ${status}`).toSorted();
  expect(paths(await logOf(reader, '&operation=GET%20/api/v1/athletes&outcome=SUCCESS'))).toEqual([
    'GET /api/v1/athletes 200',
    'GET /api/v1/athletes 200',
  ]);
  expect(paths(await logOf(reader, '&status=400,404'))).toEqual([
    'GET /api/v1/athletes 400',
    expect.stringContaining('GET /api/v1/organizations/{id} 40'),
  ]);
  expect(paths(await logOf(reader, '&errorCode=parameter_invalid&status=400&method=GET&api=REST'))).toContain(
    'GET /api/v1/athletes 400',
  );
  expect(await logOf(reader, `&until=${all.at(-1).at}`)).toEqual([]);
  expect((await logOf(reader, `&since=${all[0].at}`)).length).toBeGreaterThan(0);
  expect(await logOf(reader, `&key=${publicIdOf(owner)}`)).toEqual([]);

  const until = `&until=${new Date().toISOString()}`;
  const complete = await logOf(reader, until);
  const first = (await reader.get(`/requests?limit=3${until}`)).body;
  expect(first.page.hasMore).toBe(true);
  const rest = (await reader.get(`/requests?limit=100${until}&cursor=${first.page.nextCursor}`)).body;
  expect([...first.data, ...rest.data]).toEqual(complete);
});

test('an account never sees requests of another account', async () => {
  const own = await owner.get('/organizations');
  const logged = await loggedOf(owner, own);
  expect(await logOf(other, `&requestId=${own.headers.get('x-request-id')}`)).toEqual([]);
  expect(await logOf(other, `&key=${publicIdOf(owner)}`)).toEqual([]);
  expect((await other.get(`/requests/${logged.id}`)).status).toBe(404);
  const all = await logOf(other);
  expect(new Set(all.map(({ key }: { key: string }) => key))).toEqual(new Set([publicIdOf(other)]));
  const document = '{ requests(filter: { accountId: "x" }) { nodes { id } } }';
  expect((await other.graphql(document)).body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  const analytics = (await other.get(`/requests/analytics?by=KEY&key=${publicIdOf(owner)}`)).body;
  expect(analytics).toMatchObject({ total: { requests: 0 }, groups: [], series: [], errors: [] });
  const unscoped = await platform.account({ account: 'Unscoped', scopes: ['events:read'] });
  for (const path of ['/requests', `/requests/${logged.id}`, '/requests/analytics'])
    expect((await unscoped.get(path)).body).toMatchObject({ code: 'insufficient_scope', requiredScopes: ['requests:read'] });
  expect((await platform.anonymous.get('/requests')).status).toBe(401);
});

test('administrators read the requests of all accounts, or of one', async () => {
  await logOf(owner);
  const { body: me } = await owner.get('/me');
  const query = `query ($filter: LoggedRequestFilter) { requests(first: 100, filter: $filter) { nodes { account { id } } } }`;
  const accountsOf = async (filter: unknown) => {
    const { data } = await administrator.run(query, { filter });
    return new Set(data.requests.nodes.map(({ account }: { account: { id: string } }) => account.id));
  };
  expect((await accountsOf({})).size).toBeGreaterThan(1);
  expect(await accountsOf({ accountId: me.account.id })).toEqual(new Set([me.account.id]));
});
