/** What a sports desk reads: rows of brackets and team ties, a team's rows of tables, winners of seasons, and clear rejections. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { enterRepresentatives, playLeague, type League } from './leagues.ts';
import { createResource } from './season-fixtures.ts';
import { scoring } from './scores.ts';

let platform: TestPlatform;
let owner: Client;
let league: League;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'League' });
  league = await playLeague(owner, ['Rot', 'Blau', 'Grün'], { name: 'Landesliga' });
  const { played } = scoring(owner, league);
  await played([0, 1], [2, 0], { matchday: 1 });
  await played([1, 2], [3, 0], { matchday: 2 });
});
afterAll(() => platform.close());

const get = async (path: string) => (await platform.anonymous.get(path)).body;
const unknownId = '01a1fc7b-4518-7635-958d-4598d21a7a39';

test('rankings have the rows of some teams, with their true positions', async () => {
  const [rot, blau, gruen] = league.teams;
  const rows = async (query: string) => {
    const { data } = await get(`/competitions/rankings?seasonId=${league.seasonId}&${query}`);
    return data.map((row: { position: number; participant: { name: string } }) => `${row.position} ${row.participant.name}`);
  };
  expect(await rows(`teamId=${gruen}`)).toEqual(['3 Grün']);
  expect(await rows(`teamId=${gruen},${rot}`)).toEqual(['1 Rot', '3 Grün']);
  expect(await rows(`teamId=${blau}&matchday=1`)).toEqual(['3 Blau']);
  expect(await rows(`teamId=${unknownId}`)).toEqual([]);
  const query = `/competitions/rankings?seasonId=${league.seasonId}&teamId=${rot},${blau}`;
  const { data, page } = await get(`${query}&limit=1`);
  const next = await get(`${query}&limit=1&cursor=${page.nextCursor}`);
  expect([data[0].participant.name, next.data[0].participant.name, next.page.hasMore]).toEqual(['Rot', 'Blau', false]);
  const other = await get(`/competitions/rankings?competitionId=${league.competitionId}&teamId=${rot}`);
  expect(other).toMatchObject({ status: 400, errors: [{ parameter: 'teamId', code: 'contradiction' }] });
});

test('matches of a bracket have their day, venue and status of the result, and level legs without a shoot-out are open', async () => {
  const cup = await playLeague(owner, ['Eins', 'Zwei'], { name: 'Pokal', type: 'CUP' });
  const { played, step } = scoring(owner, cup);
  const stages = `/competitions/seasons/${cup.seasonId}/stages`;
  const { id: stageId } = await createResource(owner, stages, { name: 'Finals', type: 'KNOCKOUT', legs: 2 });
  const facts = { stageId, tieId: 'F', timeZone: 'Europe/Berlin', venue: { name: 'Stadion am Wald', city: 'Bochum' } };
  await played([0, 1], [2, 1], { ...facts, leg: 1, startTime: '2026-09-05T13:30:00Z' });
  const second = await played([1, 0], [1, 0], { ...facts, leg: 2, startTime: '2026-09-12T22:30:00Z' });
  const path = `/competitions/seasons/${cup.seasonId}/bracket`;
  const tie = async () => (await get(path)).rounds[0].ties[0];
  expect(await tie()).toMatchObject({
    aggregate: [2, 2],
    advanced: null,
    matches: [
      {
        date: '2026-09-05',
        timeZone: 'Europe/Berlin',
        venue: { name: 'Stadion am Wald', city: 'Bochum' },
        result: { status: 'OFFICIAL' },
      },
      { date: '2026-09-13' },
    ],
  });
  await step(second.id, 'annul', { reason: 'Ineligible player' });
  expect((await tie()).matches[1]).toMatchObject({ result: { status: 'ANNULLED' } });
});

test('a match has its parts on request, and rows have titles, the parent, its score, and how the match ended', async () => {
  const facts = { name: 'Liga der Kämpfe', sport: 'COMBAT', discipline: 'BOXING' };
  const own = await playLeague(owner, ['Nord', 'Süd'], facts);
  const sides = own.participants.map((participantId) => ({ participantId }));
  const match = { seasonId: own.seasonId, participants: sides };
  const parent = await createResource(owner, '/competitions/matches', { ...match, titles: ['City title'] });
  await owner.post(`/competitions/matches/${parent.id}/start`);
  const fighters = (await enterRepresentatives(owner, own, ['Ali', 'Can'])).map((participantId) => ({ participantId }));
  const bout = await createResource(owner, '/competitions/matches', {
    ...match,
    participants: fighters,
    parentMatchId: parent.id,
    startTime: '2026-09-05T18:00:00Z',
    status: 'FINISHED',
    result: {
      status: 'OFFICIAL',
      endedBy: { method: 'KO_TKO', period: 3, clockMs: 92_000 },
      participants: fighters.map((fighter, index) => ({ ...fighter, outcome: index === 1 ? 'WIN' : 'LOSS' })),
    },
  });
  const path = `/competitions/matches/${parent.id}`;
  expect((await get(path)).subMatches).toBeUndefined();
  const endedBy = { method: 'KO_TKO', period: 3, clockMs: 92_000 };
  expect(await get(`${path}?include=subMatches`)).toMatchObject({
    titles: ['City title'],
    subMatchScore: [0, 1],
    subMatches: [
      { id: bout.id, result: { status: 'OFFICIAL', endedBy, participants: [{ outcome: 'LOSS' }, { outcome: 'WIN' }] } },
    ],
  });
  const rows = await get(`/competitions/matches?seasonId=${own.seasonId}&sort=-startTime`);
  expect(rows.data).toMatchObject([
    { id: bout.id, parentMatch: { id: parent.id }, subMatchScore: null, result: { endedBy } },
    { id: parent.id, parentMatch: null, subMatchScore: [0, 1], titles: ['City title'] },
  ]);
  const calendar = await platform.anonymous.get(`/competitions/matches.ics?ids=${bout.id}`);
  expect(String(calendar.body)).toContain('SUMMARY:Ali – Can (Can wins)');
});

test('a list of seasons has their winners on request', async () => {
  const cup = await playLeague(owner, ['Eins', 'Zwei', 'Drei'], { name: 'Serie', type: 'CUP' }, { name: '2026' });
  const seasons = [cup];
  for (const year of [2027, 2028]) {
    const dates = { startDate: `${year}-01-01`, endDate: `${year}-12-31`, status: 'IN_PROGRESS' };
    const season = { competitionId: cup.competitionId, name: String(year), ...dates };
    const { id: seasonId } = await createResource(owner, '/competitions/seasons', season);
    const participants: string[] = [];
    for (const teamId of cup.teams) {
      const entered = await createResource(owner, `/competitions/seasons/${seasonId}/participants`, { type: 'TEAM', teamId });
      participants.push(entered.id);
    }
    seasons.push({ ...cup, seasonId, participants });
  }
  for (const [index, season] of seasons.entries()) {
    const path = `/competitions/seasons/${season.seasonId}`;
    const { id: stageId } = await createResource(owner, `${path}/stages`, { name: 'Final', type: 'KNOCKOUT' });
    await scoring(owner, season).played([index, (index + 1) % 3], [2, 0], { stageId });
    if (index < 2) await owner.post(`${path}/finish`);
  }
  const list = `/competitions/seasons?competitionId=${cup.competitionId}&sort=startDate`;
  expect((await get(list)).data[0].winner).toBeUndefined();
  const { data } = await get(`${list}&include=winner`);
  expect(data.map(({ name, winner }: { name: string; winner: { name: string } | null }) => [name, winner?.name])).toEqual([
    ['2026', 'Eins'],
    ['2027', 'Zwei'],
    ['2028', undefined],
  ]);
});

test.each([
  ['date=today&dateFrom=2199-12-24', 'date'],
  ['date=2026-09-05&dateTo=2026-09-04', 'date'],
  ['live=true&status=FINISHED', 'status'],
  ['live=false&status=IN_PLAY,PAUSED', 'status'],
  ['last=3&status=TIMED', 'status'],
  ['next=3&status=FINISHED', 'status'],
  ['next=3&live=true', 'next'],
  ['next=3&sort=startTime', 'sort'],
  ['last=3&sort=-startTime', 'sort'],
  [`parentMatchId=${unknownId}&partOfMatch=false`, 'partOfMatch'],
  [`teamId=${unknownId}&opponentId=${unknownId}`, 'opponentId'],
])('matches with %s can match nothing and are rejected', async (query, parameter) => {
  const { status, detail, errors } = await get(`/competitions/matches?${query}`);
  expect([status, errors]).toMatchObject([400, [{ parameter, code: 'contradiction' }]]);
  expect(detail).toBe(errors[0].detail);
});

test.each([
  'date=today&dateFrom=2020-01-01&dateTo=2199-01-01',
  'date=2026-09-05&dateFrom=2026-09-05&dateTo=2026-09-05',
  'live=true&status=IN_PLAY,FINISHED',
  'last=3&status=FINISHED',
  'next=3&live=false',
])('matches with %s can match', async (query) => {
  expect((await platform.anonymous.get(`/competitions/matches?${query}`)).status).toBe(200);
});

test('several wrong parameters are counted, and each is listed', async () => {
  const { detail, errors } = await get('/competitions/matches?next=1&last=1&timeZone=Europe/Berlin');
  expect([detail, errors.length]).toEqual(['3 parameters are invalid; see `errors`.', 3]);
});

test('a 404 of a query names the parameter, and a team has no record against itself', async () => {
  const [rot] = league.teams;
  const compared = `/competitions/head-to-head?teamId=${rot}&opponentId=`;
  expect(await get(`${compared}${rot}`)).toMatchObject({
    status: 400,
    errors: [{ parameter: 'opponentId', code: 'contradiction' }],
  });
  const details = [
    [compared + unknownId, '`teamId` or `opponentId`'],
    [`/competitions/rankings?seasonId=${unknownId}`, '`seasonId`'],
    [`/competitions/rankings?seasonId=${league.seasonId}&stageId=${unknownId}`, '`seasonId` or `stageId`'],
  ] as const;
  for (const [path, names] of details) {
    const detail = `There is no resource with this ${names}, or it is not visible to you.`;
    expect(await get(path)).toMatchObject({ status: 404, code: 'not_found', detail });
  }
});
