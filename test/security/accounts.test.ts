/** Resources of another account: reads, changes, moves and races with a key of the attacker. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createAdult, createClub, createTeam } from '../stories/organizations/clubs.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { attack, codeOf, expectHarmless, send, type AttackRequest } from './attack.ts';
import { unknownId } from './routes.ts';

let platform: TestPlatform;
let attacker: string;
let victim: string;
const ids: Record<string, string> = {};
beforeAll(async () => {
  platform = await openTestPlatform();
  const owner = await platform.account({ account: 'Victim' });
  victim = owner.key;
  ({ key: attacker } = await platform.account({ account: 'Attacker' }));
  const created = async (name: string, path: string, body: object): Promise<void> => {
    const response = await owner.post(path, body);
    expect({ name, status: response.status }).toEqual({ name, status: 201 });
    ids[name] = response.body.id;
  };
  ids['organization'] = (await createClub(owner)).id;
  ids['team'] = (await createTeam(owner, ids['organization'])).id;
  ids['athlete'] = (await createAdult(owner)).id;
  await created('shortlist', '/scouting/shortlists', { name: 'Secret' });
  await created('search', '/saved-searches', { kind: 'ATHLETES', name: 'Secret', filter: { sport: ['FOOTBALL'] } });
  await created('webhook', '/webhooks', { url: 'https://receiver.example/secret' });
  await platform.settled();
});
afterAll(() => platform.close());

const idOf = (name: string): string => ids[name] ?? '';
const as = (key: string, request: AttackRequest): AttackRequest => ({
  ...request,
  headers: { 'x-api-key': key, 'if-match': '*', ...request.headers },
});

const hidden = [
  ['shortlist', '/scouting/shortlists'],
  ['search', '/saved-searches'],
  ['webhook', '/webhooks'],
] as const;
describe.each(hidden)('a private %s of another account', (name, path) => {
  test.each(['GET', 'PATCH', 'DELETE'])('%s is like an unknown one', async (method) => {
    const body = method === 'PATCH' ? { body: { name: 'x', description: 'x' } } : {};
    const answers = [];
    for (const id of [idOf(name), unknownId]) {
      const response = await send(platform.restUrl, as(attacker, { path: `/api/v1${path}/${id}`, method, ...body }));
      expectHarmless(response);
      expect(response.text).not.toContain('Secret');
      answers.push({ status: response.status, code: codeOf(response) });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]?.status).toBeGreaterThanOrEqual(400);
  });

  test('is in no list, by any filter', async () => {
    for (const query of ['', `?ids=${idOf(name)}`, '?limit=100', '?updatedSince=2020-01-01T00:00:00Z']) {
      const response = await send(platform.restUrl, as(attacker, { path: `/api/v1${path}${query}` }));
      expectHarmless(response);
      expect(response.text).not.toMatch(new RegExp(`Secret|"id":"${idOf(name)}"|receiver\\.example`));
    }
  });
});

test.each(['/deliveries', '/test', '/rotate-secret', '/disable', '/enable', '/replay'])(
  'a webhook of another account: %s',
  async (action) => {
    const path = `/api/v1/webhooks/${idOf('webhook')}${action}`;
    const body = action === '/replay' ? { since: '2026-01-01T00:00:00Z' } : {};
    const request = action === '/deliveries' ? { path } : { path, body };
    const response = await send(platform.restUrl, as(attacker, request));
    expectHarmless(response);
    expect([404, 422]).toContain(response.status);
  },
);

const changes = [
  ['organization', '', 'PATCH', { name: 'Taken' }],
  ['organization', '', 'DELETE', undefined],
  ['organization', '/close', 'POST', {}],
  ['organization', '/image', 'DELETE', undefined],
  ['team', '', 'PATCH', { name: 'Taken' }],
  ['team', '', 'DELETE', undefined],
  ['athlete', '', 'PATCH', { displayName: 'Taken' }],
  ['athlete', '', 'DELETE', undefined],
  ['athlete', '/deactivate', 'POST', {}],
  ['athlete', '/image', 'DELETE', undefined],
] as const;
const pathOf: Readonly<Record<string, string>> = {
  organization: '/organizations',
  team: '/organizations/teams',
  athlete: '/athletes',
};
test.each(changes)('a public %s%s of another account cannot be changed by %s', async (name, action, method, body) => {
  const path = `/api/v1${pathOf[name] ?? ''}/${idOf(name)}${action}`;
  await attack(platform, as(attacker, { path, method, ...(body && { body }) }), 403, 'not_owner');
});

test.each(['/erase', '/export', '/access-log'])('an athlete of another account: %s', async (action) => {
  const path = `/api/v1/athletes/${idOf('athlete')}${action}`;
  const response = await send(platform.restUrl, as(attacker, action === '/erase' ? { path, body: {} } : { path }));
  expectHarmless(response);
  expect([403, 404, 422]).toContain(response.status);
});

test('a moderator’s action needs a right that no key can have', async () => {
  for (const action of ['verify', 'suspend', 'reject', 'reinstate'])
    for (const key of [attacker, victim]) {
      const path = `/api/v1/organizations/${idOf('organization')}/${action}`;
      const response = await send(platform.restUrl, as(key, { path, body: { reason: 'x' } }));
      expectHarmless(response);
      expect(response.status).toBe(403);
    }
});

describe('an idempotency key', () => {
  const club = { type: 'CLUB', name: 'Race', country: 'DE', sports: ['FOOTBALL'] };
  const post = (key: string, idempotencyKey: string, body: object = club) =>
    send(platform.restUrl, {
      path: '/api/v1/organizations',
      body,
      headers: { 'x-api-key': key, 'idempotency-key': idempotencyKey },
    });

  test('of another account replays nothing', async () => {
    const [mine, foreign] = [await post(victim, 'shared'), await post(attacker, 'shared')];
    expect([mine.status, foreign.status]).toEqual([201, 201]);
    expect(foreign.headers).not.toHaveProperty('idempotent-replayed');
    expect(JSON.parse(foreign.text).id).not.toBe(JSON.parse(mine.text).id);
  });

  test('in 20 concurrent requests creates one resource', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => post(attacker, 'race')));
    responses.forEach(expectHarmless);
    const created = responses.filter(({ status }) => status === 201).map(({ text }) => JSON.parse(text).id as string);
    expect(new Set(created).size).toBe(1);
    const others = responses.filter(({ status }) => status !== 201).map(codeOf);
    expect(others.every((code) => code === 'idempotency_in_progress')).toBe(true);
  });

  test('with another body is rejected', async () => {
    await post(attacker, 'body');
    const response = await post(attacker, 'body', { ...club, name: 'Other' });
    expect({ status: response.status, code: codeOf(response) }).toEqual({ status: 422, code: 'idempotency_key_reused' });
  });

  test.each(['', ' ', 'a'.repeat(5_000), 'é', '"', "'; drop table x;--"])('%j is text, or rejected', async (value) => {
    const response = await post(attacker, Buffer.from(value).toString('latin1'));
    expectHarmless(response);
    expect([201, 400]).toContain(response.status);
  });

  test('20 concurrent changes of one version: one is accepted', async () => {
    const { text } = await post(attacker, 'versions');
    const path = `/api/v1/organizations/${JSON.parse(text).id as string}`;
    const change = (index: number) =>
      send(platform.restUrl, {
        path,
        method: 'PATCH',
        body: { name: `Race ${index}` },
        headers: { 'x-api-key': attacker, 'if-match': '"1"' },
      });
    const responses = await Promise.all(Array.from({ length: 20 }, (_, index) => change(index)));
    responses.forEach(expectHarmless);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(responses.filter(({ status }) => status !== 200).map(codeOf))).toEqual(new Set(['precondition_failed']));
  });
});
