/** What meets and contests record besides marks and scores: scorecards, titles, legs of relays, points of teams. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague } from './leagues.ts';
import { createResource, createSeason, createTeam, createTestAthlete } from './season-fixtures.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Meets' });
});
afterAll(() => platform.close());

const read = async (path: string) => (await platform.anonymous.get(path)).body;

test('a title fight on points, with the scorecards of three judges', async () => {
  const facts = { name: 'Night of the belts', sport: 'COMBAT', discipline: 'BOXING', type: 'SERIES' };
  const { path, season } = await createSeason(owner, facts);
  const sides: string[] = [];
  for (const displayName of ['Rot', 'Blau']) {
    const athlete = await createTestAthlete(owner, displayName, {
      birthYear: 1995,
      status: 'ACTIVE',
      sports: [{ sport: 'COMBAT' }],
    });
    sides.push((await createResource(owner, `${path}/participants`, { type: 'ATHLETE', athleteId: athlete.id })).id);
  }
  const participants = sides.map((participantId) => ({ participantId }));
  const cards = (scores: readonly (readonly number[])[]) =>
    scores.map((periodScores, index) => ({ judge: `Judge ${index + 1}`, periodScores }));
  const [red, blue] = [
    cards([
      [10, 9, 10],
      [9, 9, 10],
      [10, 10, 10],
    ]),
    cards([
      [9, 10, 9],
      [10, 10, 9],
      [9, 9, 9],
    ]),
  ];
  const result = {
    status: 'OFFICIAL',
    endedBy: { method: 'DECISION_SPLIT', period: 3 },
    participants: [
      { participantId: sides[0], outcome: 'WIN', scorecards: red },
      { participantId: sides[1], scorecards: blue },
    ],
  };
  const bout = { seasonId: season.id, participants, titles: ['WBC heavyweight'], status: 'FINISHED' };
  const { id } = await createResource(owner, '/competitions/matches', { ...bout, result });
  const match = await read(`/competitions/matches/${id}`);
  expect(match.titles).toEqual(['WBC heavyweight']);
  const { body } = await platform.anonymous.get(`/competitions/matches/${id}/result`);
  expect(
    body.participants.map(({ scorecards }: { scorecards: { total: number }[] }) => scorecards.map(({ total }) => total)),
  ).toEqual([
    [29, 28, 30],
    [28, 29, 27],
  ]);

  const [card] = blue;
  const violations = async (scorecards: readonly object[]) => {
    const changed = { ...result, participants: [result.participants[0], { ...result.participants[1], scorecards }] };
    const { body: problem } = await owner.post('/competitions/matches', { ...bout, result: changed });
    return problem.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${code} ${pointer}`);
  };
  expect(await violations([])).toEqual(['judges_differ /result/participants/1/scorecards']);
  expect(await violations([{ ...card, judge: 'Other' }, ...blue.slice(1)])).toEqual([
    'judges_differ /result/participants/1/scorecards/0/judge',
  ]);
  expect(await violations([{ ...card, periodScores: [9] }, ...blue.slice(1)])).toEqual([
    'periods_differ /result/participants/1/scorecards/0/periodScores',
  ]);
});

test('scorecards are for combat sports', async () => {
  const league = await playLeague(owner, ['Eins', 'Zwei']);
  const participants = league.participants.map((participantId) => ({ participantId, score: 1, scorecards: [{ judge: 'A' }] }));
  const { body } = await owner.post('/competitions/matches', {
    seasonId: league.seasonId,
    participants: league.participants.map((participantId) => ({ participantId })),
    status: 'FINISHED',
    result: { participants },
  });
  expect(body.errors).toMatchObject([{ code: 'not_in_sport' }]);
});

test('a relay: each swimmer has the splits of a leg', async () => {
  const { path, season } = await createSeason(owner, { name: 'Relays', sport: 'SWIMMING', type: 'MEET', category: 'WOMEN' });
  const contest = await createResource(owner, `${path}/contests`, { name: '4 x 100 m', eventCode: '4X100_FREE', relay: true });
  const stage = await createResource(owner, `${path}/stages`, { contestId: contest.id, name: 'Final', type: 'FINAL' });
  const memberIds: string[] = [];
  for (const name of ['One', 'Two', 'Three', 'Four']) memberIds.push((await createTestAthlete(owner, name)).id);
  const relay = { contestId: contest.id, type: 'RELAY', name: 'Club', memberIds };
  const { id: participantId } = await createResource(owner, `${path}/participants`, relay);
  const swim = async (splits: readonly number[], value: number) => {
    const { id } = await createResource(owner, '/competitions/matches', {
      seasonId: season.id,
      stageId: stage.id,
      participants: [{ participantId, lineup: memberIds.map((athleteId) => ({ athleteId })) }],
      status: 'FINISHED',
      result: { participants: [{ participantId, mark: { value }, splits }] },
    });
    const { body } = await platform.anonymous.get(`/competitions/matches/${id}/result`);
    return body.participants[0].legs;
  };
  const splits = [26_000, 28_000, 25_500, 28_100, 25_900, 28_300, 25_100, 27_400];
  const legs = await swim(splits, 214_300);
  expect(legs).toMatchObject([
    { number: 1, athlete: { displayName: 'One' }, value: 54_000, splits: [26_000, 28_000] },
    { number: 2, athlete: { displayName: 'Two' }, value: 53_600 },
    { number: 3, athlete: { displayName: 'Three' }, value: 54_200 },
    { number: 4, athlete: { displayName: 'Four' }, value: 52_500 },
  ]);
  expect(await swim(splits.slice(0, 7), 186_900)).toEqual([]);
  expect(await swim(splits, 214_400)).toEqual([]);
});

test('a meet is won by the team whose members have the most points', async () => {
  const rankingRules = { method: 'POINTS_BEST_N', best: 100, pointsOf: 'TEAMS' };
  const { path, season } = await createSeason(owner, { name: 'Dual meet', sport: 'SWIMMING', type: 'MEET', rankingRules });
  const teams: string[] = [];
  for (const name of ['Nord', 'Süd']) {
    const team = await createTeam(owner, name, { sport: 'SWIMMING' });
    teams.push(team.id);
    await createResource(owner, `${path}/participants`, { type: 'TEAM', teamId: team.id });
  }
  for (const [index, points] of [
    [9, 4, 3],
    [2, 9, 4],
  ].entries()) {
    const contest = await createResource(owner, `${path}/contests`, { name: `Race ${index}`, eventCode: '100_FREE' });
    const stage = await createResource(owner, `${path}/stages`, { contestId: contest.id, name: 'Final', type: 'FINAL' });
    const entries: { participantId: string }[] = [];
    for (const [place, representsTeamId] of [teams[0], teams[1], undefined].entries()) {
      const athlete = await createTestAthlete(owner, `Swimmer ${index}.${place}`);
      const entry = {
        contestId: contest.id,
        type: 'ATHLETE',
        athleteId: athlete.id,
        ...(representsTeamId && { representsTeamId }),
      };
      entries.push({ participantId: (await createResource(owner, `${path}/participants`, entry)).id });
    }
    await createResource(owner, '/competitions/matches', {
      seasonId: season.id,
      stageId: stage.id,
      participants: entries,
      status: 'FINISHED',
      result: {
        status: 'OFFICIAL',
        participants: entries.map((entry, place) => ({ ...entry, mark: { value: 60_000 + place }, points: points[place] })),
      },
    });
  }
  const { data } = await read(`/competitions/rankings?seasonId=${season.id}`);
  const sums = data.filter(({ method }: { method: string }) => method === 'POINTS_BEST_N');
  expect(sums).toMatchObject([
    { position: 1, participant: { name: 'Süd' }, points: 13 },
    { position: 2, participant: { name: 'Nord' }, points: 11 },
  ]);
  expect(sums).toHaveLength(2);
});

test('the Top 14 rewards three more tries than the opponent, and a loss by at most five points', async () => {
  const facts = { name: 'Top 14', sport: 'RUGBY', rankingRules: { ruleSet: 'RUGBY_TOP_14' } };
  const league = await playLeague(owner, ['Toulouse', 'Lyon', 'Pau'], facts);
  const play = async (sides: readonly number[], scores: readonly number[], tries: readonly number[]) => {
    const ids = sides.map((side) => league.participants[side]);
    await createResource(owner, '/competitions/matches', {
      seasonId: league.seasonId,
      participants: ids.map((participantId) => ({ participantId })),
      status: 'FINISHED',
      result: {
        status: 'OFFICIAL',
        participants: ids.map((participantId, side) => ({ participantId, score: scores[side], tries: tries[side] })),
      },
    });
  };
  await play([0, 1], [35, 30], [5, 2]);
  await play([1, 2], [28, 22], [4, 2]);
  const { data } = await read(`/competitions/rankings?seasonId=${league.seasonId}`);
  expect(data).toMatchObject([
    { participant: { name: 'Toulouse' }, points: 5, bonusPoints: 1 },
    { participant: { name: 'Lyon' }, points: 5, bonusPoints: 1 },
    { participant: { name: 'Pau' }, points: 0, bonusPoints: 0 },
  ]);
});
