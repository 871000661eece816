/** Minors that differ only in hidden data are indistinguishable by filters, sort orders, pages, ids, writes and headers. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiResponse, Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { consent, consentBody, verifiedAccount } from './minors-fixture.ts';
import { createAthlete } from './people.ts';
import { createResource, createSeason } from '../competitions/season-fixtures.ts';
import { differences, minor } from '../requests/similar-minors.ts';
import { everything } from './visibility-table.ts';

let platform: TestPlatform;
let owner: Client & { readonly organizationId: string };
let outsider: Client & { readonly organizationId: string };
let readers: readonly Client[];
/** Two minors with a restricted profile, and a hidden one. */
let similarMinors: string[];
let hidden: string;
const unknown = '0b8f2f6e-35d8-4b5d-9d0a-3f6d1d0c9a11';

const ids = ({ status, body }: ApiResponse): string[] => {
  expect({ status, body }).toMatchObject({ status: 200 });
  return body.data.map((each: { id: string; athlete?: { id: string } }) => each.athlete?.id ?? each.id);
};
/** The names of the minors in a list. */
const minorsIn = (response: ApiResponse): string[] => ids(response).filter((id) => similarMinors.includes(id));
/** A response without the requested ids. */
function withoutVariableParts({ status, body }: ApiResponse): unknown {
  const { requestId: _, instance: __, ...rest } = body;
  return JSON.parse(JSON.stringify({ status, rest }).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'id'));
}

beforeAll(async () => {
  platform = await openTestPlatform();
  const moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  owner = await verifiedAccount(platform, moderator, 'Academy', { officer: false });
  outsider = await verifiedAccount(platform, moderator, 'Rival', { officer: false });
  const minorsReader = await verifiedAccount(platform, moderator, 'Curious', { officer: false, scopes: ['minors:read'] });
  readers = [platform.anonymous, outsider, minorsReader];
  const items = differences.map((difference, index) => ({
    ...minor,
    ...difference,
    externalIds: [
      { scheme: 'TEST', value: `twin-${index}` },
      { scheme: 'WIKIDATA', value: `Q900${index}` },
    ],
  }));
  const batch = await owner.post('/athletes/batch', { items });
  expect(batch.body.summary).toMatchObject({ failed: 0 });
  similarMinors = batch.body.data.map(({ id }: { id: string }) => id);
  const publish = async (id: string) => {
    await consent(owner, id, ['PROFILE']);
    expect((await owner.post(`/athletes/${id}/activate`)).status).toBe(200);
  };
  await Promise.all(similarMinors.map(publish));
  hidden = (await createAthlete(owner, minor)).id;
  const [first = '', second = ''] = similarMinors;
  for (const [index, id] of [first, second, hidden].entries()) {
    const membership = { personType: 'ATHLETE', personId: id, organizationId: owner.organizationId, role: 'PLAYER' };
    await createResource(owner, '/organizations/memberships', membership);
    const number = { scope: 'CAREER', sport: 'FOOTBALL', source: 'PROVIDER', metrics: [{ key: 'goals', value: 30 + index }] };
    await createResource(owner, '/athletes/statistics', { athleteId: id, ...number });
  }
  const { path, season } = await createSeason(owner, { category: 'WOMEN' });
  const { id: teamId } = await createResource(owner, '/organizations/teams', {
    name: 'Team',
    sport: 'FOOTBALL',
    category: 'WOMEN',
    organizationId: owner.organizationId,
  });
  const { id: participantId } = await createResource(owner, `${path}/participants`, { type: 'TEAM', teamId });
  const lineup = [{ athleteId: first }, { athleteId: second }, { athleteId: hidden }];
  const { id: matchId } = await createResource(owner, '/competitions/matches', {
    seasonId: season.id,
    date: '2026-09-01',
    participants: [{ participantId, lineup }],
  });
  const film = { matchId, title: 'Match', kind: 'FULL', url: 'https://video.example/1', status: 'PUBLISHED' };
  const replay = await createResource(owner, '/competitions/replays', film);
  for (const athleteId of [first, hidden]) await owner.post(`/competitions/replays/${replay.id}/tags`, { athleteId });
  expect((await moderator.post(`/competitions/replays/${replay.id}/publish`)).body).toMatchObject({ status: 'PUBLISHED' });
  expect((await platform.anonymous.get(`/competitions/matches/${matchId}`)).headers.get('cache-control')).toBe(
    'private, no-store',
  );
  await platform.settled();
});
afterAll(() => platform.close());

