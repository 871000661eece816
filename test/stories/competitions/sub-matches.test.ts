/** Matches that are part of another match: Davis Cup ties with singles and doubles, and team contests by points. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague, type League } from './leagues.ts';
import { createResource } from './season-fixtures.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Federation' });
});
afterAll(() => platform.close());

interface Team {
  readonly id: string;
  readonly players: readonly string[];
  readonly pair: string;
}

async function enter(seasonId: string, participant: object): Promise<string> {
  return (await createResource(owner, `/competitions/seasons/${seasonId}/participants`, participant)).id;
}

/** Two players and their pair for each team of a season. */
async function enterPlayers(league: League, sport: string): Promise<Team[]> {
  const teams: Team[] = [];
  for (const [index, id] of league.participants.entries()) {
    const athletes: string[] = [];
    for (const name of ['First', 'Second']) {
      const facts = { displayName: `${name} of ${index}`, sex: 'MALE', birthYear: 2000, nationalities: ['DE'], status: 'ACTIVE' };
      athletes.push((await createResource(owner, '/athletes', { ...facts, sports: [{ sport, primary: true }] })).id);
    }
    const represents = { representsTeamId: league.teams[index] };
    const players: string[] = [];
    for (const athleteId of athletes) players.push(await enter(league.seasonId, { type: 'ATHLETE', athleteId, ...represents }));
    const pair = await enter(league.seasonId, { type: 'PAIR', memberIds: athletes, ...represents });
    teams.push({ id, players, pair });
  }
  return teams;
}

const side = (participantId: string | undefined) => ({ participantId });

interface Part {
  readonly sides: readonly (string | undefined)[];
  readonly result: object;
}

/** Adds a finished part to a match. */
async function addPart(seasonId: string, parentMatchId: string, { sides, result }: Part): Promise<string> {
  const participants = sides.map(side);
  const given = { status: 'OFFICIAL', participants, ...result };
  return (
    await createResource(owner, '/competitions/matches', {
      seasonId,
      parentMatchId,
      participants,
      status: 'FINISHED',
      result: given,
    })
  ).id;
}

/** Starts a match, ends it, and certifies the result that follows from its parts. */
async function decide(matchId: string, sides: readonly (string | undefined)[]) {
  const path = `/competitions/matches/${matchId}`;
  const put = await owner.send(`${path}/result`, {
    method: 'PUT',
    body: JSON.stringify({ participants: sides.map(side) }),
    headers: { 'content-type': 'application/json', 'if-none-match': '*' },
  });
  expect([put.status, put.body.errors]).toEqual([200, undefined]);
  await owner.post(`${path}/finish`);
  const { body } = await owner.post(`${path}/result/certify`);
  return body;
}

test('a Davis Cup tie: two singles, a doubles and two more singles, 3-1', async () => {
  const facts = { name: 'Davis Cup', sport: 'TENNIS', type: 'CUP' };
  const cup = await playLeague(owner, ['Italien', 'Niederlande', 'Australien', 'Deutschland'], facts);
  const stage = await createResource(owner, `/competitions/seasons/${cup.seasonId}/stages`, {
    name: 'Finals',
    type: 'KNOCKOUT',
  });
  const [italy, netherlands, ...others] = await enterPlayers(cup, 'TENNIS');
  const sides = [italy?.id, netherlands?.id];
  const fixture = (participants: readonly (string | undefined)[]) => ({
    seasonId: cup.seasonId,
    stageId: stage.id,
    round: 'Semi-final',
    startTime: '2026-11-24T10:00:00Z',
    participants: participants.map(side),
  });
  const tie = await createResource(owner, '/competitions/matches', fixture(sides));
  await createResource(owner, '/competitions/matches', fixture(others.map(({ id }) => id)));
  await owner.post(`/competitions/matches/${tie.id}/start`);

  const single = (one: 0 | 1, other: 0 | 1, scoreText: string): Part => ({
    sides: [italy?.players[one], netherlands?.players[other]],
    result: { scoreText },
  });
  const first = await addPart(cup.seasonId, tie.id, single(1, 1, '6-4 6-4'));
  await addPart(cup.seasonId, tie.id, single(0, 0, '6-7(5) 3-6'));
  expect((await owner.get(`/competitions/matches/${tie.id}`)).body).toMatchObject({ subMatchScore: [1, 1], result: null });
  const doubles = { sides: [italy?.pair, netherlands?.pair], result: { scoreText: '7-5 6-4' } };
  await addPart(cup.seasonId, tie.id, doubles);
  await addPart(cup.seasonId, tie.id, single(0, 1, '6-4 6-1'));

  expect(await decide(tie.id, sides)).toMatchObject({
    status: 'OFFICIAL',
    participants: [
      { outcome: 'WIN', score: 3 },
      { outcome: 'LOSS', score: 1 },
    ],
  });
  const parts = await platform.anonymous.get(`/competitions/matches?parentMatchId=${tie.id}`);
  expect(parts.body.data).toHaveLength(4);
  expect(parts.body.data[0]).toMatchObject({ stage: { id: stage.id }, result: { participants: [{ score: 2 }, { score: 0 }] } });
  expect((await platform.anonymous.get(`/competitions/matches/${first}`)).body.parentMatch).toEqual({ id: tie.id });
  const whole = await platform.anonymous.get(`/competitions/matches?seasonId=${cup.seasonId}&partOfMatch=false`);
  expect(whole.body.data).toHaveLength(2);
  const bracket = await platform.anonymous.get(`/competitions/seasons/${cup.seasonId}/bracket`);
  expect(bracket.body.rounds.flatMap(({ ties }: { ties: object[] }) => ties)).toHaveLength(2);
  const { body } = await platform.anonymous.graphql(
    `query ($id: ID!) { match(id: $id) { subMatches { parentMatch { id } } subMatchScore } }`,
    { id: tie.id },
  );
  expect(body.data.match).toMatchObject({ subMatchScore: [3, 1] });
  expect(body.data.match.subMatches).toHaveLength(4);
});

