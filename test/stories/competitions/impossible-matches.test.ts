/** Matches and actions that cannot be, and how a wrongly entered match is corrected or removed. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiResponse, Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague, type League } from './leagues.ts';
import { scored, scoring } from './scores.ts';
import { createResource, createTestAthlete } from './season-fixtures.ts';

let platform: TestPlatform;
let owner: Client;
let league: League;
let at: ReturnType<typeof scoring>;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Matches' });
  league = await playLeague(owner, ['Heim', 'Gast']);
  at = scoring(owner, league);
});
afterAll(() => platform.close());

const always = { 'if-match': '*' };
const violationsOf = ({ body }: ApiResponse): string[] =>
  (body.errors ?? []).map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);

test('a part of a team tie needs players that represent the sides of the tie, in their order', async () => {
  const cup = await playLeague(owner, ['Italien', 'Chile'], { name: 'Cup', sport: 'TENNIS' });
  const players: string[] = [];
  for (const team of [0, 1]) {
    const athlete = await createTestAthlete(owner, `Spieler ${team}`, {
      birthYear: 1999,
      status: 'ACTIVE',
      sports: [{ sport: 'TENNIS' }],
    });
    const facts = { type: 'ATHLETE', athleteId: athlete.id, representsTeamId: cup.teams[team] };
    players.push((await createResource(owner, `/competitions/seasons/${cup.seasonId}/participants`, facts)).id);
  }
  const match = (ids: readonly (string | undefined)[], facts: object = {}) =>
    owner.post('/competitions/matches', {
      seasonId: cup.seasonId,
      participants: ids.map((participantId) => ({ participantId })),
      ...facts,
    });
  const { body: tie } = await match(cup.participants);
  await owner.post(`/competitions/matches/${tie.id}/start`);
  const part = { parentMatchId: tie.id };
  const reversed = await match(players.toReversed(), part);
  expect(violationsOf(reversed)).toEqual([
    '/participants/0/participantId other_side',
    '/participants/1/participantId other_side',
  ]);
  expect(reversed.body.errors[0].detail).toContain(players[1]);
  expect(violationsOf(await match(cup.participants, part))).toContain('/participants/0/participantId side_of_parent');
  const { status, body } = await match(players, part);
  expect(status).toBe(201);
  const [entry] = body.participants;
  const path = `/competitions/matches/${body.id}/participants/${entry.entryId}`;
  expect(violationsOf(await owner.patch(path, { participantId: cup.participants[0] }, always))).toEqual([
    '/participantId side_of_parent',
  ]);
  // Each part has its own clock.
  const parent = await owner.get(`/competitions/matches/${tie.id}`);
  expect(parent.body.clock).toBeNull();
  const clock = {
    method: 'PUT',
    body: '{"period": 1, "clockMs": 0}',
    headers: { 'content-type': 'application/json', ...always },
  };
  expect(violationsOf(await owner.send(`/competitions/matches/${tie.id}/clock`, clock))).toEqual([' has_parts']);
});

describe('an action', () => {
  test('names a player of its side; that of an own goal is the side that scored it', async () => {
    const match = await at.begun([0, 1]);
    const { body } = await owner.get(at.path(match.id));
    for (const [side, { entryId }] of body.participants.entries()) {
      const players = [{ name: `Nummer ${side}`, shirtNumber: 9 }];
      const request = {
        method: 'PUT',
        body: JSON.stringify({ players }),
        headers: { 'content-type': 'application/json', ...always },
      };
      expect((await owner.send(`${at.path(match.id)}/participants/${entryId}/lineup`, request)).status).toBe(200);
    }
    const act = (type: string, side: number) =>
      owner.post(`${at.path(match.id)}/actions`, { type, minute: 5, participantId: match.sides[side], athleteName: 'Nummer 0' });
    expect(violationsOf(await act('GOAL', 1))).toEqual(['/athleteName other_side']);
    const ownGoal = await act('OWN_GOAL', 1);
    expect(violationsOf(ownGoal)).toEqual(['/athleteName other_side']);
    expect(ownGoal.body.detail).toContain('side of the player who scored it');
    expect((await act('OWN_GOAL', 0)).status).toBe(201);
  });

  test('adds one goal to the score before it', async () => {
    const match = await at.begun([0, 1]);
    const act = (type: string, side: number, minute: number, scoreAfter?: readonly number[]) =>
      owner.post(`${at.path(match.id)}/actions`, { type, minute, participantId: match.sides[side], scoreAfter });
    expect((await act('GOAL', 0, 10, [1, 0])).status).toBe(201);
    expect(violationsOf(await act('GOAL', 0, 20, [9, 0]))).toEqual(['/scoreAfter score_sequence']);
    expect(violationsOf(await act('GOAL', 0, 20, [1, 1]))).toEqual(['/scoreAfter score_sequence']);
    expect(violationsOf(await act('OWN_GOAL', 0, 20, [2, 0]))).toContain('/scoreAfter score');
    expect((await act('OWN_GOAL', 0, 20, [1, 1])).status).toBe(201);
    expect((await act('GOAL', 1, 30)).status).toBe(201);
    expect((await act('GOAL', 0, 40, [2, 2])).status).toBe(201);
  });
});

describe('a match', () => {
  const make = (facts: object) =>
    owner.post('/competitions/matches', {
      seasonId: league.seasonId,
      participants: league.participants.map((participantId) => ({ participantId })),
      ...facts,
    });
  const tomorrow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

  test('cannot be finished before it starts', async () => {
    const result = { participants: league.participants.map((participantId) => ({ participantId, score: 1 })) };
    const ahead = await make({ startTime: tomorrow(3), status: 'FINISHED', result });
    expect(violationsOf(ahead)).toEqual(['/startTime in_future']);
    const { body } = await make({ startTime: tomorrow(3) });
    await owner.post(`/competitions/matches/${body.id}/start`);
    const finished = await owner.post(`/competitions/matches/${body.id}/finish`);
    expect(finished.body).toMatchObject({ status: 409, code: 'invalid_transition' });
    expect(finished.body.detail).toContain('cannot be finished yet');
  });

  test('is in its season, with 60 days before and after it', async () => {
    expect(violationsOf(await make({ date: '2024-08-01' }))).toEqual(['/date outside_season']);
    expect((await make({ date: '2026-07-01' })).status).toBe(201);
    const { body } = await make({ date: '2026-09-01' });
    expect(
      violationsOf(await owner.post(`/competitions/matches/${body.id}/schedule`, { startTime: '2029-01-01T12:00:00Z' })),
    ).toEqual(['/startTime outside_season']);
  });

  test('is entered once: a repetition is 409 with the ID of the first', async () => {
    const facts = { startTime: '2026-10-03T13:30:00Z', matchday: 5 };
    const { body } = await make(facts);
    expect((await make(facts)).body).toMatchObject({ status: 409, code: 'conflict', existingId: body.id });
    expect((await make({ ...facts, matchday: 6 })).status).toBe(201);
    expect(
      (await make({ ...facts, participants: league.participants.toReversed().map((participantId) => ({ participantId })) }))
        .status,
    ).toBe(201);
  });

  test('that was entered wrongly is annulled and deleted', async () => {
    const match = await at.played([0, 1], [2, 0]);
    const refused = await owner.delete(at.path(match.id), always);
    expect(refused.body).toMatchObject({ status: 409, code: 'in_use' });
    expect(refused.body.detail).toContain('result/annul');
    await at.step(match.id, 'annul', { reason: 'Entered twice' });
    expect((await owner.delete(at.path(match.id), always)).status).toBe(200);
    expect((await owner.get(at.path(match.id))).status).toBe(404);
    const live = await at.begun([0, 1]);
    expect((await owner.delete(at.path(live.id), always)).body.detail).toContain('Finish or abandon it');
  });

  test('that has started gets a corrected start by PATCH; before, the message names the transition', async () => {
    const { body: open } = await make({ startTime: '2026-10-10T13:30:00Z' });
    const early = await owner.patch(`/competitions/matches/${open.id}`, { startTime: '2026-10-10T15:30:00Z' }, always);
    expect(violationsOf(early)).toEqual(['/startTime not_started']);
    expect(early.body.detail).toContain('schedule');
    const state = await owner.patch(`/competitions/matches/${open.id}`, { status: 'FINISHED' }, always);
    expect(state.body.errors[0].detail).toContain('POST …/{id}/{transition}');
    await at.finish({ id: open.id, sides: [] });
    const corrected = await owner.patch(`/competitions/matches/${open.id}`, { startTime: '2026-10-10T15:30:00Z' }, always);
    expect(corrected.body).toMatchObject({ status: 'FINISHED', startTime: '2026-10-10T15:30:00.000Z', date: '2026-10-10' });
    const ahead = await owner.patch(`/competitions/matches/${open.id}`, { startTime: tomorrow(5) }, always);
    expect(violationsOf(ahead)).toEqual(['/startTime in_future']);
  });

  test('that is finished has no clock to set, and the message does not say to start it', async () => {
    const match = await at.begun([0, 1]);
    await at.finish(match);
    const clock = {
      method: 'PUT',
      body: '{"period": 1, "clockMs": 0}',
      headers: { 'content-type': 'application/json', ...always },
    };
    const { body } = await owner.send(`${at.path(match.id)}/clock`, clock);
    expect(body.detail).toBe('The match is FINISHED, so its clock cannot be set.');
  });

  test('that was awarded without a result keeps its season from being finished', async () => {
    const cup = await playLeague(owner, ['Eins', 'Zwei'], { name: 'Pokal' });
    const { put, step, fixture, path } = scoring(owner, cup);
    const match = await fixture([0, 1]);
    await owner.post(`${path(match.id)}/award`, { reason: 'Withdrawal' });
    const finish = () => owner.post(`/competitions/seasons/${cup.seasonId}/finish`);
    const open = await finish();
    expect([open.status, open.body.code]).toEqual([409, 'invalid_transition']);
    expect(open.body.detail).toContain('1 awarded match without a result');
    await put(match.id, { ...scored(match.sides, 3, 0), endedBy: { method: 'AWARDED' } });
    await step(match.id, 'certify');
    expect((await finish()).status).toBe(200);
  });
});

test('a line-up has one captain and the starters of the sport', async () => {
  const match = await at.fixture([0, 1]);
  const [entry] = (await owner.get(at.path(match.id))).body.participants;
  const players = Array.from({ length: 12 }, (_, index) => ({ name: `Spieler ${index}`, starter: true, captain: index < 2 }));
  const request = {
    method: 'PUT',
    body: JSON.stringify({ players }),
    headers: { 'content-type': 'application/json', ...always },
  };
  const { body } = await owner.send(`${at.path(match.id)}/participants/${entry.entryId}/lineup`, request);
  expect(body.errors).toMatchObject([
    { pointer: '/players/1/captain', code: 'duplicate' },
    { pointer: '/players/11/starter', code: 'maximum' },
  ]);
});

test('a competition promotes to another one of its account only', async () => {
  const other = await platform.account({ account: 'Other league' });
  const facts = { name: 'Liga', sport: 'FOOTBALL', type: 'LEAGUE', status: 'PUBLISHED' };
  const foreign = await createResource(other, '/competitions', facts);
  const rejected = await owner.post('/competitions', { ...facts, promotesToId: foreign.id });
  expect(rejected.body).toMatchObject({ status: 403, code: 'not_owner' });
  const own = await createResource(owner, '/competitions', facts);
  const itself = await owner.patch(`/competitions/${own.id}`, { promotesToId: own.id }, always);
  expect(violationsOf(itself)).toEqual(['/promotesToId itself']);
  expect((await platform.anonymous.get(`/competitions/${foreign.id}`)).body.relegatesTo ?? []).toEqual([]);
});

test('a season with a name that its competition has is 409 with the ID of the other', async () => {
  const season = { competitionId: league.competitionId, name: '2026/27', startDate: '2026-08-01', endDate: '2027-05-30' };
  const { body } = await owner.post('/competitions/seasons', season);
  expect(body).toMatchObject({ status: 409, code: 'conflict', existingId: league.seasonId });
});

test('a batch of results shows the form of an external ID', async () => {
  const participants = league.participants.map((participantId) => ({ participantId, score: 1 }));
  const { body } = await owner.post('/competitions/results/batch', { items: [{ match: 'DESK:1', participants }] });
  expect(JSON.stringify(body)).toContain('with `scheme` and `value`, such as');
});
