/** The clock of a match, its periods, and the statistics of both sides. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague } from './leagues.ts';
import { scored, scoring } from './scores.ts';
import { createSeason } from './season-fixtures.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'League' });
});
afterAll(() => platform.close());

const put = (path: string, body: object, headers: Record<string, string> = { 'if-match': '*' }) =>
  owner.send(path, { method: 'PUT', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } });

test('the clock starts, stops and continues with the match, and names its periods', async () => {
  const league = await playLeague(owner, ['Heim', 'Gast']);
  const at = scoring(owner, league);
  const match = await at.fixture([0, 1]);
  const step = async (verb: string, body?: object) => (await owner.post(`${at.path(match.id)}/${verb}`, body)).body.clock;
  expect((await owner.get(at.path(match.id))).body.clock).toBeNull();
  expect(await step('start')).toMatchObject({ period: 1, periodTitle: '1st half', clockMs: 0, running: true });
  const set = await put(`${at.path(match.id)}/clock`, { period: 1, clockMs: 2_700_000 });
  expect(set.body.clock).toMatchObject({ clockMs: 2_700_000, running: true });
  const paused = await step('pause');
  expect(paused).toMatchObject({ period: 1, running: false });
  expect(paused.clockMs).toBeGreaterThanOrEqual(2_700_000);
  expect(await step('resume')).toMatchObject({ period: 1, running: true, clockMs: paused.clockMs });
  await step('pause');
  expect(await step('resume', { period: 2 })).toMatchObject({ period: 2, periodTitle: '2nd half', clockMs: 0, running: true });
  expect(await step('extra-time')).toMatchObject({ period: 3, periodTitle: 'Extra time 1', clockMs: 0 });
  expect(await step('finish')).toMatchObject({ period: 3, running: false });
  const late = await put(`${at.path(match.id)}/clock`, { period: 2, clockMs: 0 });
  expect(late.body).toMatchObject({ status: 409, code: 'invalid_transition' });
});

test('periods have the names of the sport, and races have no clock', async () => {
  const titleOf = async (facts: object, period: number, match: object = {}) => {
    const league = await playLeague(owner, ['A', 'B'], facts);
    const at = scoring(owner, league);
    const { id } = await at.begun([0, 1], match);
    return (await put(`${at.path(id)}/clock`, { period, clockMs: 0, running: false })).body.clock.periodTitle;
  };
  expect(await titleOf({ name: 'Basketball', sport: 'BASKETBALL' }, 4)).toBe('4th quarter');
  expect(await titleOf({ name: 'Overtime', sport: 'BASKETBALL' }, 6)).toBe('Overtime 2');
  expect(await titleOf({ name: 'Volleyball', sport: 'VOLLEYBALL' }, 3)).toBe('Set 3');
  expect(await titleOf({ name: 'Beach', sport: 'FOOTBALL', discipline: 'BEACH' }, 3, { format: { periods: 3 } })).toBe(
    '3rd period',
  );
  const { season } = await createSeason(owner, { name: 'Meet', sport: 'SWIMMING', type: 'MEET' });
  await owner.post(`/competitions/seasons/${season.id}/start`);
  const facts = { name: 'Final', type: 'FINAL' };
  const { body: stage } = await owner.post(`/competitions/seasons/${season.id}/stages`, facts);
  const { body: race } = await owner.post('/competitions/matches', { seasonId: season.id, stageId: stage.id });
  expect((await owner.post(`/competitions/matches/${race.id}/start`)).body.clock).toBeNull();
  const { body } = await put(`/competitions/matches/${race.id}/clock`, { period: 1, clockMs: 0 });
  expect(body).toMatchObject({ status: 422, errors: [{ code: 'not_in_sport' }] });
});

test('a match that an import finishes has a stopped clock', async () => {
  const league = await playLeague(owner, ['Nord', 'West']);
  const participants = league.participants.map((participantId) => ({ participantId }));
  const externalIds = [{ scheme: 'TEST', value: 'clock-1' }];
  const item = { seasonId: league.seasonId, participants, externalIds };
  const { body } = await owner.post('/competitions/matches', item);
  await owner.post(`/competitions/matches/${body.id}/start`);
  const result = scored(league.participants, 1, 0);
  await owner.post('/competitions/matches/batch', { items: [{ ...item, status: 'FINISHED', result }] });
  expect((await owner.get(`/competitions/matches/${body.id}`)).body).toMatchObject({
    status: 'FINISHED',
    clock: { running: false },
  });
});

test('actions of a period are in the order of the game clock', async () => {
  const league = await playLeague(owner, ['Eins', 'Zwei'], { name: 'BBL', sport: 'BASKETBALL' });
  const at = scoring(owner, league);
  const { id } = await at.begun([0, 1]);
  for (const clockMs of [95_000, 12_400, 61_000])
    await owner.post(`${at.path(id)}/actions`, { type: 'TWO_POINTS', period: 1, clockMs, participantId: league.participants[0] });
  const { actions } = (await owner.get(at.path(id))).body;
  expect(actions.map(({ clockMs }: { clockMs: number }) => clockMs)).toEqual([12_400, 61_000, 95_000]);
});

test('statistics of the sides add up over a season: sums, means of shares, ratios of sums', async () => {
  const league = await playLeague(owner, ['Rot', 'Blau']);
  const at = scoring(owner, league);
  const play = async (statistics: readonly (readonly object[])[], status = 'OFFICIAL') => {
    const { id } = await at.fixture([0, 1]);
    const participants = league.participants.map((participantId, side) => ({
      participantId,
      score: 0,
      statistics: statistics[side],
    }));
    const { body } = await owner.post('/competitions/results/batch', { items: [{ matchId: id, status, participants }] });
    return { id, body };
  };
  const side = (possessionPct: number, passes: number, passesCompleted: number, expectedGoals: number) =>
    Object.entries({ possessionPct, passes, passesCompleted, expectedGoals }).map(([metric, value]) => ({ metric, value }));
  const { id } = await play([side(60, 500, 450, 1.52), side(40, 300, 200, 0.71)]);
  await play([side(50, 500, 400, 2.08), []]);
  const { body: result } = await platform.anonymous.get(`/competitions/matches/${id}/result`);
  expect(result.participants[0].statistics).toEqual([
    { metric: 'possessionPct', value: 60 },
    { metric: 'expectedGoals', value: 1.52 },
    { metric: 'passes', value: 500 },
    { metric: 'passesCompleted', value: 450 },
  ]);
  const { body } = await platform.anonymous.get(`/competitions/seasons/${league.seasonId}/team-statistics`);
  expect(body.data).toMatchObject([
    {
      name: 'Rot',
      statistics: [
        { metric: 'possessionPct', value: 55, matches: 2 },
        { metric: 'expectedGoals', value: 3.6, matches: 2 },
        { metric: 'passes', value: 1000, matches: 2 },
        { metric: 'passesCompleted', value: 850, matches: 2 },
        { metric: 'passAccuracyPct', value: 85, matches: 2 },
      ],
    },
    { name: 'Blau', statistics: [{ matches: 1 }, {}, {}, {}, { metric: 'passAccuracyPct', value: 66.67 }] },
  ]);
  const codes = async (statistics: readonly object[]) => {
    const rejected = await play([statistics, []]);
    return rejected.body.data[0].error.errors.map(({ code }: { code: string }) => code);
  };
  expect(await codes([{ metric: 'posession', value: 1 }])).toEqual(['unknown_team_metric']);
  expect(await codes([{ metric: 'possessionPct', value: 101 }])).toEqual(['out_of_range']);
  expect(await codes([{ metric: 'corners', value: 1.5 }])).toEqual(['not_an_integer']);
  expect(await codes([side(1, 1, 1, 1)[0] ?? {}, side(1, 1, 1, 1)[0] ?? {}])).toEqual(['duplicate']);
});
