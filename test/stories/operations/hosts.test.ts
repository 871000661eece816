/** Hosts of areas and sports below the base domain: real host names that resolve to the loopback address. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Agent, fetch } from 'undici';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

const domain = 'talent.test';

/** Resolves every name to the loopback address. */
const dispatcher = new Agent({
  connect: { lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]) },
});

let platform: TestPlatform;
let key: string;
let port: string;
beforeAll(async () => {
  platform = await openTestPlatform();
  ({ key } = await platform.account({ account: 'Hosts' }));
  ({ port } = new URL(platform.restUrl));
});
afterAll(async () => {
  await dispatcher.close();
  await platform.close();
});

interface Call {
  readonly method?: string;
  readonly body?: unknown;
  readonly anonymous?: boolean;
  readonly headers?: Record<string, string>;
}

async function call(host: string, path: string, { method = 'GET', body, anonymous = false, headers = {} }: Call = {}) {
  const response = await fetch(`http://${host}:${port}${path}`, {
    dispatcher,
    method,
    redirect: 'manual',
    headers: { ...(anonymous ? {} : { 'x-api-key': key }), 'content-type': 'application/json', ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads what it expects
  const json: any = response.headers.get('content-type')?.includes('json') === true && text !== '' ? JSON.parse(text) : null;
  return { status: response.status, headers: response.headers, body: json };
}
const at = (subdomain: string, path: string, options: Call = {}) =>
  call(subdomain === '' ? domain : `${subdomain}.${domain}`, `/api/v1${path}`, options);
const created = async (subdomain: string, path: string, body: object) => {
  const response = await at(subdomain, path, { method: 'POST', body });
  expect([response.status, response.body.detail]).toEqual([201, undefined]);
  return response.body as { readonly id: string };
};
const namesIn = (body: { readonly data: readonly { readonly name: string }[] }) => body.data.map(({ name }) => name).toSorted();

const club = (name: string, ...sports: string[]) => ({ type: 'CLUB', name, country: 'DE', sports, status: 'ACTIVE' });
const cup = (name: string, sport: string) => ({ name, sport, type: 'LEAGUE', category: 'MEN', status: 'PUBLISHED' });

/** Calls a tool at a host. */
async function callTool(subdomain: string, name: string, given: object) {
  const { body } = await call(`${subdomain}.${domain}`, '/mcp', {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
  });
  return body.result.structuredContent;
}

describe('a subdomain', () => {
  test('of an area serves the same API and names the main host as canonical', async () => {
    const path = '/api/v1/organizations?limit=1';
    for (const name of ['athletes', 'competitions', 'scouting', 'opportunities', 'organizations']) {
      const { status, headers } = await call(`${name}.${domain}`, path);
      expect([status, headers.get('link')]).toEqual([200, `<http://${domain}:${port}${path}>; rel="canonical"`]);
    }
    for (const host of [domain, `api.${domain}`, `www.${domain}`, `${domain.toUpperCase()}.`, 'another.test', '127.0.0.1'])
      expect([host, (await call(host, path)).headers.get('link')]).toEqual([host, null]);
  });

  test('of anything else is not found, also for GraphQL, pages and the dashboard; probes respond', async () => {
    for (const path of ['/api/v1/organizations', '/graphql?query={__typename}', '/docs', '/admin']) {
      const { status, body } = await call(`nowhere.${domain}`, path);
      expect([path, status, body.code, body.detail]).toEqual([path, 404, 'not_found', expect.stringContaining(domain)]);
    }
    expect((await call(`nowhere.${domain}`, '/health')).status).toBe(200);
    expect((await call(`accounts.${domain}`, '/api/v1/me')).status).toBe(404);
  });

  test('redirects the dashboard to the main host', async () => {
    const { status, headers } = await call(`football.${domain}`, '/admin/keys?x=1');
    expect([status, headers.get('location')]).toEqual([308, `http://${domain}:${port}/admin/keys?x=1`]);
    expect((await call(domain, '/admin')).status).not.toBe(308);
  });

  test('answers browsers of other origins', async () => {
    const { headers } = await at('tennis', '/organizations', { anonymous: true, headers: { origin: 'https://shop.test' } });
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });
});

describe('the host of a sport', () => {
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    const swimmers = await created('', '/organizations', club('Swimmers', 'SWIMMING'));
    const both = await created('', '/organizations', club('Both', 'FOOTBALL', 'SWIMMING'));
    const players = await created('', '/organizations', club('Players', 'FOOTBALL'));
    const meet = await created('', '/competitions', cup('Meet', 'SWIMMING'));
    const league = await created('', '/competitions', cup('League', 'FOOTBALL'));
    const person = { sex: 'FEMALE', nationalities: ['DE'], dateOfBirth: '2000-01-01', status: 'ACTIVE' };
    const swimmer = await created('', '/athletes', { ...person, displayName: 'Swimmer', sports: [{ sport: 'SWIMMING' }] });
    const team = await created('', '/organizations/teams', {
      organizationId: both.id,
      name: 'First',
      sport: 'SWIMMING',
      category: 'MEN',
    });
    const membership = await created('', '/organizations/memberships', {
      personType: 'ATHLETE',
      role: 'PLAYER',
      startDate: '2026-01-01',
      personId: swimmer.id,
      organizationId: both.id,
      sport: 'SWIMMING',
    });
    const all = { swimmers, both, players, meet, league, swimmer, team, membership };
    Object.assign(ids, Object.fromEntries(Object.entries(all).map(([name, { id }]) => [name, id])));
    await platform.settled();
  });

  test('lists its sport only, in every format', async () => {
    expect(namesIn((await at('', '/organizations?q=s')).body)).toEqual(expect.arrayContaining(['Swimmers']));
    const organizations = (await at('football', '/organizations')).body;
    expect(namesIn(organizations)).toEqual(['Both', 'Players']);
    expect(JSON.stringify(organizations)).not.toContain('SWIMMING');
    expect(namesIn((await at('football', '/competitions')).body)).toEqual(['League']);
    expect(namesIn((await at('swimming', '/competitions')).body)).toEqual(['Meet']);
    expect((await at('football', '/athletes')).body.data).toEqual([]);
    expect((await at('football', '/sports')).body.data.map(({ sport }: { sport: string }) => sport)).toEqual(['FOOTBALL']);
    expect((await at('football', `/organizations/${ids['both']}?include=teams`)).body).toMatchObject({
      sports: ['FOOTBALL'],
      teams: { nodes: [] },
    });
    const query = '{ competitions { nodes { name } } organizations { nodes { name teams { nodes { name } } } } }';
    const { body } = await call(`football.${domain}`, '/graphql', { method: 'POST', body: { query } });
    expect(namesIn({ data: body.data.competitions.nodes })).toEqual(['League']);
    expect(JSON.stringify(body)).not.toContain('First');
  });

  test('offers its sport only to assistants', async () => {
    expect(namesIn(await callTool('football', 'listOrganizations', {}))).toEqual(['Both', 'Players']);
    expect(await callTool('football', 'getCompetition', { id: ids['meet'] })).toMatchObject({ code: 'not_found' });
    expect(await callTool('football', 'listCompetitions', { sport: 'TENNIS' })).toMatchObject({
      code: 'parameter_invalid',
      errors: [{ parameter: 'sport', code: 'other_sport' }],
    });
    const origin = { origin: `https://app.${domain}` };
    const message = { method: 'POST', body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } };
    const accept = { accept: 'application/json, text/event-stream' };
    expect((await call(domain, '/mcp', { ...message, headers: { ...accept, ...origin } })).status).toBe(200);
    expect((await call(`nowhere.${domain}`, '/mcp', { ...message, headers: accept })).status).toBe(404);
  });

  test('has no resource of another sport', async () => {
    const paths = [
      `/organizations/${ids['swimmers']}`,
      `/organizations/${ids['swimmers']}/members`,
      `/organizations/teams/${ids['team']}`,
      `/organizations/memberships/${ids['membership']}`,
      `/competitions/${ids['meet']}`,
      `/athletes/${ids['swimmer']}`,
    ];
    for (const path of paths) {
      expect([path, (await at('', path)).status]).toEqual([path, 200]);
      expect([path, (await at('football', path)).status]).toEqual([path, 404]);
      expect([path, (await at('football', path, { anonymous: true })).status]).toEqual([path, 404]);
    }
  });

  test('rejects another sport in the query and in the body', async () => {
    const query = await at('football', '/competitions?sport=FOOTBALL,SWIMMING');
    expect([query.status, query.body.errors]).toEqual([
      400,
      [expect.objectContaining({ parameter: 'sport', code: 'other_sport' })],
    ]);
    expect((await at('football', '/competitions?sport=FOOTBALL')).status).toBe(200);
    for (const [path, body, pointer] of [
      ['/competitions', cup('Gala', 'SWIMMING'), '/sport'],
      ['/organizations', club('Divers', 'SWIMMING'), '/sports'],
    ] as const) {
      const response = await at('football', path, { method: 'POST', body });
      expect([response.status, response.body.errors]).toEqual([422, [expect.objectContaining({ pointer, code: 'other_sport' })]]);
    }
    const batch = {
      items: ['SWIMMING', 'FOOTBALL'].map((sport) => ({
        ...club(`Batch ${sport}`, sport),
        externalIds: [{ scheme: 'CRM', value: sport }],
      })),
    };
    const { body } = await at('football', '/organizations/batch', { method: 'POST', body: batch });
    expect(body.data.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['FAILED', 'CREATED']);
    await created('football', '/competitions', cup('Local', 'FOOTBALL'));
  });

  test('changes no resource of another sport', async () => {
    const patch = { method: 'PATCH', body: { name: 'Renamed' }, headers: { 'if-match': '*' } };
    expect((await at('football', `/competitions/${ids['meet']}`, patch)).status).toBe(404);
    expect((await at('football', `/organizations/${ids['swimmers']}/close`, { method: 'POST' })).status).toBe(404);
    expect((await at('', `/competitions/${ids['meet']}`)).body.name).toBe('Meet');
    expect((await at('football', `/competitions/${ids['league']}`, patch)).status).toBe(200);
  });

  test('shares keys and quotas with the other hosts, and is a dimension of the usage', async () => {
    const { key: own } = await platform.account({ account: 'Counted' });
    const remainingAt = async (subdomain: string): Promise<number> => {
      const { headers } = await at(subdomain, '/plans', { headers: { 'x-api-key': own }, anonymous: true });
      return Number(/"day";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);
    };
    const first = await remainingAt('');
    expect([await remainingAt('football'), await remainingAt('swimming'), await remainingAt('scouting')]).toEqual([
      first - 1,
      first - 2,
      first - 3,
    ]);
    await platform.flushUsage();
    const usage = await at('', `/usage?granularity=DAY&groupBy=SPORT`, {
      headers: { 'x-api-key': own },
      anonymous: true,
    });
    const units = usage.body.series.map((each: { sport: string | null; units: number }) => [each.sport, each.units]);
    expect(units.toSorted()).toEqual(
      [
        ['FOOTBALL', 1],
        ['SWIMMING', 1],
        [null, 2],
      ].toSorted(),
    );
  });
});
