/** Team contests in wrestling and judo: bouts make the score of a contest, and contests make the table of a league. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague, type League } from './leagues.ts';
import { createResource } from './season-fixtures.ts';
import { addPart, decide, enterPlayers, side, type Team } from './team-ties.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Federation' });
});
afterAll(() => platform.close());

/** The points of a bout for both sides. Level points are a draw. */
type Bout = readonly [number, number];

/** Plays the bouts of a contest, and returns the contest. */
async function contest(league: League, [one, other]: readonly Team[], bouts: readonly Bout[], format: object = {}) {
  const participants = [side(one?.id), side(other?.id)];
  const facts = { seasonId: league.seasonId, format, participants };
  const { id } = await createResource(owner, '/competitions/matches', facts);
  await owner.post(`/competitions/matches/${id}/start`);
  for (const [index, points] of bouts.entries()) {
    const sides = [one?.players[index % 2], other?.players[index % 2]];
    const outcome = points[0] === points[1] ? 'DRAW' : points[0] > points[1] ? 'WIN' : 'LOSS';
    const results = sides.map((participantId, place) => ({
      participantId,
      points: points[place],
      ...(place === 0 && { outcome }),
    }));
    await addPart(owner, league.seasonId, id, { sides, result: { participants: results } });
  }
  return { id, sides: [one?.id, other?.id] };
}

interface Row {
  readonly position: number;
  readonly participant: { readonly name: string };
  readonly won: number;
  readonly draw: number;
  readonly lost: number;
  readonly scoreFor: number;
  readonly scoreAgainst: number;
  readonly points: number;
  readonly tieBreak: { readonly criterion: string } | null;
}

async function table(league: League): Promise<string[]> {
  const { body } = await platform.anonymous.get(`/competitions/rankings?seasonId=${league.seasonId}`);
  return body.data.map(
    ({ position, participant, won, draw, lost, scoreFor, scoreAgainst, points, tieBreak }: Row) =>
      `${position} ${participant.name} ${won}-${draw}-${lost} ${scoreFor}:${scoreAgainst} ${points} ${tieBreak?.criterion ?? ''}`,
  );
}

const rankingRules = { ruleSet: 'COMBAT_TEAM_LEAGUE' };

test('a wrestling league: bout points make the score, and their difference among the tied decides the table', async () => {
  const facts = { name: 'Bundesliga', sport: 'COMBAT', discipline: 'WRESTLING', rankingRules };
  const league = await playLeague(owner, ['Burghausen', 'Kleinostheim', 'Mainz'], facts);
  const [one, other, third] = await enterPlayers(owner, league, 'COMBAT');
  if (!one || !other || !third) throw new Error('The league has three teams.');
  const format = { subMatchScoring: 'POINTS' };
  const first = await contest(
    league,
    [one, other],
    [
      [4, 0],
      [1, 3],
    ],
    format,
  );
  expect((await decide(owner, first.id, first.sides)).participants).toMatchObject([
    { score: 5, outcome: 'WIN' },
    { score: 3, outcome: 'LOSS' },
  ]);
  for (const { id, sides } of [
    await contest(
      league,
      [other, third],
      [
        [3, 0],
        [4, 0],
      ],
      format,
    ),
    await contest(
      league,
      [third, one],
      [
        [4, 0],
        [2, 1],
      ],
      format,
    ),
  ])
    await decide(owner, id, sides);
  expect(await table(league)).toEqual([
    '1 Kleinostheim 1-0-1 10:5 2 HEAD_TO_HEAD_DIFFERENCE',
    '2 Mainz 1-0-1 6:8 2 HEAD_TO_HEAD_DIFFERENCE',
    '3 Burghausen 1-0-1 6:9 2 HEAD_TO_HEAD_DIFFERENCE',
  ]);
});

test('a judo league: bouts won make the score, and a level contest gives one point to both teams', async () => {
  const facts = { name: 'Judo-Bundesliga', sport: 'COMBAT', discipline: 'JUDO', rankingRules };
  const league = await playLeague(owner, ['Abensberg', 'Leipzig', 'Speyer'], facts);
  const [one, other, third] = await enterPlayers(owner, league, 'COMBAT');
  if (!one || !other || !third) throw new Error('The league has three teams.');
  const level = await contest(
    league,
    [one, other],
    [
      [10, 0],
      [0, 1],
      [0, 0],
    ],
  );
  expect((await platform.anonymous.get(`/competitions/matches/${level.id}`)).body.subMatchScore).toEqual([1, 1]);
  expect((await decide(owner, level.id, level.sides)).participants).toMatchObject([
    { score: 1, outcome: 'DRAW' },
    { score: 1, outcome: 'DRAW' },
  ]);
  const won = await contest(
    league,
    [other, third],
    [
      [10, 0],
      [1, 0],
      [0, 10],
    ],
  );
  await decide(owner, won.id, won.sides);
  expect(await table(league)).toEqual(['1 Leipzig 1-1-0 3:2 3 ', '2 Abensberg 0-1-0 1:1 1 ', '3 Speyer 0-0-1 1:2 0 ']);
});
