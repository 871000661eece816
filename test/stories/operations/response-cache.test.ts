/** The response cache: kept responses are charged, stay private to their caller, and end with every change of their data. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiResponse, Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

const club = (name: string, status = 'ACTIVE') => ({ type: 'CLUB', name, country: 'DE', sports: ['FOOTBALL'], status });

/** The names of the statements of requests since the last call. */
const readsOf = (platform: TestPlatform): string[] => platform.statements();

const remaining = ({ headers }: ApiResponse): number => Number(/"day";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

describe('in one process, a response', () => {
  let platform: TestPlatform;
  let owner: Client;
  let other: Client;
  let id: string;
  beforeAll(async () => {
    platform = await openTestPlatform();
    owner = await platform.account({ account: 'Owner' });
    other = await platform.account({ account: 'Other' });
    ({ id } = (await owner.post('/organizations', club('Kept'))).body);
    await platform.settled();
  });
  afterAll(() => platform.close());

  test('is kept: the next one is equal, runs no statement, and is charged', async () => {
    for (const client of [platform.anonymous, owner]) {
      const first = await client.get('/organizations');
      readsOf(platform);
      const second = await client.get('/organizations');
      expect(readsOf(platform)).toEqual([]);
      expect(second.body).toEqual(first.body);
      expect(remaining(first) - remaining(second)).toBe(1);
      for (const name of ['etag', 'cache-control', 'vary', 'content-type', 'access-control-allow-origin'])
        expect(second.headers.get(name)).toBe(first.headers.get(name));
    }
  });

  test('is confirmed by its entity tag without reading the areas', async () => {
    const { headers } = await other.get(`/organizations/${id}`);
    readsOf(platform);
    const same = await other.get(`/organizations/${id}`, { 'if-none-match': headers.get('etag') ?? '' });
    expect([same.status, same.body, same.headers.get('etag')]).toEqual([304, '', headers.get('etag')]);
    expect(readsOf(platform)).toEqual([]);
    expect((await other.get(`/organizations/${id}`, { 'if-match': '"99"' })).status).toBe(412);
  });

  test('is compressed as the client accepts it, with the same content', async () => {
    for (let index = 0; index < 12; index += 1) await owner.post('/organizations', club(`Long name of a club ${index}`));
    const first = await platform.anonymous.get('/organizations?limit=13');
    for (const [accepted, encoding] of [
      ['br', 'br'],
      ['gzip', 'gzip'],
      ['gzip;q=0.5, br;q=0.1', 'gzip'],
      ['identity', null],
    ] as const) {
      const each = await platform.anonymous.get('/organizations?limit=13', { 'accept-encoding': accepted });
      expect([each.headers.get('content-encoding'), each.headers.get('etag')]).toEqual([encoding, first.headers.get('etag')]);
      expect(each.body).toEqual(first.body);
    }
    const head = await platform.anonymous.send('/organizations?limit=13', { method: 'HEAD' });
    expect([head.status, head.body]).toEqual([200, '']);
  });

  test('is never older than a write of the same process', async () => {
    const path = `/organizations/${id}`;
    for (let round = 0; round < 20; round += 1) {
      const name = `Kept ${round}`;
      const before = await platform.anonymous.get(path);
      await owner.patch(path, { name }, { 'if-match': before.headers.get('etag') ?? '' });
      const after = await Promise.all([platform.anonymous.get(path), other.get(path), owner.get(path)]);
      expect(after.map(({ body }) => body.name)).toEqual([name, name, name]);
    }
    const renamed = `mutation ($id: ID!) { updateOrganization(id: $id, ifMatch: "*", input: { name: "By GraphQL" }) { name } }`;
    await owner.graphql(renamed, { id });
    expect((await platform.anonymous.get(path)).body.name).toBe('By GraphQL');
  });

  test('is not sent to other callers, who may see less', async () => {
    const { body } = await owner.post('/organizations', club('Hidden', 'DRAFT'));
    const path = `/organizations/${body.id}`;
    const statuses = async () => {
      const all = await Promise.all([owner.get(path), other.get(path), platform.anonymous.get(path)]);
      return all.map(({ status }) => status);
    };
    for (let round = 0; round < 3; round += 1) expect(await statuses()).toEqual([200, 404, 404]);
    await owner.post(`${path}/activate`);
    expect(await statuses()).toEqual([200, 200, 200]);
    await owner.post(`${path}/close`, { reason: 'Test' });
  });

  test('ends with the effects of events of other areas', async () => {
    const { body: team } = await owner.post('/organizations', { ...club('Named'), createTeam: true });
    const athlete = {
      displayName: 'Ada Kept',
      sex: 'FEMALE',
      nationalities: ['DE'],
      dateOfBirth: '2000-01-01',
      sports: [{ sport: 'FOOTBALL' }],
      status: 'ACTIVE',
    };
    const { body: person } = await owner.post('/athletes', athlete);
    await owner.post('/organizations/memberships', { athleteId: person.id, organizationId: team.id });
    await platform.settled();
    const path = `/athletes?organizationId=${team.id}`;
    const idsOf = async () => (await platform.anonymous.get(path)).body.data.map((each: { id: string }) => each.id);
    const found = await idsOf();
    expect(await idsOf()).toEqual(found);
    await owner.post(`/organizations/${team.id}/close`, { reason: 'Test' });
    await platform.settled();
    expect(await idsOf()).toEqual([]);
  });

  test('of the account itself is not kept', async () => {
    await owner.get('/me');
    readsOf(platform);
    await owner.get('/me');
    expect(readsOf(platform)).not.toEqual([]);
  });
});

describe('in separate processes with two routers, a response', () => {
  let platform: TestPlatform;
  let owner: Client & { readonly key: string };
  beforeAll(async () => {
    platform = await openTestPlatform({ isolated: true, wiring: 'separate processes', routers: 2 });
    owner = await platform.account({ account: 'Owner' });
  });
  afterAll(() => platform.close());

  test('is never older than a second after a write over the other router, and never at all over the same one', async () => {
    const { body } = await owner.post('/organizations', club('Version 0'));
    const path = `/organizations/${body.id}`;
    const rename = `mutation ($id: ID!, $name: String!) { updateOrganization(id: $id, ifMatch: "*", input: { name: $name }) { name } }`;
    const writeOver = async (url: string, name: string): Promise<void> => {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': owner.key },
        body: JSON.stringify({ query: rename, variables: { id: body.id, name } }),
      });
      expect(await response.json()).toEqual({ data: { updateOrganization: { name } } });
    };
    const [own = '', another = ''] = platform.routerUrls;
    for (let version = 1; version <= 12; version += 1) {
      const isOwn = version % 2 === 0;
      await writeOver(isOwn ? own : another, `Version ${version}`);
      const acknowledgedMs = performance.now();
      if (!isOwn) await sleep(version % 4 === 1 ? 1_000 : Math.random() * 900);
      const sinceMs = performance.now() - acknowledgedMs;
      const [one, two] = [await platform.anonymous.get(path), await platform.anonymous.get(path)];
      if (isOwn || sinceMs >= 1_000) expect([one.body.name, two.body.name]).toEqual([`Version ${version}`, `Version ${version}`]);
    }
  });

  test('is sent while its area is stopped, for a second at most', async () => {
    const { body } = await owner.post('/organizations', club('Stopped'));
    const path = `/organizations/${body.id}`;
    await eventually(async () => {
      await platform.anonymous.get(path);
      const pid = platform.processes?.pids.get('organizations') ?? 0;
      process.kill(pid, 'SIGSTOP');
      const response = platform.anonymous.get(path);
      const first = await Promise.race([response, sleep(500)]);
      process.kill(pid, 'SIGCONT');
      expect((await response).body.name).toBe('Stopped');
      expect(first).toBeDefined();
    });
  });
});
