/** Results that a stage carries over from an earlier one, and what is rejected because it would have no effect. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague, type League } from './leagues.ts';
import { rowsOf } from './published-seasons.ts';
import { scoring } from './scores.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Federation' });
});
afterAll(() => platform.close());

const stagesOf = ({ seasonId }: League): string => `/competitions/seasons/${seasonId}/stages`;

async function stage(league: League, facts: object): Promise<string> {
  const { status, body } = await owner.post(stagesOf(league), facts);
  expect([status, body.errors]).toEqual([201, undefined]);
  return body.id;
}

test('a main round counts the matches between the teams that reached it', async () => {
  const names = ['A1', 'A2', 'A3', 'B1', 'B2', 'B3'];
  const league = await playLeague(owner, names, { name: 'Championship', sport: 'HANDBALL', type: 'CUP' });
  const { played } = scoring(owner, league);
  const groups = await stage(league, { name: 'Preliminary round', type: 'GROUP', groups: ['A', 'B'] });
  for (const [offset, group] of [
    [0, 'A'],
    [3, 'B'],
  ] as const) {
    await played([offset, offset + 1], [30, 28], { stageId: groups, group });
    await played([offset, offset + 2], [20, 33], { stageId: groups, group });
    await played([offset + 1, offset + 2], [35, 20], { stageId: groups, group });
  }
  const main = await stage(league, {
    name: 'Main round',
    type: 'LEAGUE',
    order: 1,
    carryOver: { fromStageId: groups, matches: 'BETWEEN_QUALIFIED' },
  });
  await played([0, 3], [26, 25], { stageId: main });
  await played([1, 4], [31, 30], { stageId: main });
  // the first two of each group reached it: of their group matches only the one between them counts
  expect(await rowsOf(owner, `stageId=${main}`, ['matchesPlayed', 'carriedPoints', 'points', 'scoreDifference'])).toEqual([
    '1 A1 2 2 4 3',
    '2 B1 2 2 2 1',
    '3 A2 2 0 2 -1',
    '4 B2 2 0 0 -3',
  ]);
  expect((await owner.get(`${stagesOf(league)}/${main}`)).body.carryOver).toEqual({
    fromStage: { id: groups },
    matches: 'BETWEEN_QUALIFIED',
    points: 'FULL',
  });
  const removed = await owner.send(`${stagesOf(league)}/${groups}`, { method: 'DELETE', headers: { 'if-match': '*' } });
  expect(removed.status).toBe(409);
  const reordered = await owner.patch(`${stagesOf(league)}/${groups}`, { order: 1 }, { 'if-match': '*' });
  expect([reordered.status, reordered.body.errors?.[0]]).toMatchObject([422, { pointer: '/order', code: 'not_earlier' }]);
  const without = await owner.patch(`${stagesOf(league)}/${main}`, { carryOver: null }, { 'if-match': '*' });
  expect([without.status, without.body.carryOver]).toEqual([200, null]);
  expect(await rowsOf(owner, `stageId=${main}`, ['matchesPlayed'])).toEqual(['1 A2 1', '2 A1 1', '3 B2 1', '4 B1 1']);
});

describe('rejected', () => {
  let league: League;
  let first: string;
  beforeAll(async () => {
    league = await playLeague(owner, ['Alpha', 'Beta', 'Gamma'], { name: 'League', sport: 'FOOTBALL', type: 'LEAGUE' });
    first = await stage(league, { name: 'First', type: 'LEAGUE', order: 1 });
    await stage(league, { name: 'Final', type: 'KNOCKOUT', order: 2 });
  });

  test.each([
    ['a knock-out stage that carries over', { type: 'KNOCKOUT', order: 3 }, '/carryOver', 'no_effect'],
    ['an order that is not later', { type: 'LEAGUE', order: 1 }, '/carryOver/fromStageId', 'not_earlier'],
    [
      'positions that continue without groups',
      { type: 'LEAGUE', order: 3, continuousPositions: true },
      '/continuousPositions',
      'no_effect',
    ],
  ])('%s', async (_says, facts, pointer, code) => {
    const carryOver = { fromStageId: first };
    const { status, body } = await owner.post(stagesOf(league), { name: 'Second', carryOver, ...facts });
    expect([status, body.errors?.[0]?.pointer, body.errors?.[0]?.code]).toEqual([422, pointer, code]);
  });

  test.each([
    ['a stage without a table', 'Final', 'no_effect'],
    ['an unknown stage', null, 'unknown_stage'],
  ])('%s as the source', async (_says, name, code) => {
    const { body: stages } = await owner.get(stagesOf(league));
    const found = stages.data.find((each: { name: string }) => each.name === name);
    const carryOver = { fromStageId: found?.id ?? league.seasonId };
    const { status, body } = await owner.post(stagesOf(league), { name: 'Second', type: 'LEAGUE', order: 3, carryOver });
    expect([status, body.errors?.[0]?.pointer, body.errors?.[0]?.code]).toEqual([422, '/carryOver/fromStageId', code]);
  });

  test('a decision about participants that are not tied, or that misses a tied one', async () => {
    const { played } = scoring(owner, league);
    const [alpha, beta, gamma] = league.participants;
    await played([0, 1], [1, 0], { stageId: first });
    const decide = (participantIds: readonly (string | undefined)[]) =>
      owner.post(`/competitions/seasons/${league.seasonId}/tie-break-decisions`, {
        stageId: first,
        participantIds,
        criterion: 'DRAW_OF_LOTS',
        reason: 'Drawn',
      });
    const noEffect = { pointer: '/participantIds', code: 'no_effect' };
    expect(await decide([beta, alpha])).toMatchObject({ status: 422, body: { errors: [noEffect] } });
    await played([1, 2], [1, 0], { stageId: first });
    await played([2, 0], [1, 0], { stageId: first });
    const missing = await decide([alpha, beta]);
    expect([missing.status, missing.body.errors[0].detail]).toEqual([
      422,
      'The decision has no effect. List every participant that shares the position.',
    ]);
    expect(await decide([gamma, alpha, beta])).toMatchObject({ status: 201 });
    expect(await rowsOf(owner, `stageId=${first}`)).toEqual(['1 Gamma 3', '2 Alpha 3', '3 Beta 3']);
  });
});
