/** The bracket of knock-out stages whose matches name participants only. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague } from './leagues.ts';
import { scoring } from './scores.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

test('ordered stages without placeholders have a champion, and a stage has a bracket of its own', async () => {
  const owner = await platform.account({ account: 'Cup' });
  const cup = await playLeague(owner, ['Rot', 'Blau', 'Grün', 'Gelb'], { type: 'CUP' });
  const { played } = scoring(owner, cup);
  const path = `/competitions/seasons/${cup.seasonId}`;
  const stage = async (name: string, order: number): Promise<string> => {
    const { status, body } = await owner.post(`${path}/stages`, { type: 'KNOCKOUT', name, order });
    expect(status).toBe(201);
    return body.id;
  };
  const [semi, third, final] = [await stage('Semi-finals', 1), await stage('Third place', 2), await stage('Final', 3)];
  await played([0, 1], [2, 0], { stageId: semi, round: 'Semi-finals' });
  await played([2, 3], [0, 1], { stageId: semi, round: 'Semi-finals' });
  const bracket = async (query = '') => (await platform.anonymous.get(`${path}/bracket${query}`)).body;
  expect(await bracket()).toMatchObject({ champion: null, rounds: [{ number: 1, ties: [{}, {}] }] });
  await played([1, 2], [3, 0], { stageId: third, round: 'Third place' });
  await played([0, 3], [0, 1], { stageId: final, round: 'Final' });
  const [[semiFinal]] = (await bracket()).rounds.map(({ ties }: { ties: unknown[] }) => ties);
  expect(semiFinal.matches).toMatchObject([{ result: { duration: 'REGULAR', participants: [{ score: 2 }, { score: 0 }] } }]);
  const name = (value: string) => ({ name: value });
  expect(await bracket()).toMatchObject({
    rounds: [
      { name: 'Semi-finals', ties: [{ kind: 'MAIN' }, { kind: 'MAIN' }] },
      { name: 'Final', ties: [{ kind: 'MAIN' }, { kind: 'THIRD_PLACE' }] },
    ],
    champion: name('Gelb'),
    runnerUp: name('Rot'),
    thirdPlace: name('Blau'),
    fourthPlace: name('Grün'),
  });
  expect(await bracket(`?stageId=${semi}`)).toMatchObject({ champion: null, rounds: [{ ties: [{}, {}] }] });
  expect(await platform.anonymous.get(`${path}/bracket?stageId=${cup.competitionId}`)).toMatchObject({ status: 404 });
});
