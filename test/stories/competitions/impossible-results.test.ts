/** Results that cannot be: marks beyond every record, draws, scores below the goals, decisions against the judges. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiResponse, Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague, type League } from './leagues.ts';
import { scored, scoring } from './scores.ts';
import { createResource, createSeason, createTestAthlete } from './season-fixtures.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Results' });
});
afterAll(() => platform.close());

const violationsOf = ({ body }: ApiResponse): string[] =>
  (body.errors ?? []).map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);

/** The sides of a contest of an event, or of a bout, and a function that sends a finished match of them. */
async function contestOf(sport: string, contest: { eventCode?: string } = {}, discipline?: string) {
  const { season, path } = await createSeason(owner, {
    name: `Meet ${contest.eventCode ?? sport}`,
    sport,
    discipline,
    type: 'MEET',
  });
  const event = await createResource(owner, `${path}/contests`, { name: 'Contest', ...contest });
  const stage = await createResource(owner, `${path}/stages`, { contestId: event.id, name: 'Final', type: 'FINAL' });
  const sides: string[] = [];
  for (const name of ['Erste', 'Zweite']) {
    const athlete = await createTestAthlete(owner, name, { birthYear: 1998, status: 'ACTIVE', sports: [{ sport }] });
    sides.push(
      (await createResource(owner, `${path}/participants`, { contestId: event.id, type: 'ATHLETE', athleteId: athlete.id })).id,
    );
  }
  const send = (parts: readonly object[], facts: object = {}, match: object = {}) =>
    owner.post('/competitions/matches', {
      seasonId: season.id,
      stageId: stage.id,
      participants: sides.map((participantId) => ({ participantId })),
      status: 'FINISHED',
      ...match,
      result: {
        status: 'OFFICIAL',
        participants: parts.map((part, side) => ({ participantId: sides[side], ...part })),
        ...facts,
      },
    });
  return { send };
}

describe('a mark beyond every record is rejected', () => {
  test.each([
    ['LONG_JUMP', { mark: { value: 99_000 } }, 'The longest accepted mark is 9.889'],
    ['100M', { mark: { text: '5.00' } }, 'The shortest accepted mark is 8.55'],
    ['DECATHLON', { mark: { value: 60_000 } }, 'The highest accepted mark is 10120'],
  ])('in %s', async (eventCode, part, limit) => {
    const { send } = await contestOf('ATHLETICS', { eventCode });
    const rejected = await send([part, { invalidResultMark: 'DNS' }]);
    expect(violationsOf(rejected)).toEqual(['/result/participants/0/mark not_plausible']);
    expect(rejected.body.detail).toContain(limit);
  });

  test('also as an attempt, while a world record is accepted', async () => {
    const { send } = await contestOf('ATHLETICS', { eventCode: 'LONG_JUMP' });
    const attempts = [{ outcome: 'VALID', value: 89_500 }];
    expect(violationsOf(await send([{ attempts }, {}]))).toContain('/result/participants/0/attempts/0/value not_plausible');
    expect((await send([{ mark: { text: '8.95' } }, { mark: { text: '8.40' } }])).status).toBe(201);
  });
});

describe('attempts are rejected', () => {
  const failed = (value: number) => ({ outcome: 'FAILED', value });

  test('after three consecutive failures; a passed attempt does not interrupt them', async () => {
    const { send } = await contestOf('ATHLETICS', { eventCode: 'HIGH_JUMP' });
    const cleared = { outcome: 'VALID', value: 2000 };
    const eliminated = [cleared, failed(2100), { outcome: 'PASSED', value: 2100 }, failed(2150), failed(2150)];
    expect((await send([{ attempts: eliminated }, { invalidResultMark: 'DNS' }])).status).toBe(201);
    const fourth = await send([{ attempts: [...eliminated, failed(2150)] }, { invalidResultMark: 'DNS' }]);
    expect(violationsOf(fourth)).toEqual(['/result/participants/0/attempts/5 eliminated']);
  });

  test('with a mark although they failed', async () => {
    const { send } = await contestOf('ATHLETICS', { eventCode: 'LONG_JUMP' });
    const rejected = await send([{ attempts: [failed(8000)] }, { invalidResultMark: 'DNS' }]);
    expect(violationsOf(rejected)).toEqual(['/result/participants/0/attempts/0/value no_mark']);
  });
});

describe('a bout is rejected', () => {
  const cards = (...totals: number[]) => totals.map((total, index) => ({ judge: `Judge ${index}`, total }));
  const sides = (one: number[], other: number[], outcome = 'WIN') => [
    { outcome, scorecards: cards(...one) },
    { scorecards: cards(...other) },
  ];
  const decision = (method: string, period?: number) => ({ endedBy: { method, period } });

  test.each([
    [
      'that all judges scored for the other side',
      sides([27, 27, 27], [30, 30, 30]),
      decision('DECISION_UNANIMOUS'),
      '/participants/0/outcome',
    ],
    ['that one judge decided unanimously', sides([30], [27]), decision('DECISION_UNANIMOUS'), '/endedBy/method'],
    ['as unanimous with a judge against', sides([30, 30, 28], [27, 27, 29]), decision('DECISION_UNANIMOUS'), '/endedBy/method'],
    ['as split without a judge against', sides([30, 30, 30], [27, 27, 27]), decision('DECISION_SPLIT'), '/endedBy/method'],
  ])('%s', async (_, parts, facts, pointer) => {
    const { send } = await contestOf('COMBAT', {}, 'BOXING');
    expect(violationsOf(await send(parts, facts))).toEqual([`/result${pointer} contradicts_scorecards`]);
  });

  test('that ended in a round that it did not have; a knock-out against the scorecards is accepted', async () => {
    const { send } = await contestOf('COMBAT', {}, 'BOXING');
    const parts = sides([18, 18], [20, 20]);
    const late = await send(parts, decision('KO_TKO', 4), { format: { periods: 3 } });
    expect(violationsOf(late)).toEqual(['/result/endedBy/period maximum']);
    expect((await send(parts, decision('KO_TKO', 3), { format: { periods: 3 } })).status).toBe(201);
  });
});

