/** Access of keys and the errors of rejected keys, identical over REST and GraphQL. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { generateApiKey } from '../../../platform/security/api-key.ts';
import { createClient, type ApiResponse, type Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
let owner: Client & { readonly key: string };
let other: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  [owner, other] = await Promise.all([platform.account({ account: 'Owner' }), platform.account({ account: 'Other' })]);
});
afterAll(() => platform.close());

const club = { type: 'CLUB', name: 'Keys FC', country: 'DE', sports: ['FOOTBALL'] };
const player = {
  displayName: 'Keyla',
  dateOfBirth: '1999-04-01',
  sex: 'FEMALE',
  nationalities: ['DE'],
  sports: [{ sport: 'FOOTBALL' }],
};
const createClub = 'mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { id } }';

interface Issued {
  readonly id: string;
  readonly key: string;
}

async function issue(input: object = {}): Promise<Issued> {
  const given = { accountName: 'Issued', name: 'test', plan: 'plenty', scopes: ['organizations:write'], ...input };
  const data = await platform.administer(
    'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key apiKey { id } } }',
    { input: given },
  );
  const { key, apiKey } = data['issueApiKey'] as { key: string; apiKey: { id: string } };
  return { key, id: apiKey.id };
}

const transition = (verb: string, id: string) =>
  platform.administer(`mutation ($id: ID!) { ${verb}ApiKey(id: $id) { id } }`, { id });
const rows = async (): Promise<number> => (await owner.get('/organizations?mine=true&limit=100')).body.data.length;

let rejections = 0;

/** Sends a request to both APIs and expects the same status and code from both. */
async function expectRejected(headers: Record<string, string>, status: number, code: string): Promise<void> {
  // from a different address each time, because an address with many invalid keys is blocked
  const sent = { 'x-forwarded-for': `192.0.2.${(rejections += 1)}`, ...headers };
  const rest = await platform.anonymous.get('/organizations', sent);
  expect({ status: rest.status, code: rest.body.code }).toEqual({ status, code });
  expect(rest.headers.get('content-type')).toContain('application/problem+json');
  expect(rest.headers.get('cache-control')).toBe('no-store');
  const graph = await platform.anonymous.graphql('{ organizations { nodes { id } } }', {}, sent);
  expect({ status: graph.status, code: graph.body.errors[0].extensions.code }).toEqual({ status, code });
  expect(graph.body.data ?? null).toBeNull();
  for (const response of [rest, graph]) {
    expect(response.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
    for (const value of Object.values(headers)) expect(JSON.stringify(response.body)).not.toContain(value);
  }
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const header = (key: string) => ({ 'x-api-key': key });

describe('a key that is', () => {
  const unknown = generateApiKey().key;
  test.each([
    ['malformed', 'nonsense'],
    ['without a secret', 'sp_live_AAAAAAAAAAAA.'],
    ['unknown', unknown],
    ['mistyped', unknown.slice(0, -1) + (unknown.endsWith('0') ? '1' : '0')],
    ['far too long', `sp_live_${'a'.repeat(4000)}`],
    ['an SQL statement', "' or 1=1 --"],
  ])('%s is rejected on a public read, in either header', async (_, key) => {
    await expectRejected(header(key), 401, 'api_key_invalid');
    await expectRejected(bearer(key), 401, 'api_key_invalid');
  });

  test('forged with a known public ID is rejected like an unknown key', async () => {
    const [publicId] = owner.key.split('.');
    const forged = generateApiKey().key;
    await expectRejected(header(`${publicId ?? ''}.${forged.split('.')[1] ?? ''}`), 401, 'api_key_invalid');
  });

  test('revoked, disabled or expired gets a specific error', async () => {
    const [revoked, disabled, expiring] = await Promise.all([
      issue(),
      issue(),
      issue({ expiresAt: new Date(Date.now() + 3_000).toISOString() }),
    ]);
    await Promise.all([transition('revoke', revoked.id), transition('disable', disabled.id)]);
    await eventually(() => expectRejected(header(revoked.key), 401, 'api_key_revoked'));
    await eventually(() => expectRejected(header(disabled.key), 401, 'api_key_disabled'));
    await eventually(() => expectRejected(bearer(expiring.key), 401, 'api_key_expired'));
    await transition('enable', disabled.id);
    const read = () => platform.anonymous.get('/organizations', header(disabled.key));
    await eventually(async () => expect((await read()).status).toBe(200));
  });

  test('used from an address outside its networks is rejected, and accepted from inside', async () => {
    const { key } = await issue({ allowedCidrs: ['203.0.113.0/24'] });
    await expectRejected({ ...header(key), 'x-forwarded-for': '198.51.100.1' }, 403, 'ip_not_allowed');
    expect((await platform.anonymous.get('/organizations', { ...header(key), 'x-forwarded-for': '203.0.113.9' })).status).toBe(
      200,
    );
  });

  test('sent with a different second key is ambiguous; the same key in both headers is accepted', async () => {
    const { key } = await issue();
    await expectRejected({ ...header(owner.key), ...bearer(key) }, 400, 'ambiguous_credentials');
    expect((await platform.anonymous.get('/organizations', { ...header(key), ...bearer(key) })).status).toBe(200);
  });

  test('revoked while in use is rejected everywhere within a second', async () => {
    const { id, key } = await issue();
    const client = createClient({ ...platform, key });
    expect((await client.get('/organizations')).status).toBe(200);
    await transition('revoke', id);
    const read = async () => (await client.get('/organizations')).body;
    await eventually(async () => expect(await read()).toMatchObject({ status: 401, code: 'api_key_revoked' }), 1_000);
  });
});

describe('a write', () => {
  test('without a key is 401 api_key_missing, and nothing is written', async () => {
    const before = await rows();
    const rest = await platform.anonymous.post('/organizations', club);
    expect(rest.body).toMatchObject({ status: 401, code: 'api_key_missing' });
    expect(rest.headers.get('www-authenticate')).toBe('Bearer');
    const graph = await platform.anonymous.graphql(createClub, { input: club });
    expect(graph.body.errors[0].extensions.code).toBe('api_key_missing');
    for (const path of ['/me', '/usage', '/organizations?mine=true', '/athletes?mine=true', '/opportunities?mine=true']) {
      expect({ path, code: (await platform.anonymous.get(path)).body.code }).toEqual({ path, code: 'api_key_missing' });
    }
    expect(await rows()).toBe(before);
  });

  test('with invalid input is checked for access first and costs nothing', async () => {
    const before = await rows();
    const reader = await platform.account({ account: 'Reading', scopes: [] });
    const invalid: (readonly [string, { method: string; body: string; headers?: Record<string, string> }])[] = [
      ['/organizations', { method: 'POST', body: '{' }],
      ['/organizations', { method: 'POST', body: '{"colour": "red"}' }],
      ['/organizations?colour=red', { method: 'POST', body: '{}' }],
      ['/organizations', { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }],
      ['/organizations', { method: 'POST', body: `{"name": "${'x'.repeat(1_100_000)}"}` }],
      ['/organizations/batch', { method: 'POST', body: '{"items": [1]}' }],
      ['/organizations/x', { method: 'PATCH', body: '{}' }],
    ];
    for (const [path, init] of invalid) {
      const request = { ...init, headers: { 'content-type': 'application/json', ...init.headers } };
      const [anonymous, scopeless] = [await platform.anonymous.send(path, request), await reader.send(path, request)];
      expect({ path, status: anonymous.status, code: anonymous.body.code }).toEqual({
        path,
        status: 401,
        code: 'api_key_missing',
      });
      expect({ path, code: scopeless.body.code }).toEqual({ path, code: 'insufficient_scope' });
    }
    expect((await platform.anonymous.get('/me?colour=red')).body.code).toBe('api_key_missing');
    expect((await reader.get('/me?colour=red')).body.code).toBe('unknown_parameter');
    for (const client of [platform.anonymous, reader]) {
      const { body } = await client.graphql(createClub, { input: { colour: 'red' } });
      expect(body.errors[0].extensions.code).toBe(client === reader ? 'insufficient_scope' : 'api_key_missing');
    }
    expect(await rows()).toBe(before);
    // only the GraphQL document, which counts before it is parsed
    expect((await reader.get('/usage')).body.day.used).toBe(1);
  });

  test('without the scope of the area is 403 insufficient_scope', async () => {
    const client = await platform.account({ account: 'Scoped', scopes: ['organizations:write'] });
    expect((await client.post('/organizations', club)).status).toBe(201);
    const rejected = await client.post('/athletes', player);
    expect(rejected.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
    expect(rejected.body.detail).toContain('athletes:write');
    const graph = await client.graphql('mutation ($input: CreateAthleteInput!) { createAthlete(input: $input) { id } }', {
      input: player,
    });
    expect(graph.body.errors[0].extensions.code).toBe('insufficient_scope');
    const { body } = await client.post('/organizations', club);
    expect((await client.post(`/organizations/${body.id}/verify`)).body.code).toBe('insufficient_scope');
  });

  test('in a plan without write access is 403 write_not_in_plan, regardless of scopes', async () => {
    await platform.plan('reading', { burstPerMinute: 1000, perDay: 1000, perMonth: 1000 });
    const client = await platform.account({ account: 'Reader', plan: 'reading' });
    expect((await client.post('/organizations', club)).status).toBe(201);
    const input = { writes: false };
    await platform.administer(
      'mutation ($input: ChangePlanInput!) { changePlan(code: "reading", ifMatch: "*", input: $input) { version } }',
      { input },
    );
    // a key keeps its version of the plan until it is moved: a new one has the new version
    const { key } = await issue({ accountName: 'Reader', plan: 'reading', scopes: [] });
    const reading = createClient({ ...platform, key });
    expect((await reading.post('/organizations', club)).body).toMatchObject({ status: 403, code: 'write_not_in_plan' });
    expect((await reading.graphql(createClub, { input: club })).body.errors[0].extensions.code).toBe('write_not_in_plan');
    expect((await client.post('/organizations', club)).status).toBe(201);
  });

  test("on another account's resource is 403 not_owner where it is public, and 404 where it is not", async () => {
    const { body: published } = await owner.post('/organizations', { ...club, status: 'ACTIVE' });
    const { body: hidden } = await owner.post('/organizations', club);
    const any = { 'if-match': '*' };
    const attempts = (id: string): Promise<ApiResponse[]> =>
      Promise.all([
        other.patch(`/organizations/${id}`, { city: 'Rom' }, any),
        other.delete(`/organizations/${id}`, any),
        other.post(`/organizations/${id}/close`),
      ]);
    for (const { body } of await attempts(published.id)) expect(body).toMatchObject({ status: 403, code: 'not_owner' });
    for (const { body } of await attempts(hidden.id)) expect(body).toMatchObject({ status: 404, code: 'not_found' });
    const graph = 'mutation ($id: ID!) { updateOrganization(id: $id, ifMatch: "*", input: { city: "Rom" }) { id } }';
    expect((await other.graphql(graph, { id: published.id })).body.errors[0].extensions.code).toBe('not_owner');
    expect((await other.graphql(graph, { id: hidden.id })).body.errors[0].extensions.code).toBe('not_found');
    expect((await owner.get(`/organizations/${published.id}`)).body).toMatchObject({ version: 1, city: null });
    expect((await owner.get(`/organizations/${hidden.id}`)).body).toMatchObject({ version: 1, city: null });
  });

  test("cannot add rows to another account's organization or detect its drafts", async () => {
    const { body: published } = await owner.post('/organizations', { ...club, status: 'ACTIVE' });
    const { body: hidden } = await owner.post('/organizations', club);
    const team = { name: 'Guests', sport: 'FOOTBALL', category: 'MEN' };
    const unknownId = '00000000-0000-4000-8000-000000000000';
    const responses = await Promise.all(
      [hidden.id, unknownId].map((organizationId) => other.post('/organizations/teams', { ...team, organizationId })),
    );
    const errors = responses.map(({ status, body }) => ({
      status,
      code: body.code,
      errors: body.errors?.map((each: { code: string }) => each.code),
    }));
    expect(errors[0]).toEqual(errors[1]);
    const rejected = await other.post('/organizations/teams', { ...team, organizationId: published.id });
    expect(rejected.status).toBeGreaterThanOrEqual(400);
    expect((await platform.anonymous.get(`/organizations/teams?organizationId=${published.id}`)).body.data).toEqual([]);
  });
});
