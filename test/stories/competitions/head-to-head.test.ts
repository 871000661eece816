/** What a newsroom reads of two teams: their matches against each other, the next and the last ones, and named rows. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague, type League } from './leagues.ts';
import { createResource } from './season-fixtures.ts';
import { scoring } from './scores.ts';

let platform: TestPlatform;
let owner: Client;
let league: League;
let path: string;
const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString();
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'League' });
  league = await playLeague(owner, ['Rot', 'Blau', 'Grün'], { name: 'Landesliga', code: 'LL' });
  const { played, fixture } = scoring(owner, league);
  await played([0, 1], [2, 0], { startTime: day(-9) });
  await played([1, 0], [1, 1], { startTime: day(-8) });
  await played([0, 2], [0, 3], { startTime: day(-7) });
  await played([1, 0], [1, 4], { startTime: day(-6) });
  await fixture([0, 1], { startTime: day(-1) });
  await fixture([0, 1], { startTime: day(3) });
  await fixture([2, 0], { startTime: day(2) });
  const [rot, blau] = league.teams;
  path = `/competitions/head-to-head?teamId=${rot}&opponentId=${blau}`;
});
afterAll(() => platform.close());

test('two teams have a record against each other, and their form', async () => {
  const { status, body } = await platform.anonymous.get(path);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    team: { name: 'Rot' },
    opponent: { name: 'Blau' },
    matchesPlayed: 3,
    won: 2,
    draw: 1,
    lost: 0,
    scoreFor: 7,
    scoreAgainst: 2,
    form: ['WIN', 'DRAW', 'LOSS', 'WIN'],
    opponentForm: ['LOSS', 'DRAW', 'LOSS'],
  });
  expect(body.lastMatches.map(({ startTime }: { startTime: string }) => startTime.slice(0, 10))).toEqual(
    [-6, -8, -9].map((offset) => day(offset).slice(0, 10)),
  );
  const other = await playLeague(owner, ['Gelb', 'Lila'], { name: 'Other' });
  expect((await platform.anonymous.get(`${path}&competitionId=${other.competitionId}`)).body).toMatchObject({
    matchesPlayed: 0,
    lastMatches: [],
    form: [],
  });
  const unknown = `/competitions/head-to-head?teamId=${league.teams[0]}&opponentId=${league.seasonId}`;
  expect(await platform.anonymous.get(unknown)).toMatchObject({ status: 404 });
});

test('the next and the last matches of a team', async () => {
  const found = async (query: string): Promise<string[]> =>
    (await platform.anonymous.get(`/competitions/matches?teamId=${league.teams[0]}&${query}`)).body.data.map(
      ({ startTime }: { startTime: string }) => startTime.slice(0, 10),
    );
  const days = (...offsets: number[]): string[] => offsets.map((offset) => day(offset).slice(0, 10));
  expect(await found('next=1')).toEqual(days(2));
  expect(await found('next=5')).toEqual(days(2, 3));
  expect(await found('last=2')).toEqual(days(-6, -7));
  const both = await platform.anonymous.get('/competitions/matches?next=1&last=1');
  expect([both.status, both.body.errors[0].parameter]).toEqual([400, 'last']);
});

test('each row names its competition, season and stage, and the short name and crest of each team', async () => {
  const club = {
    type: 'CLUB',
    name: 'Sportclub Altstadt',
    shortName: 'SCA',
    country: 'DE',
    sports: ['FOOTBALL'],
    status: 'ACTIVE',
  };
  const { id: organizationId } = await createResource(owner, '/organizations', {
    ...club,
    logoUrl: 'https://example.org/crest.svg',
  });
  const { id: secondTeamId } = await createResource(owner, '/organizations/teams', {
    name: 'Altstadt II',
    sport: 'FOOTBALL',
    category: 'MEN',
    ageGroup: 'U19',
    organizationId,
  });
  const { id: teamId } = await createResource(owner, '/organizations/teams', {
    name: 'Altstadt I',
    shortName: 'ALT',
    sport: 'FOOTBALL',
    category: 'MEN',
    organizationId,
  });
  const season = `/competitions/seasons/${league.seasonId}`;
  const { id } = await createResource(owner, `${season}/participants`, { type: 'TEAM', teamId });
  const match = { seasonId: league.seasonId, participants: [{ participantId: id }, { participantId: league.participants[0] }] };
  await createResource(owner, '/competitions/matches', match);
  const { body } = await platform.anonymous.get(`/competitions/matches?teamId=${teamId}`);
  expect(body.data[0]).toMatchObject({
    season: { name: '2026/27', competition: { name: 'Landesliga', code: 'LL' } },
    stage: { name: expect.any(String) },
    participants: [
      { participant: { team: { name: 'Altstadt I', shortName: 'ALT', imageUrl: 'https://example.org/crest.svg' } } },
      { participant: { team: { name: 'Rot', imageUrl: null } } },
    ],
  });
  const second = await createResource(owner, `${season}/participants`, { type: 'TEAM', teamId: secondTeamId });
  await createResource(owner, '/competitions/matches', { ...match, participants: [{ participantId: second.id }] });
  const rows = await platform.anonymous.get(`/competitions/matches?teamId=${secondTeamId}`);
  expect(rows.body.data[0].participants[0].participant.team).toMatchObject({ name: 'Altstadt II', shortName: 'SCA' });
  const found = await platform.anonymous.get('/search?q=altstadt%20ii&type=TEAM');
  const crest = { imageUrl: 'https://example.org/crest.svg' };
  expect(found.body.data[0]).toMatchObject({ name: 'Altstadt II', shortName: 'SCA', category: 'MEN', ageGroup: 'U19', ...crest });
});
