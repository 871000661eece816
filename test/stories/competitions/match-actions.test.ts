/** Match actions and line-ups that contradict the rules of the sport, and actions of players without a profile. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiResponse, Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague, type League } from './leagues.ts';
import { scoring } from './scores.ts';

let platform: TestPlatform;
let owner: Client;
let league: League;
let path: string;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'League' });
  league = await playLeague(owner, ['Heim', 'Gast']);
  const at = scoring(owner, league);
  path = at.path((await at.begun([0, 1])).id);
});
afterAll(() => platform.close());

const act = async (facts: object) => owner.post(`${path}/actions`, facts);
const home = () => league.participants[0];
const away = () => league.participants[1];
const violationsOf = ({ body }: ApiResponse) =>
  (body.errors ?? []).map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);

describe('an action is refused when', () => {
  test.each([
    ['the sport has no such type', { type: 'TRY', minute: 30 }, '/type unknown_action_type'],
    ['the sport has no such period', { type: 'GOAL', period: 9 }, '/period maximum'],
    ['the minute is after the period', { type: 'GOAL', period: 1, minute: 60 }, '/minute maximum'],
    ['the minute is after extra time', { type: 'GOAL', minute: 200 }, '/minute maximum'],
    ['a substitution names no player', { type: 'SUBSTITUTION', minute: 60 }, '/athleteId required'],
    ['its side has no goal after it', { type: 'GOAL', minute: 60, scoreAfter: [0, 5] }, '/scoreAfter score'],
    ['no line-up has the name', { type: 'GOAL', minute: 60, athleteName: 'Niemand' }, '/athleteName not_in_match'],
  ])('%s', async (_, facts, violation) => {
    expect(violationsOf(await act({ participantId: home(), ...facts }))).toEqual([violation]);
  });

  test('a goal names neither side nor player, and a foul is accepted', async () => {
    expect(violationsOf(await act({ type: 'GOAL', minute: 3 }))).toEqual(['/participantId required']);
    expect((await act({ type: 'FOUL', minute: 3 })).status).toBe(201);
  });

  test('a change makes it contradictory', async () => {
    const { body } = await act({ type: 'GOAL', minute: 10, participantId: home(), scoreAfter: [1, 0] });
    const changed = await owner.patch(`${path}/actions/${body.id}`, { participantId: away() }, { 'if-match': '*' });
    expect(violationsOf(changed)).toEqual(['/scoreAfter score']);
  });
});

test('the types that an error suggests are those of GET /sports', async () => {
  const { body } = await platform.anonymous.get('/sports');
  const football = body.data.find(({ sport }: { sport: string }) => sport === 'FOOTBALL');
  expect(football.actionTypes).toContain('OWN_GOAL');
  expect(football.actionTypes).not.toContain('TRY');
  const { body: problem } = await act({ type: 'TRY', minute: 30, participantId: home() });
  expect(problem.errors[0].detail).toContain('OWN_GOAL');
});

test('an action without a period has the period of its minute, so that the actions are in order', async () => {
  const match = await owner.post('/competitions/matches/batch', {
    items: [
      {
        seasonId: league.seasonId,
        participants: league.participants.map((participantId, side) => ({ participantId, side: side === 0 ? 'HOME' : 'AWAY' })),
        externalIds: [{ scheme: 'TEST', value: 'ordered' }],
        status: 'FINISHED',
        result: { status: 'OFFICIAL', participants: league.participants.map((participantId) => ({ participantId, score: 2 })) },
        actions: [
          { type: 'GOAL', minute: 62, participantId: home() },
          { type: 'GOAL', minute: 90, addedMinute: 3, period: 2, participantId: away() },
          { type: 'GOAL', minute: 45, addedMinute: 2, participantId: home() },
          { type: 'GOAL', minute: 17, period: 1, participantId: away() },
        ],
      },
    ],
  });
  expect(match.body.summary).toMatchObject({ created: 1 });
  const { body } = await platform.anonymous.get(`/competitions/matches/${match.body.data[0].id}`);
  expect(body.actions.map(({ period, minute }: { period: number; minute: number }) => [period, minute])).toEqual([
    [1, 17],
    [1, 45],
    [2, 62],
    [2, 90],
  ]);
});

describe('a line-up', () => {
  const lineup = async (body: object) => {
    const [entry] = (await owner.get(path)).body.participants;
    return owner.send(`${path}/participants/${entry.entryId}/lineup`, {
      method: 'PUT',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'if-match': '*' },
    });
  };
  const named = (...numbers: number[]) => numbers.map((shirtNumber, index) => ({ name: `Spieler ${index}`, shirtNumber }));

  test('has each shirt number once, and a formation of at most ten players', async () => {
    const { body } = await lineup({ players: named(9, 12, 9), formation: '9-9-9' });
    expect(body.errors).toMatchObject([
      { pointer: '/players/2/shirtNumber', code: 'duplicate' },
      { pointer: '/formation', code: 'maximum' },
    ]);
    expect((await lineup({ players: named(1, 9), formation: '4-2-3-1' })).status).toBe(200);
  });

  test('gives an action the name of a player without a profile', async () => {
    await lineup({ players: named(1, 9) });
    const goal = { type: 'GOAL', minute: 20, participantId: home(), athleteName: 'Spieler 1', assistName: 'Spieler 0' };
    const { status, body } = await act(goal);
    expect([status, body]).toMatchObject([201, { athlete: null, athleteName: 'Spieler 1', assistName: 'Spieler 0', period: 1 }]);
    const { body: read } = await platform.anonymous.get(path);
    expect(read.actions).toContainEqual(expect.objectContaining({ id: body.id, athleteName: 'Spieler 1' }));
  });
});
