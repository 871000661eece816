/** Competitions and seasons through the public APIs. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
let owner: Client;
let other: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  [owner, other] = await Promise.all([platform.account({ account: 'League' }), platform.account({ account: 'Other' })]);
});
afterAll(() => platform.close());

const league = {
  name: 'Oberliga Nordost',
  code: 'OLN',
  sport: 'FOOTBALL',
  type: 'LEAGUE',
  country: 'DE',
  level: 'REGIONAL',
  category: 'MEN',
};
const edition = { name: '2026/27', startDate: '2026-08-01', endDate: '2027-05-30' };

describe('a competition', () => {
  test('is hidden as a draft, published with its seasons, and archived', async () => {
    const { body: draft } = await owner.post('/competitions', league);
    expect(draft).toMatchObject({ ...league, status: 'DRAFT', version: 1, organizer: null });
    const { body: season } = await owner.post('/competitions/seasons', { ...edition, competitionId: draft.id });
    expect(season).toMatchObject({ ...edition, status: 'PLANNED', sport: 'FOOTBALL', competition: { id: draft.id } });
    expect((await platform.anonymous.get(`/competitions/${draft.id}`)).status).toBe(404);
    expect((await platform.anonymous.get(`/competitions/seasons/${season.id}`)).status).toBe(404);
    expect((await other.post(`/competitions/${draft.id}/publish`)).status).toBe(404);

    const published = await owner.post(`/competitions/${draft.id}/publish`);
    expect(published.body).toMatchObject({ status: 'PUBLISHED', version: 2 });
    const read = await platform.anonymous.get(`/competitions/${draft.id}?include=seasons`);
    expect(read.body.seasons.nodes).toEqual([expect.objectContaining({ id: season.id, name: '2026/27' })]);
    expect((await platform.anonymous.get(`/competitions/seasons/${season.id}`)).body).toMatchObject({ id: season.id });
    expect((await other.post(`/competitions/${draft.id}/archive`)).body).toMatchObject({ code: 'not_owner' });

    const repeated = await owner.post(`/competitions/${draft.id}/publish`);
    expect(repeated.status).toBe(409);
    expect(repeated.body).toMatchObject({ code: 'invalid_transition', allowedTransitions: ['archive'] });
    expect((await owner.post(`/competitions/${draft.id}/archive`)).body).toMatchObject({ status: 'ARCHIVED' });
    const late = await owner.post('/competitions/seasons', { ...edition, name: '2027/28', competitionId: draft.id });
    expect(late.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/competitionId', code: 'archived' }] });
  });

  test('can be deleted only as a draft without seasons', async () => {
    const { body: empty } = await owner.post('/competitions', league);
    expect((await owner.delete(`/competitions/${empty.id}`, { 'if-match': '"1"' })).status).toBeLessThan(300);
    expect((await owner.get(`/competitions/${empty.id}`)).status).toBe(404);
    const { body: used } = await owner.post('/competitions', league);
    await owner.post('/competitions/seasons', { ...edition, competitionId: used.id });
    expect((await owner.delete(`/competitions/${used.id}`, { 'if-match': '*' })).body).toMatchObject({ code: 'in_use' });
  });

  test('has an organizer that is an organization of the account, or a name', async () => {
    const { body: federation } = await owner.post('/organizations', {
      type: 'CLUB',
      name: 'NOFV',
      country: 'DE',
      sports: ['FOOTBALL'],
      status: 'ACTIVE',
    });
    const { body } = await owner.post('/competitions', { ...league, organizerId: federation.id, status: 'PUBLISHED' });
    expect(body.organizer).toEqual({ id: federation.id, name: 'NOFV', imageUrl: null });
    const foreign = await other.post('/competitions', { ...league, organizerId: federation.id });
    expect(foreign.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/organizerId' }] });
    const both = await owner.patch(`/competitions/${body.id}`, { organizerName: 'NOFV' }, { 'if-match': '*' });
    expect(both.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/organizerName' }] });
    const renamed = await owner.patch(
      `/competitions/${body.id}`,
      { organizerId: null, organizerName: 'NOFV e. V.' },
      { 'if-match': '"1"' },
    );
    expect(renamed.body).toMatchObject({ organizer: null, organizerName: 'NOFV e. V.', version: 2 });
    expect((await owner.patch(`/competitions/${body.id}`, { code: 'X' }, { 'if-match': '"1"' })).status).toBe(412);
    expect((await platform.anonymous.get(`/competitions?organizerId=${federation.id}`)).body.data).toEqual([]);
    const cup = { ...league, name: 'Cup', organizerId: federation.id };
    await owner.post('/competitions', { ...cup, name: 'Draft' });
    for (const name of ['First', 'Second']) await owner.post('/competitions', { ...cup, name, status: 'PUBLISHED' });
    const run = `{ organization(id: "${federation.id}") { competitions(first: 2) { nodes { name } pageInfo { hasNextPage } } } }`;
    const readOrganizer = async (client: Client) => {
      const { nodes, pageInfo } = (await client.graphql(run)).body.data.organization.competitions;
      return [...nodes.map(({ name }: { name: string }) => name), pageInfo.hasNextPage];
    };
    expect(await readOrganizer(platform.anonymous)).toEqual(['Second', 'First', false]);
    expect(await readOrganizer(owner)).toEqual(['Second', 'First', true]);
  });

  test('outlives the suspension of its organizer, which is no longer returned', async () => {
    const facts = { type: 'CLUB', name: 'Hosts', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' };
    const { body: hosts } = await owner.post('/organizations', facts);
    const { body: cup } = await owner.post('/competitions', { ...league, organizerId: hosts.id, status: 'PUBLISHED' });
    const moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
    const found = async (client: Client): Promise<number> =>
      (await client.get(`/competitions?organizerId=${hosts.id}`)).body.data.length;
    expect(await found(platform.anonymous)).toBe(1);
    await moderator.post(`/organizations/${hosts.id}/suspend`, { reason: 'Reported' });
    expect((await platform.anonymous.get(`/competitions/${cup.id}`)).body).toMatchObject({ id: cup.id, organizer: null });
    expect([await found(platform.anonymous), await found(owner)]).toEqual([0, 1]);
  });

  test('can be found by words, sport and type', async () => {
    await owner.post('/competitions', {
      name: 'Coupe Élite',
      sport: 'HANDBALL',
      type: 'CUP',
      status: 'PUBLISHED',
      ageGroup: 'U19',
      country: 'FR',
    });
    const found = await platform.anonymous.get(
      '/competitions?q=elite&sport=HANDBALL&type=CUP,MEET&ageGroup=U19&country=FR&sort=name',
    );
    expect(found.body.data).toEqual([expect.objectContaining({ name: 'Coupe Élite' })]);
    expect((await platform.anonymous.get('/competitions?sport=CHESS')).status).toBe(400);
    expect((await platform.anonymous.get('/competitions?status=DRAFT')).body.data).toEqual([]);
    expect((await owner.get('/competitions?mine=true&status=DRAFT')).body.data.length).toBeGreaterThan(0);
  });
});

describe('a season', () => {
  test('has a lifecycle, and a unique name in the competition', async () => {
    const { body: competition } = await owner.post('/competitions', { ...league, status: 'PUBLISHED' });
    const { body: season } = await owner.post('/competitions/seasons', {
      ...edition,
      competitionId: competition.id,
      status: 'IN_PROGRESS',
    });
    expect(season.status).toBe('IN_PROGRESS');
    expect((await owner.post('/competitions/seasons', { ...edition, competitionId: competition.id })).body).toMatchObject({
      code: 'conflict',
    });
    expect(
      (await other.post('/competitions/seasons', { ...edition, name: 'x', competitionId: competition.id })).body,
    ).toMatchObject({ code: 'not_owner' });
    const reversed = await owner.patch(`/competitions/seasons/${season.id}`, { endDate: '2020-01-01' }, { 'if-match': '*' });
    expect(reversed.body).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/endDate', code: 'before_start' }] });
    expect((await owner.post(`/competitions/seasons/${season.id}/finish`)).body).toMatchObject({
      status: 'FINISHED',
      version: 2,
    });
    expect((await owner.post(`/competitions/seasons/${season.id}/cancel`)).body).toMatchObject({
      allowedTransitions: ['archive'],
    });
    const inMay = await platform.anonymous.get(
      `/competitions/seasons?competitionId=${competition.id}&dateFrom=2027-05-30&dateTo=2027-05-31&status=FINISHED`,
    );
    expect(inMay.body.data).toEqual([expect.objectContaining({ id: season.id })]);
    expect(
      (await platform.anonymous.get(`/competitions/seasons?competitionId=${competition.id}&dateFrom=2027-05-31`)).body.data,
    ).toEqual([]);
  });

  test('reports all violations together', async () => {
    const nowhere = { name: '2026', startDate: '2026-02-01', endDate: '2026-01-01', competitionId: crypto.randomUUID() };
    const { body } = await owner.post('/competitions/seasons', nowhere);
    expect(body.errors).toEqual([
      expect.objectContaining({ pointer: '/competitionId', code: 'unknown_competition' }),
      expect.objectContaining({ pointer: '/endDate', code: 'before_start' }),
    ]);
  });

  test('that is cancelled stays cancelled, and its name can be used again', async () => {
    const { body: competition } = await owner.post('/competitions', { ...league, status: 'PUBLISHED' });
    const { body: season } = await owner.post('/competitions/seasons', { ...edition, competitionId: competition.id });
    await owner.post(`/competitions/seasons/${season.id}/cancel`);
    expect((await owner.post('/competitions/seasons', { ...edition, competitionId: competition.id })).status).toBe(201);
    expect((await owner.post(`/competitions/seasons/${season.id}/archive`)).body).toMatchObject({
      code: 'invalid_transition',
      allowedTransitions: [],
    });
  });

  test('is imported with its competition by external IDs; a second import changes nothing', async () => {
    const ids = (value: string) => ({ externalIds: [{ scheme: 'FEED', value }] });
    const items = [
      { ...league, ...ids('c1'), status: 'PUBLISHED' },
      { ...league, discipline: 'BOXING', ...ids('c2') },
      { ...league, sport: 'CHESS', ...ids('c3') },
    ];
    const importAll = async () => {
      const { body } = await owner.post('/competitions/batch', { items });
      const competitionId = body.data[0].id;
      const editions = ['2024/25', '2025/26'].map((name) => ({
        ...edition,
        name,
        competitionId,
        ...ids(name),
        status: 'FINISHED',
      }));
      const seasons = await owner.post('/competitions/seasons/batch', { items: editions });
      const rejected = [body.data[1], body.data[2]].map((item) => item.error.errors[0].pointer);
      return [body.summary, seasons.body.summary, rejected];
    };
    const none = { created: 0, updated: 0, unchanged: 0, failed: 0 };
    const rejected = ['/discipline', '/sport'];
    expect(await importAll()).toEqual([{ ...none, created: 1, failed: 2 }, { ...none, created: 2 }, rejected]);
    expect(await importAll()).toEqual([{ ...none, unchanged: 1, failed: 2 }, { ...none, unchanged: 2 }, rejected]);
    expect((await platform.anonymous.get('/competitions/seasons?externalId=FEED:2024/25')).body.data).toHaveLength(1);
  });
});

test('one query for competition → seasons → competition → organizer needs one statement for each step', async () => {
  platform.statements();
  const response = await platform.anonymous.graphql(
    '{ competitions(first: 5) { nodes { name organizer { name } seasons(first: 2) { nodes { name competition { code } } } } } }',
  );
  expect(response.body.errors).toBeUndefined();
  expect(response.body.data.competitions.nodes.length).toBeGreaterThan(2);
  const ran = platform.statements().filter((name) => /^(competitions|seasons|organizations)\./.test(name));
  expect(new Set(ran).size).toBe(ran.length);
});
