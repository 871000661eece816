/** The bracket of knock-out stages whose matches name participants only. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague } from './leagues.ts';
import { scoring, type Fixture } from './scores.ts';

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

test('a repechage gives two bronze medals: the losers of the quarter-finals meet, then the losers of the semi-finals', async () => {
  const owner = await platform.account({ account: 'Judo' });
  const names = ['Ann', 'Bea', 'Cleo', 'Dora', 'Eve', 'Fay', 'Gail', 'Hana'];
  const cup = await playLeague(owner, names, { sport: 'COMBAT', discipline: 'JUDO', type: 'CUP' });
  const { fixture } = scoring(owner, cup);
  const path = `/competitions/seasons/${cup.seasonId}`;
  const { body: stage } = await owner.post(`${path}/stages`, { type: 'KNOCKOUT', name: 'Knock-out' });
  const bout = (round: string, sides: readonly (number | object)[]) => fixture(sides, { stageId: stage.id, round });
  const waits = ({ id }: Fixture, outcome = 'WINNER') => ({ placeholder: { sourceMatchId: id, outcome } });
  const quarters: Fixture[] = [];
  for (const sides of [
    [0, 1],
    [2, 3],
    [4, 5],
    [6, 7],
  ])
    quarters.push(await bout('Quarter-finals', sides));
  const half = async (first: Fixture | undefined, second: Fixture | undefined) => {
    if (!first || !second) throw new Error('A half has two quarter-finals.');
    const repechage = await bout('Repechage', [waits(first, 'LOSER'), waits(second, 'LOSER')]);
    return { repechage, semi: await bout('Semi-finals', [waits(first), waits(second)]) };
  };
  const [upper, lower] = [await half(quarters[0], quarters[1]), await half(quarters[2], quarters[3])];
  const bronzes = [
    await bout('Bronze', [waits(upper.repechage), waits(lower.semi, 'LOSER')]),
    await bout('Bronze', [waits(lower.repechage), waits(upper.semi, 'LOSER')]),
  ];
  const final = await bout('Final', [waits(upper.semi), waits(lower.semi)]);
  // The first side wins every bout.
  for (const { id } of [...quarters, upper.repechage, lower.repechage, upper.semi, lower.semi, ...bronzes, final]) {
    const { body: match } = await owner.get(`/competitions/matches/${id}`);
    const [winner, loser] = match.participants.map(({ participant }: { participant: { id: string } }) => participant.id);
    const participants = [{ participantId: winner, outcome: 'WIN' }, { participantId: loser }];
    const item = { matchId: id, status: 'OFFICIAL', participants };
    expect((await owner.post('/competitions/results/batch', { items: [item] })).body.summary.failed).toBe(0);
  }
  const { body } = await platform.anonymous.get(`${path}/bracket`);
  expect(body).toMatchObject({ champion: { name: 'Ann' }, runnerUp: { name: 'Eve' } });
  const places = body.placings.map(
    ({ position, shared, participant }: { position: number; shared: boolean; participant: { name: string } }) =>
      `${position}${shared ? '=' : ''} ${participant.name}`,
  );
  expect(places.toSorted()).toEqual(
    ['1 Ann', '2 Eve', '3= Bea', '3= Fay', '5= Cleo', '5= Gail', '7= Dora', '7= Hana'].toSorted(),
  );
});

test('a tennis match that ends by retirement keeps its unfinished set, and the other player advances', async () => {
  const owner = await platform.account({ account: 'Tennis' });
  const cup = await playLeague(owner, ['Graf', 'Seles'], { sport: 'TENNIS', type: 'CUP' });
  const path = `/competitions/seasons/${cup.seasonId}`;
  const { body: stage } = await owner.post(`${path}/stages`, { type: 'KNOCKOUT', name: 'Final' });
  const [graf, seles] = cup.participants;
  const result = (facts: object) => ({
    seasonId: cup.seasonId,
    stageId: stage.id,
    round: 'Final',
    participants: [{ participantId: graf }, { participantId: seles }],
    status: 'FINISHED',
    result: {
      status: 'OFFICIAL',
      scoreText: '6-4 2-3',
      participants: [{ participantId: graf }, { participantId: seles }],
      ...facts,
    },
  });
  expect(await owner.post('/competitions/matches', result({}))).toMatchObject({ status: 422 });
  const participants = [{ participantId: graf }, { participantId: seles, outcome: 'WIN' }];
  const retired = await owner.post('/competitions/matches', result({ endedBy: { method: 'RETIREMENT' }, participants }));
  expect([retired.status, retired.body.errors]).toEqual([201, undefined]);
  const { body } = await platform.anonymous.get(`/competitions/matches/${retired.body.id}/result`);
  expect(body).toMatchObject({
    endedBy: { method: 'RETIREMENT' },
    participants: [
      { outcome: 'LOSS', score: 1, periodScores: [6, 2] },
      { outcome: 'WIN', score: 0, periodScores: [4, 3] },
    ],
  });
  expect((await platform.anonymous.get(`${path}/bracket`)).body).toMatchObject({ champion: { name: 'Seles' } });
});
