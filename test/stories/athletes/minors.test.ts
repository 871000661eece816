/** A minor, or an athlete of unknown age, is visible to the owning account only, on every path. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiResponse, Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { bornFor, createAthlete, facts, lastName } from './people.ts';

let platform: TestPlatform;
let owner: Client;
let other: Client;
let moderator: Client;
let outsiders: readonly Client[];
beforeAll(async () => {
  platform = await openTestPlatform();
  [owner, other, moderator] = await Promise.all([
    platform.account({ account: 'Academy' }),
    platform.account({ account: 'Curious' }),
    platform.account({ account: 'Moderation', scopes: ['moderation:write', 'minors:read', 'athletes:write'] }),
  ]);
  outsiders = [other, moderator, platform.anonymous];
});
afterAll(() => platform.close());

const create = (more: object = {}) => createAthlete(owner, more);

const ages = [
  ['a minor', { dateOfBirth: bornFor(16, 100) }],
  ['an athlete that turns 18 in two days', { dateOfBirth: bornFor(18, -2) }],
  ['an athlete whose birth year does not exclude a minor', { birthYear: new Date().getUTCFullYear() - 18 }],
  ['an athlete of unknown age', {}],
] as const;

const idsOf = (response: ApiResponse): string[] => {
  expect(response.status).toBe(200);
  return response.body.data.map((each: { id: string }) => each.id);
};

describe.each(ages)('%s', (_, age) => {
  test('starts as PENDING_CONSENT, visible to the owner only', async () => {
    const { id, status } = await create({ ...age, displayName: 'Xanthippe Hidden', status: 'ACTIVE' });
    expect(status).toBe('PENDING_CONSENT');
    await platform.settled();
    const value = lastName();
    const since = new Date(Date.now() - 60_000).toISOString();
    const lists = [
      '/athletes?limit=100',
      '/athletes?q=xanthippe',
      `/athletes?externalId=TEST:${value}`,
      '/athletes?sport=FOOTBALL&position=LB&level=NATIONAL&country=FR&nationality=NG&sex=FEMALE&limit=100',
      '/athletes?ageMax=20&limit=100',
      '/athletes?sort=name&limit=100',
      `/athletes?updatedSince=${since}&limit=100`,
    ];
    for (const outsider of outsiders) {
      expect((await outsider.get(`/athletes/${id}`)).body).toMatchObject({ status: 404, code: 'not_found' });
      expect((await outsider.get(`/athletes/${id}/statistics`)).body.data ?? []).toEqual([]);
      expect((await outsider.get(`/scouting/prospects/${id}`)).status).toBe(404);
      for (const path of lists) {
        const response = await outsider.get(path);
        expect({ path, found: idsOf(response).includes(id), revealed: JSON.stringify(response.body).includes(id) }).toEqual({
          path,
          found: false,
          revealed: false,
        });
      }
      const graph = await outsider.graphql(
        'query ($id: ID!) { athlete(id: $id) { displayName } athletes(filter: { q: "xanthippe" }) { nodes { id } } }',
        { id },
      );
      expect(graph.body).toEqual({ data: { athlete: null, athletes: { nodes: [] } } });
    }
    expect((await owner.get(`/athletes/${id}`)).headers.get('cache-control')).toBe('private, no-store');
    const mine = await owner.get(`/athletes?mine=true&externalId=TEST:${value}`);
    expect(idsOf(mine)).toEqual([id]);
    expect(mine.headers.get('cache-control')).toBe('private, no-store');
  });

  test('cannot be activated without consent by a transition, a patch or a batch', async () => {
    const { id } = await create(age);
    for (const attempt of [await owner.post(`/athletes/${id}/activate`), await owner.post(`/athletes/${id}/activate`)]) {
      expect(attempt.body).toMatchObject({ status: 409, code: 'consent_required', missingScopes: ['PROFILE'] });
    }
    expect((await owner.patch(`/athletes/${id}`, { status: 'ACTIVE' }, { 'if-match': '*' })).status).toBe(422);
    const batch = await owner.post('/athletes/batch', { items: [facts({ ...age, status: 'ACTIVE' })] });
    const [item] = batch.body.data;
    expect((await platform.anonymous.get(`/athletes/${item.id}`)).status).toBe(404);
    expect((await owner.get(`/athletes/${id}`)).body.status).not.toBe('ACTIVE');
  });
});

describe('resources that refer to a minor', () => {
  test('do not reveal it: memberships, teams, organizations, statistics, pages', async () => {
    const { id } = await create({ dateOfBirth: bornFor(15, 50), displayName: 'Nested Minor' });
    const { id: adult } = await create({ dateOfBirth: bornFor(22, 50), status: 'ACTIVE' });
    const { body: club } = await owner.post('/organizations', {
      type: 'CLUB',
      name: 'Youth FC',
      country: 'FR',
      sports: ['FOOTBALL'],
      status: 'ACTIVE',
    });
    const { body: team } = await owner.post('/organizations/teams', {
      name: 'U17',
      sport: 'FOOTBALL',
      category: 'WOMEN',
      organizationId: club.id,
    });
    for (const personId of [id, adult]) {
      const created = await owner.post('/organizations/memberships', {
        personType: 'ATHLETE',
        personId,
        organizationId: club.id,
        teamId: team.id,
        role: 'YOUTH_PLAYER',
      });
      expect(created.body).toMatchObject({ status: 'ACTIVE' });
    }
    const reported = await owner.post('/athletes/statistics', {
      athleteId: id,
      scope: 'CAREER',
      sport: 'FOOTBALL',
      source: 'PROVIDER',
      metrics: [{ key: 'goals', value: 31 }],
    });
    expect({ status: reported.status, body: reported.body }).toMatchObject({ status: 201 });
    const row = reported.headers.get('location') ?? '';
    expect((await owner.get(row)).body).toMatchObject({ id: reported.body.id, metrics: [{ key: 'goals' }] });
    expect((await Promise.all(outsiders.map((outsider) => outsider.get(row)))).every(({ status }) => status === 404)).toBe(true);
    await platform.settled();
    const nested =
      'query ($id: ID!) { organization(id: $id) { teams { nodes { members { nodes { role athlete { id displayName } } } } } } }';
    for (const outsider of outsiders) {
      const graph = await outsider.graphql(nested, { id: club.id });
      const visibleMembers = graph.body.data.organization.teams.nodes[0].members.nodes.map(
        (each: { athlete: object | null }) => each.athlete,
      );
      expect(visibleMembers).toEqual([expect.objectContaining({ id: adult })]);
      expect(JSON.stringify(graph.body)).not.toContain(id);
      for (const path of [
        `/organizations/${club.id}/members`,
        `/organizations/memberships?organizationId=${club.id}`,
        `/athletes?organizationId=${club.id}`,
        `/athletes/statistics?athleteId=${id}`,
        '/athletes/statistics?metric=goals&sort=-value&limit=100',
        '/scouting/prospects?limit=100',
      ]) {
        const response = await outsider.get(path);
        expect({ path, status: response.status, revealed: JSON.stringify(response.body).includes(id) }).toEqual({
          path,
          status: 200,
          revealed: false,
        });
        expect(JSON.stringify(response.body)).not.toContain('Nested Minor');
      }
      const statistics = await outsider.get(`/athletes/${id}/statistics`);
      expect(statistics.body.data ?? []).toEqual([]);
    }
    const own = await owner.graphql(nested, { id: club.id });
    expect(JSON.stringify(own.body)).toContain('Nested Minor');
    expect(own.headers.get('cache-control')).toMatch(/no-store|private/);
    expect((await owner.get(`/athletes/statistics?athleteId=${id}`)).body.data).toHaveLength(1);
    const members = await owner.get(`/organizations/${club.id}/members`);
    if (JSON.stringify(members.body).includes('Nested Minor'))
      expect(members.headers.get('cache-control')).toBe('private, no-store');
  });

  test('cannot be read through a federation entity', async () => {
    const { id } = await create({ dateOfBirth: bornFor(15, 50) });
    for (const outsider of outsiders) {
      const entities = await outsider.graphql(
        'query ($r: [_Any!]!) { _entities(representations: $r) { ... on Athlete { displayName } } }',
        {
          r: [{ __typename: 'Athlete', ref: id }],
        },
      );
      expect(entities.body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
      for (const field of ['athletesById(ids: ["x"]) { id }', 'organizationOwners(ids: ["x"]) { id }', '_service { sdl }']) {
        const response = await outsider.graphql(`{ ${field} }`);
        expect(response.body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
      }
      expect((await outsider.graphql('{ athletes { nodes { ref } } }')).body.errors[0].extensions.code).toBe(
        'GRAPHQL_VALIDATION_FAILED',
      );
    }
    const foreign = await other.post('/athletes/statistics', {
      athleteId: id,
      scope: 'CAREER',
      sport: 'FOOTBALL',
      source: 'PROVIDER',
      metrics: [{ key: 'goals', value: 1 }],
    });
    const unknownResponse = await other.post('/athletes/statistics', {
      athleteId: '00000000-0000-4000-8000-000000000000',
      scope: 'CAREER',
      sport: 'FOOTBALL',
      source: 'PROVIDER',
      metrics: [{ key: 'goals', value: 1 }],
    });
    expect([foreign.status, foreign.body.code, foreign.body.errors]).toEqual([
      unknownResponse.status,
      unknownResponse.body.code,
      unknownResponse.body.errors,
    ]);
  });

  test('pages of adults are full and do not count hidden minors', async () => {
    const tennis = { sports: [{ sport: 'TENNIS' }], status: 'ACTIVE' };
    for (let index = 0; index < 6; index += 1) await create({ ...tennis, dateOfBirth: bornFor(index % 2 === 0 ? 25 : 15, 40) });
    const first = await platform.anonymous.get('/athletes?sport=TENNIS&limit=2');
    expect(first.body.data).toHaveLength(2);
    expect(first.body.page.hasMore).toBe(true);
    const second = await platform.anonymous.get(
      `/athletes?sport=TENNIS&limit=2&cursor=${encodeURIComponent(first.body.page.nextCursor)}`,
    );
    expect(second.body.data).toHaveLength(1);
    expect(second.body.page).toMatchObject({ nextCursor: null, hasMore: false });
  });
});