test('their profiles are equal in every field, including the version', async () => {
  for (const reader of readers) {
    const { body } = await reader.graphql(`{ athletes(first: 100) { nodes { ${everything} } } }`);
    const rows: Record<string, unknown>[] = body.data.athletes.nodes;
    const alike = rows.map((row) => ({ ...row, id: '', createdAt: '', updatedAt: '' }));
    expect(rows.map(({ id }) => id).toSorted()).toEqual(similarMinors.toSorted());
    for (const each of alike) expect(each).toEqual(alike[0]);
  }
});

test('filters and sort orders by hidden members match none of them, and by visible members all', async () => {
  const none = ['q=quill', 'q=qu', 'q=xanthippe', 'q=xylander', 'q=xerxes', 'q=zebedee', 'discipline=ASSOCIATION'];
  none.push('discipline=FUTSAL', 'position=LB', 'position=GK', 'nationality=NG', 'nationality=GH', 'ageMin=15', 'ageMax=15');
  none.push('ageMin=0', 'ageMax=120', 'level=NATIONAL', 'level=SCHOOL', 'openToOpportunities=true', 'openToOpportunities=false');
  none.push(`organizationId=${owner.organizationId}`, 'externalId=TEST:twin-1', 'externalId=WIKIDATA:Q9001');
  none.push('heightCmMin=100', 'heightCmMax=250', 'dominantFoot=LEFT', 'dominantHand=RIGHT', 'language=fr', 'freeAgent=true');
  none.push('freeAgent=false', 'contractUntil=2099-01-01', 'availableFor=TRIAL');
  none.push('sort=name', 'sort=-name', 'verified=true');
  const all = ['sport=FOOTBALL', 'sex=FEMALE', 'country=FR', 'verified=false', 'sort=createdAt', 'sort=-createdAt'];
  all.push(`ids=${similarMinors.join(',')}`, 'sort=updatedAt', 'sort=-updatedAt', 'sport=FOOTBALL&sex=FEMALE&country=FR');
  for (const reader of readers) {
    const responses = await Promise.all(none.map((filter) => reader.get(`/athletes?${filter}&limit=100`)));
    for (const [index, response] of responses.entries()) {
      const filter = none[index];
      expect({ filter, found: minorsIn(response), page: response.body.page.hasMore }).toEqual({ filter, found: [], page: false });
    }
    for (const filter of all) {
      const response = await reader.get(`/athletes?${filter}&limit=100`);
      expect({ filter, found: minorsIn(response).toSorted() }).toEqual({ filter, found: similarMinors.toSorted() });
    }
    // synchronization matches no more than a list
    for (const filter of ['q=quill', 'position=LB', 'externalId=TEST:twin-1']) {
      const { body } = await reader.get(`/athletes?${filter}&updatedSince=2020-01-01T00:00:00Z&limit=100`);
      expect({ filter, data: body.data, tombstones: body.tombstones }).toEqual({ filter, data: [], tombstones: [] });
    }
  }
});

test('pages are full despite hidden athletes and reach all visible ones', async () => {
  const found: string[] = [];
  for (let cursor = ''; ;) {
    const { body } = await platform.anonymous.get(`/athletes?sort=createdAt&limit=5${cursor}`);
    found.push(...body.data.map(({ id }: { id: string }) => id));
    if (!body.page.hasMore) break;
    expect(body.data).toHaveLength(5);
    cursor = `&cursor=${encodeURIComponent(body.page.nextCursor)}`;
  }
  expect(found.toSorted()).toEqual(similarMinors.toSorted());
});

test('statistics, leaderboards and prospects contain none of them', async () => {
  for (const reader of readers)
    for (const path of [
      '/athletes/statistics?metric=goals&sort=-value&limit=100',
      '/athletes/statistics?metric=goals&sort=best&source=PROVIDER&limit=100',
      '/athletes/statistics?sport=FOOTBALL&scope=CAREER&sex=FEMALE&limit=100',
      '/athletes/statistics?ageMin=15&ageMax=15&verified=false&limit=100',
      '/athletes/statistics?updatedSince=2020-01-01T00:00:00Z&limit=100',
      '/scouting/prospects?limit=100',
      `/organizations/${owner.organizationId}/members`,
      `/organizations/memberships?organizationId=${owner.organizationId}`,
    ])
      expect({ path, found: ids(await reader.get(path)) }).toEqual({ path, found: [] });
});

test('suggestions and discovery name none of them', async () => {
  for (const reader of readers) {
    for (const q of ['quill', 'q', 'zar', 'quizza', 'xanthippe', 'zebedee']) {
      const response = await reader.get(`/athletes/suggestions?q=${q}`);
      expect({ q, found: ids(response) }).toEqual({ q, found: [] });
    }
    const { status, body } = await reader.get('/athletes/discovery');
    expect({ status, revealed: similarMinors.filter((id) => JSON.stringify(body).includes(id)) }).toEqual({
      status: 200,
      revealed: [],
    });
  }
});