describe('an official draw', () => {
  test('is rejected in a sport without draws; a provisional one is a live score', async () => {
    const league = await playLeague(owner, ['Nord', 'Süd'], { name: 'Korbliga', sport: 'BASKETBALL' });
    const { put, begun, finish, step } = scoring(owner, league);
    const match = await begun([0, 1]);
    expect((await put(match.id, scored(match.sides, 80, 80))).status).toBe(200);
    await finish(match);
    const certified = await step(match.id, 'certify');
    expect([certified.status, violationsOf(certified)]).toEqual([422, [' no_draw']]);
    await put(match.id, scored(match.sides, 80, 82), { 'if-match': '*' });
    expect((await step(match.id, 'certify')).status).toBe(200);
    expect(violationsOf(await step(match.id, 'correct', { ...scored(match.sides, 80, 80), reason: 'Protest' }))).toEqual([
      '/participants no_draw',
    ]);
  });

  test('is accepted where the table awards points for it, and in football', async () => {
    const rankingRules = { ruleSet: 'BASKETBALL', points: { win: 2, draw: 1, loss: 0 } };
    const youth = await playLeague(owner, ['Ost', 'West'], { name: 'Jugend', sport: 'BASKETBALL', rankingRules });
    await scoring(owner, youth).played([0, 1], [40, 40]);
    const football = await playLeague(owner, ['Ost', 'West'], { name: 'Bezirk' });
    await scoring(owner, football).played([0, 1], [1, 1]);
  });
});

describe('a football result', () => {
  let league: League;
  let at: ReturnType<typeof scoring>;
  beforeAll(async () => {
    league = await playLeague(owner, ['Heim', 'Gast'], { name: 'Kreisliga' });
    at = scoring(owner, league);
  });
  const certified = async (...scores: number[]) => {
    const match = await at.begun([0, 1]);
    await at.put(match.id, scored(match.sides, ...scores));
    return match;
  };

  test('cannot be official with fewer goals than were recorded; an own goal counts for the opponent', async () => {
    const match = await certified(1, 0);
    const record = (type: string, side: number, minute: number) =>
      owner.post(`${at.path(match.id)}/actions`, { type, participantId: match.sides[side], minute });
    await record('GOAL', 0, 10);
    await record('OWN_GOAL', 0, 20);
    await at.finish(match);
    const below = await at.step(match.id, 'certify');
    expect(violationsOf(below)).toEqual([' below_goals']);
    expect(below.body.detail).toContain('its goals are recorded');
    await at.put(match.id, scored(match.sides, 2, 1), { 'if-match': '*' });
    expect((await at.step(match.id, 'certify')).status).toBe(200);
  });

  test('has the duration that the states of the match show', async () => {
    const match = await at.begun([0, 1]);
    for (const verb of ['extra-time', 'shootout']) await owner.post(`${at.path(match.id)}/${verb}`);
    const regular = await at.put(match.id, { ...scored(match.sides, 1, 1), duration: 'REGULAR' });
    expect(violationsOf(regular)).toEqual(['/duration contradicts_state']);
    const shootout = scored(match.sides, 1, 1).participants.map((side, index) => ({ ...side, shootoutScore: index + 3 }));
    expect((await at.put(match.id, { participants: shootout })).body).toMatchObject({ duration: 'PENALTY_SHOOTOUT' });
  });

  test('keeps its statistics in a correction without them; an equal correction changes nothing', async () => {
    const match = await at.begun([0, 1]);
    const possession = (one: number, other: number) => ({
      participants: [one, other].map((value, side) => ({
        participantId: match.sides[side],
        score: side,
        statistics: [{ metric: 'possessionPct', value }],
      })),
    });
    expect(violationsOf(await at.put(match.id, possession(70, 40)))).toEqual(['/participants/1/statistics not_whole']);
    await at.put(match.id, possession(60.4, 39.5));
    await at.finish(match);
    await at.step(match.id, 'certify');
    const { body } = await at.step(match.id, 'correct', { ...scored(match.sides, 2, 1), reason: 'Protest' });
    expect(body.participants[0]).toMatchObject({ score: 2, statistics: [{ metric: 'possessionPct', value: 60.4 }] });
    const again = await at.step(match.id, 'correct', { ...scored(match.sides, 2, 1), reason: 'Once more' });
    expect(again.body).toMatchObject({ version: body.version, reason: 'Protest' });
  });

  test('whose first half has more goals than the match says which period exceeds it', async () => {
    const match = await at.begun([0, 1]);
    const participants = match.sides.map((participantId) => ({ participantId, score: 1, periodScores: [2, 0] }));
    const { body } = await at.put(match.id, { participants });
    expect(body.errors[0].detail).toBe('After the 1st half the score is 2, which is more than the final score of 1.');
  });
});
