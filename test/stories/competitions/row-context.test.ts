/** Rows name their competition, season and stage, and the participants of a match, without further requests. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createResource, createSeason, createTestAthlete } from './season-fixtures.ts';
import { playLeague, type League } from './leagues.ts';
import { scoring, type Fixture } from './scores.ts';

let platform: TestPlatform;
let owner: Client;
let league: League;
let match: Fixture;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'League' });
  league = await playLeague(owner, ['Rot', 'Blau']);
  const stage = await createResource(owner, `/competitions/seasons/${league.seasonId}/stages`, {
    type: 'LEAGUE',
    name: 'Main round',
  });
  match = await scoring(owner, league).played([0, 1], [2, 1], { stageId: stage.id, startTime: '2026-09-05T13:30:00Z' });
  await platform.settled();
});
afterAll(() => platform.close());

const firstRow = async (path: string) => {
  const { status, body } = await owner.get(path);
  expect({ status, body }).toMatchObject({ status: 200, body: { data: expect.arrayContaining([expect.anything()]) } });
  return body.data[0];
};

const season = () => ({ id: league.seasonId, name: '2026/27' });
const competition = () => ({ id: league.competitionId, name: 'Landesliga', imageUrl: null });
const context = () => ({
  id: match.id,
  startTime: '2026-09-05T13:30:00.000Z',
  stage: { name: 'Main round' },
  season: { ...season(), competition: competition() },
});

test('a result has the season with its competition', async () => {
  expect((await firstRow(`/competitions/results?seasonId=${league.seasonId}`)).match).toMatchObject(context());
});

test('a row of a table has its season and competition on request, now, at a date and for a team', async () => {
  const path = `/competitions/rankings?include=season,competition&seasonId=${league.seasonId}`;
  for (const more of ['', '&asOf=2026-12-31', `&teamId=${league.teams[0]}`])
    expect(await owner.get(path + more)).toMatchObject({
      status: 200,
      body: { data: expect.arrayContaining([expect.objectContaining({ season: season() })]) },
    });
  expect(await firstRow(path)).toMatchObject({ competition: competition(), participant: { name: 'Rot' } });
});

test('a ranking over seasons has the competition and no season', async () => {
  const rules = { ruleSet: 'TENNIS', best: 3 };
  const tour = await playLeague(owner, ['Grün', 'Gelb'], {
    name: 'Tour',
    sport: 'TENNIS',
    type: 'TOURNAMENT',
    rankingRules: rules,
  });
  const at = scoring(owner, tour);
  const date = new Date(Date.now() - 86_400_000).toISOString();
  const { id, sides } = await at.fixture([0, 1], { startTime: date });
  await at.finish({ id, sides });
  const participants = sides.map((participantId, index) => ({ participantId, score: 2 - 2 * index, points: 10 - index }));
  expect((await at.put(id, { participants })).status).toBe(200);
  expect((await at.step(id, 'certify')).status).toBe(200);
  const row = await firstRow(`/competitions/rankings?include=season,competition&competitionId=${tour.competitionId}`);
  expect(row).toMatchObject({ season: null, competition: { id: tour.competitionId, name: 'Tour' } });
  expect(row.countingResults[0].match).toMatchObject({ id, season: { name: '2026/27', competition: { name: 'Tour' } } });
});

test('best marks and the results of an athlete have the season, the competition and the match', async () => {
  const athlete = await createTestAthlete(owner, 'Ada Crawl');
  const swim = await createSeason(owner, { name: 'Open Water', sport: 'SWIMMING', type: 'MEET', category: 'WOMEN' });
  const contest = await createResource(owner, `${swim.path}/contests`, { name: '50 m freestyle', eventCode: '50_FREE' });
  const stage = await createResource(owner, `${swim.path}/stages`, { contestId: contest.id, type: 'FINAL', name: 'Final' });
  const entry = { type: 'ATHLETE', athleteId: athlete.id, contestId: contest.id };
  const participant = await createResource(owner, `${swim.path}/participants`, entry);
  const sides = [{ participantId: participant.id }];
  const heat = await createResource(owner, '/competitions/matches', {
    seasonId: swim.season.id,
    stageId: stage.id,
    participants: sides,
  });
  for (const verb of ['start', 'finish']) await owner.post(`/competitions/matches/${heat.id}/${verb}`);
  const result = { participants: [{ participantId: participant.id, mark: { text: '25.10' } }] };
  const at = scoring(owner, league);
  expect((await at.put(heat.id, result)).status).toBe(200);
  expect((await at.step(heat.id, 'certify')).status).toBe(200);
  await platform.settled();
  const named = { season: { name: swim.season.name }, competition: { name: 'Open Water' } };
  expect(await firstRow('/competitions/rankings?include=season,competition&sport=SWIMMING&eventCode=50_FREE')).toMatchObject(
    named,
  );
  expect((await firstRow(`/athletes/${athlete.id}/results`)).match).toMatchObject({
    id: heat.id,
    season: { name: swim.season.name, competition: { name: 'Open Water' } },
    stage: { name: 'Final' },
    participants: [{ participant: { athlete: { displayName: 'Ada Crawl' } } }],
  });
});

test('a replay has the names of the match and its participants', async () => {
  const input = { title: 'Highlights', kind: 'HIGHLIGHTS', url: 'https://video.example/1', matchId: match.id };
  const replay = await createResource(owner, '/competitions/replays', input);
  const row = await firstRow(`/competitions/replays?mine=true&ids=${replay.id}`);
  expect(row.match).toMatchObject({
    ...context(),
    participants: [
      { participant: { name: 'Rot', team: { name: 'Rot' } }, side: 'HOME' },
      { participant: { name: 'Blau' }, side: 'AWAY' },
    ],
  });
});
