/** What a season is part of: the current season and matchday, the winner, tiers, promotion and relegation. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague } from './leagues.ts';
import { scored, scoring, type Fixture } from './scores.ts';
import { createResource, createSeason } from './season-fixtures.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'League' });
});
afterAll(() => platform.close());

const competition = (name: string, facts: object = {}): Promise<{ id: string }> =>
  createResource(owner, '/competitions', { name, sport: 'FOOTBALL', type: 'LEAGUE', status: 'PUBLISHED', ...facts });
const decide = async ({ id, sides }: Fixture, ...scores: number[]) => {
  const items = [{ matchId: id, status: 'OFFICIAL', ...scored(sides, ...scores) }];
  expect((await owner.post('/competitions/results/batch', { items })).body.summary.failed).toBe(0);
};
const read = async (path: string) => (await platform.anonymous.get(path)).body;

test('the current matchday is the first with a match to be played, and the winner is the first of the table', async () => {
  const league = await playLeague(owner, ['Rot', 'Blau', 'Grün', 'Gelb']);
  const at = scoring(owner, league);
  const path = `/competitions/seasons/${league.seasonId}`;
  expect(await read(path)).toMatchObject({ currentMatchday: null, winner: null });
  const [first, second, postponed, last] = [
    await at.fixture([0, 1], { matchday: 1 }),
    await at.fixture([2, 3], { matchday: 2 }),
    await at.fixture([1, 2], { matchday: 1, startTime: '2026-09-01T13:30:00Z' }),
    await at.fixture([3, 0], { matchday: 3 }),
  ];
  expect((await read(path)).currentMatchday).toBe(1);
  await decide(first, 2, 0);
  await owner.post(`${at.path(postponed.id)}/postpone`);
  expect((await read(path)).currentMatchday).toBe(2);
  await decide(second, 0, 0);
  await decide(last, 0, 1);
  await owner.post(`${at.path(postponed.id)}/cancel`);
  expect(await read(path)).toMatchObject({ currentMatchday: 3, winner: null });
  expect((await owner.post(`${path}/finish`)).status).toBe(200);
  expect((await read(path)).winner).toMatchObject({ name: 'Rot' });
  const page = await read(`/competitions/seasons?competitionId=${league.competitionId}`);
  expect(page.data).toMatchObject([{ currentMatchday: null }]);
});

test('a cup has no current matchday in its knock-out', async () => {
  const cup = await playLeague(owner, ['Rot', 'Blau'], { name: 'Gruppen', type: 'CUP' });
  const at = scoring(owner, cup);
  const path = `/competitions/seasons/${cup.seasonId}`;
  const groups = await createResource(owner, `${path}/stages`, { name: 'Groups', type: 'GROUP', order: 1 });
  const finals = await createResource(owner, `${path}/stages`, { name: 'Final', type: 'KNOCKOUT', order: 2 });
  const group = await at.fixture([0, 1], { stageId: groups.id, matchday: 1, startTime: '2026-09-01T13:30:00Z' });
  expect((await read(path)).currentMatchday).toBe(1);
  await decide(group, 1, 0);
  expect((await read(path)).currentMatchday).toBe(1);
  const final = await at.fixture([0, 1], { stageId: finals.id, startTime: '2026-09-08T13:30:00Z' });
  expect((await read(path)).currentMatchday).toBeNull();
  await decide(final, 0, 1);
  expect((await read(path)).currentMatchday).toBeNull();
});

test('the winner of a cup is its champion', async () => {
  const cup = await playLeague(owner, ['Eins', 'Zwei'], { type: 'CUP' });
  const at = scoring(owner, cup);
  const stages = `/competitions/seasons/${cup.seasonId}/stages`;
  const { id: stageId } = await createResource(owner, stages, { name: 'Finals', type: 'KNOCKOUT' });
  await decide(await at.fixture([0, 1], { stageId }), 0, 1);
  await owner.post(`/competitions/seasons/${cup.seasonId}/finish`);
  expect((await read(`/competitions/seasons/${cup.seasonId}`)).winner).toMatchObject({ name: 'Zwei' });
  const { body } = await platform.anonymous.get(`/competitions/seasons/${cup.seasonId}/bracket`);
  expect(body.placings).toMatchObject([
    { position: 1, shared: false, participant: { name: 'Zwei' } },
    { position: 2, shared: false, participant: { name: 'Eins' } },
  ]);
});

test('the current season is the latest in progress, else the next planned one, else the latest', async () => {
  const { id } = await competition('Oberliga Nord');
  const current = async () => (await read(`/competitions/${id}`)).currentSeason?.name ?? null;
  const season = (name: string, year: number, status: string) =>
    createResource(owner, '/competitions/seasons', {
      competitionId: id,
      name,
      startDate: `${year}-01-01`,
      endDate: `${year}-12-31`,
      status,
    });
  expect(await current()).toBeNull();
  await season('2023', 2023, 'FINISHED');
  await season('2024', 2024, 'FINISHED');
  expect(await current()).toBe('2024');
  await season('2028', 2028, 'PLANNED');
  await season('2027', 2027, 'PLANNED');
  expect(await current()).toBe('2027');
  await season('2026', 2026, 'IN_PROGRESS');
  expect(await current()).toBe('2026');
});

test('leagues promote to a higher tier, and relegate to all that promote to them', async () => {
  const top = await competition('Liga 3', { tier: 3 });
  const [north, south] = [
    await competition('Regionalliga Nord', { tier: 4, promotesToId: top.id }),
    await competition('Regionalliga Süd', { tier: 4, promotesToId: top.id }),
  ];
  await competition('Entwurf', { promotesToId: top.id, status: 'DRAFT' });
  expect(await read(`/competitions/${north.id}`)).toMatchObject({ tier: 4, promotesTo: { id: top.id, name: 'Liga 3' } });
  expect((await read(`/competitions/${top.id}`)).relegatesTo).toEqual([
    { id: north.id, name: 'Regionalliga Nord', imageUrl: null },
    { id: south.id, name: 'Regionalliga Süd', imageUrl: null },
  ]);
  const code = async (promotesToId: string, facts: object = {}) =>
    (await owner.post('/competitions', { name: 'X', sport: 'FOOTBALL', type: 'LEAGUE', promotesToId, ...facts })).body.errors[0]
      .code;
  expect(await code('00000000-0000-4000-8000-000000000000')).toBe('unknown_competition');
  expect(await code(top.id, { sport: 'HANDBALL' })).toBe('other_sport');
  const always = { 'if-match': '*' };
  const circular = await owner.patch(`/competitions/${top.id}`, { promotesToId: south.id }, always);
  expect(circular.body.errors).toMatchObject([{ pointer: '/promotesToId', code: 'circular' }]);
  await owner.patch(`/competitions/${south.id}`, { promotesToId: null }, always);
  expect((await read(`/competitions/${top.id}`)).relegatesTo).toHaveLength(1);
  expect((await owner.patch(`/competitions/${top.id}`, { promotesToId: south.id }, always)).status).toBe(200);
});

test('a draft of another account is no competition to promote to', async () => {
  const stranger = await platform.account({ account: 'Other' });
  const { competition: draft } = await createSeason(stranger, { status: 'DRAFT' });
  const facts = { name: 'X', sport: 'FOOTBALL', type: 'LEAGUE', promotesToId: draft.id };
  expect((await owner.post('/competitions', facts)).body.errors).toMatchObject([{ code: 'unknown_competition' }]);
});