describe('an id', () => {
  test('of a hidden athlete, or of hidden data of a minor, reads like an unknown id', async () => {
    const dataPaths = (id: string) => [
      ...['statistics', 'consents', 'access-log'].map((part) => `/athletes/${id}/${part}`),
      `/athletes/statistics?athleteId=${id}`,
      ...['matches', 'results', 'replays'].map((list) => `/competitions/${list}?athleteId=${id}`),
      `/organizations/memberships?athleteId=${id}`,
      `/scouting/prospects/${id}`,
    ];
    const profilePaths = (id: string) => ['', '/results', '/memberships'].map((part) => `/athletes/${id}${part}`);
    for (const reader of readers) {
      const read = (paths: string[]) => Promise.all(paths.map(async (path) => withoutVariableParts(await reader.get(path))));
      const unknownData = await read(dataPaths(unknown));
      for (const id of [hidden, ...similarMinors.slice(0, 2)]) expect(await read(dataPaths(id))).toEqual(unknownData);
      expect(await read(profilePaths(hidden))).toEqual(await read(profilePaths(unknown)));
      for (const id of similarMinors.slice(0, 2)) expect(ids(await reader.get(`/athletes/${id}/results`))).toEqual([]);
    }
  });

  const steps: readonly ((id: string) => Promise<ApiResponse>)[] = [
    (id) => outsider.patch(`/athletes/${id}`, { heightCm: 180 }, { 'if-match': '*' }),
    (id) => outsider.patch(`/athletes/${id}`, { heightCm: 180 }, { 'if-match': '"1"' }),
    (id) => outsider.delete(`/athletes/${id}`, { 'if-match': '*' }),
    (id) => outsider.post(`/athletes/${id}/activate`),
    (id) => outsider.post(`/athletes/${id}/deactivate`),
    (id) => outsider.post(`/athletes/${id}/consents`, consentBody(['PROFILE'])),
    (id) => outsider.post(`/athletes/${id}/consents/${unknown}/withdraw`, {}),
  ];
  test('of a hidden athlete is rejected in writes like an unknown id, and restricted profiles accept no writes of others', async () => {
    for (const [index, step] of steps.entries()) {
      const unknownResponse = withoutVariableParts(await step(unknown));
      expect({ index, is: withoutVariableParts(await step(hidden)) }).toEqual({ index, is: unknownResponse });
      expect(unknownResponse).toMatchObject({ status: 404 });
      const revealed = await Promise.all(similarMinors.map(async (id) => (await step(id)).body));
      expect(new Set(revealed.map(({ status, code }) => `${status} ${code}`))).toEqual(new Set(['403 not_owner']));
    }
  });

  test('of another account’s minor is rejected as a reference like an unknown id', async () => {
    const { season, path } = await createSeason(outsider, { category: 'WOMEN' });
    const side = await createResource(outsider, `${path}/participants`, { type: 'ATHLETE', unnamed: true });
    const names: readonly ((id: string) => Promise<ApiResponse>)[] = [
      (personId) =>
        outsider.post('/organizations/memberships', {
          personType: 'ATHLETE',
          personId,
          organizationId: outsider.organizationId,
          role: 'PLAYER',
        }),
      (athleteId) =>
        outsider.post('/athletes/statistics', {
          athleteId,
          scope: 'CAREER',
          sport: 'FOOTBALL',
          source: 'PROVIDER',
          metrics: [{ key: 'goals', value: 1 }],
        }),
      (athleteId) =>
        outsider.post('/competitions/replays', { athleteId, title: 'Film', kind: 'CLIP', url: 'https://video.example/2' }),
      (athleteId) => outsider.post(`${path}/participants`, { type: 'ATHLETE', athleteId }),
      (athleteId) =>
        outsider.post('/competitions/matches', {
          seasonId: season.id,
          participants: [{ participantId: side.id, lineup: [{ athleteId }] }],
        }),
    ];
    for (const [index, name] of names.entries()) {
      const unknownResponse = withoutVariableParts(await name(unknown));
      expect(unknownResponse).toMatchObject({ status: 422 });
      for (const id of [hidden, ...similarMinors.slice(0, 2)])
        expect({ index, is: withoutVariableParts(await name(id)) }).toEqual({ index, is: unknownResponse });
    }
  });
});

test('external ids of a minor, also of registries, stay available to others: a conflict would reveal the minor', async () => {
  const externalIds = [
    { scheme: 'WIKIDATA', value: 'Q9001' },
    { scheme: 'TEST', value: 'twin-1' },
  ];
  const created = await outsider.post('/athletes/batch', { items: [{ ...minor, externalIds }] });
  expect(created.body.data).toMatchObject([{ outcome: 'CREATED' }]);
});