test('a group of ties: the table counts ties and matches won, and no players', async () => {
  const facts = { name: 'Davis Cup groups', sport: 'TENNIS', type: 'CUP' };
  const cup = await playLeague(owner, ['Belgien', 'Chile'], facts);
  const groups = { name: 'Group stage', type: 'GROUP', groups: ['A'] };
  const stage = await createResource(owner, `/competitions/seasons/${cup.seasonId}/stages`, groups);
  const [one, other] = await enterPlayers(cup, 'TENNIS');
  const participants = [side(one?.id), side(other?.id)];
  const tie = await createResource(owner, '/competitions/matches', {
    seasonId: cup.seasonId,
    stageId: stage.id,
    group: 'A',
    matchday: 1,
    participants,
  });
  await owner.post(`/competitions/matches/${tie.id}/start`);
  for (const [index, scoreText] of ['6-1 6-1', '6-2 6-2', '4-6 4-6'].entries()) {
    const sides = [one?.players[index] ?? one?.pair, other?.players[index] ?? other?.pair];
    await addPart(cup.seasonId, tie.id, { sides, result: { scoreText } });
  }
  await decide(tie.id, [one?.id, other?.id]);
  const { body } = await platform.anonymous.get(`/competitions/rankings?stageId=${stage.id}`);
  expect(body.data).toMatchObject([
    { participant: { name: 'Belgien' }, matchesPlayed: 1, won: 1, setsWon: 2, setsLost: 1 },
    { participant: { name: 'Chile' }, matchesPlayed: 1, lost: 1 },
  ]);
  expect(body.data).toHaveLength(2);
});

test('a wrestling league: the points of the bouts add up to the score', async () => {
  const facts = { name: 'Bundesliga', sport: 'COMBAT', discipline: 'WRESTLING', rankingRules: { ruleSet: 'FOOTBALL' } };
  const league = await playLeague(owner, ['Burghausen', 'Kleinostheim'], facts);
  const [one, other] = await enterPlayers(league, 'COMBAT');
  const contest = await createResource(owner, '/competitions/matches', {
    seasonId: league.seasonId,
    format: { subMatchScoring: 'POINTS' },
    participants: [side(one?.id), side(other?.id)],
  });
  await owner.post(`/competitions/matches/${contest.id}/start`);
  const bout = (index: 0 | 1, points: readonly [number, number]): Part => {
    const sides = [one?.players[index], other?.players[index]];
    const outcome = points[0] > points[1] ? 'WIN' : 'LOSS';
    const participants = sides.map((participantId, place) => ({
      participantId,
      points: points[place],
      ...(place === 0 && { outcome }),
    }));
    return { sides, result: { participants } };
  };
  await addPart(league.seasonId, contest.id, bout(0, [4, 0]));
  await addPart(league.seasonId, contest.id, bout(1, [1, 3]));
  const result = await decide(contest.id, [one?.id, other?.id]);
  expect(result.participants).toMatchObject([
    { score: 5, outcome: 'WIN' },
    { score: 3, outcome: 'LOSS' },
  ]);
});

test('a part has the stage of its match, is no match of a tie, has no parts, and keeps the match from being deleted', async () => {
  const league = await playLeague(owner, ['Eins', 'Zwei'], { name: 'Ligen', sport: 'TENNIS' });
  const teams = await enterPlayers(league, 'TENNIS');
  const participants = teams.map(({ pair }) => side(pair));
  const make = (facts: object) => owner.post('/competitions/matches', { seasonId: league.seasonId, participants, ...facts });
  const { body: parent } = await make({ matchday: 3, participants: league.participants.map(side) });
  const { body: part } = await make({ parentMatchId: parent.id });
  expect([part.matchday, part.stage.id]).toEqual([3, parent.stage.id]);
  const codes = async (facts: object) => (await make(facts)).body.errors.map(({ code }: { code: string }) => code);
  expect(await codes({ parentMatchId: part.id })).toEqual(['nested']);
  expect(await codes({ parentMatchId: parent.id, tieId: 'A' })).toEqual(['not_in_tie']);
  expect(await codes({ parentMatchId: parent.id, participants: [...participants, { bye: true }] })).toContain('two_sides');
  expect(await codes({ parentMatchId: '00000000-0000-4000-8000-000000000000' })).toEqual(['unknown_match']);
  const foreign = await playLeague(owner, ['Drei'], { name: 'Andere', sport: 'TENNIS' });
  expect(await codes({ seasonId: foreign.seasonId, participants: [], parentMatchId: parent.id })).toContain('unknown_match');
  const deletion = await owner.delete(`/competitions/matches/${parent.id}`, { 'if-match': '*' });
  expect(deletion.body).toMatchObject({ status: 409, code: 'in_use' });
  await owner.delete(`/competitions/matches/${part.id}`, { 'if-match': '*' });
  expect((await owner.delete(`/competitions/matches/${parent.id}`, { 'if-match': '*' })).status).toBe(200);
});
