/** League seasons as published: splits, halved points, tie-breaks of federations. All through the REST API. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import type { League } from './leagues.ts';
import { openSeason, playMatches, readSeason, rowsOf } from './published-seasons.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Federation' });
});
afterAll(() => platform.close());

async function stage(league: League, facts: object): Promise<string> {
  const { status, body } = await owner.post(`/competitions/seasons/${league.seasonId}/stages`, facts);
  expect([status, body.errors]).toEqual([201, undefined]);
  return body.id;
}

describe('Scotland 2024-25: the league splits after 33 matchdays', () => {
  const season = readSeason('scotland-2024-25');
  let league: League;
  let splitId: string;
  beforeAll(async () => {
    league = await openSeason(owner, season, { name: 'Premiership', sport: 'FOOTBALL', type: 'LEAGUE' });
    const first = await stage(league, { name: 'First phase', type: 'LEAGUE', advancement: [{ by: 'PLACE', count: 6 }] });
    splitId = await stage(league, {
      name: 'Split',
      type: 'GROUP',
      order: 1,
      groups: ['Championship', 'Relegation'],
      carryOver: { fromStageId: first },
      continuousPositions: true,
      rankingRules: { zones: [{ code: 'RELEGATION', from: 12, to: 12 }] },
    });
    const groupOf = (round: string): string | undefined => /^(\w+), /.exec(round)?.[1];
    await playMatches(owner, league, season, ({ round }) => {
      const group = groupOf(round);
      return group === undefined ? { stageId: first } : { stageId: splitId, group };
    });
  });

  test('the published table: seventh place has more points than sixth', async () => {
    expect(await rowsOf(owner, `stageId=${splitId}`, ['matchesPlayed', 'points', 'scoreDifference'])).toEqual([
      '1 Celtic FC 38 92 86',
      '2 Rangers FC 38 75 39',
      '3 Hibernian FC 38 58 12',
      '4 Dundee United 38 53 -9',
      '5 Aberdeen FC 38 53 -13',
      '6 St. Mirren FC 38 50 -6',
      '7 Heart of Midlothian 38 52 5',
      '8 Motherwell FC 38 49 -17',
      '9 Kilmarnock FC 38 44 -19',
      '10 Dundee FC 38 41 -20',
      '11 Ross County FC 38 37 -28',
      '12 St. Johnstone FC 38 32 -30',
    ]);
    expect(await rowsOf(owner, `stageId=${splitId}&group=Relegation`, ['zone'])).toContain('12 St. Johnstone FC RELEGATION');
  });

  test('a corrected result of the first phase changes the table after the split', async () => {
    const hibernian = league.participants[[...season.teams.keys()].indexOf('HIB')];
    const { body } = await owner.get(`/competitions/matches?seasonId=${league.seasonId}&date=2024-08-10&limit=10`);
    const match = body.data.find((each: { participants: { participant: { id: string } }[] }) =>
      each.participants.some(({ participant }) => participant.id === hibernian),
    );
    const sides = match.participants.map(({ participant }: { participant: { id: string } }) => participant.id);
    const { status } = await owner.post(`/competitions/matches/${match.id}/result/correct`, {
      reason: 'Wrong report',
      participants: sides.map((participantId: string, index: number) => ({ participantId, score: index === 0 ? 2 : 0 })),
    });
    expect(status).toBe(200);
    expect((await rowsOf(owner, `stageId=${splitId}&group=Championship`)).slice(0, 3)).toEqual([
      '1 Celtic FC 89',
      '2 Rangers FC 75',
      '3 Hibernian FC 61',
    ]);
  });
});

test('Belgium 2018-19: the play-offs start with half of the points, rounded up', async () => {
  const season = readSeason('belgium-2018-19');
  const league = await openSeason(owner, season, { name: 'First Division A', sport: 'FOOTBALL', type: 'LEAGUE' });
  const regular = await stage(league, { name: 'Regular season', type: 'LEAGUE' });
  const playOff = await stage(league, {
    name: 'Play-off I',
    type: 'LEAGUE',
    order: 1,
    carryOver: { fromStageId: regular, matches: 'NONE', points: 'HALVED_ROUNDED_UP' },
    rankingRules: { order: ['POINTS', 'POINTS_BEFORE_ROUNDING', 'WINS', 'DIFFERENCE', 'FOR'] },
  });
  await playMatches(owner, league, season, ({ round }) => ({ stageId: round.startsWith('Playoff') ? playOff : regular }));
  expect(await rowsOf(owner, `stageId=${playOff}`, ['matchesPlayed', 'carriedPoints', 'points'])).toEqual([
    '1 KRC Genk 10 32 52',
    '2 Club Brugge KV 10 28 50',
    '3 Standard Liège 10 27 40',
    '4 Royal Antwerp FC 10 25 39',
    '5 KAA Gent 10 25 35',
    '6 RSC Anderlecht 10 26 32',
  ]);
});

test('Brazil 2020: more wins rank above a better difference', async () => {
  const season = readSeason('brazil-2020');
  const rankingRules = { order: ['POINTS', 'WINS', 'DIFFERENCE', 'FOR', 'HEAD_TO_HEAD_POINTS'] };
  const facts = { name: 'Série A', sport: 'FOOTBALL', type: 'LEAGUE', rankingRules };
  const league = await openSeason(owner, season, facts);
  const stageId = await stage(league, { name: 'League', type: 'LEAGUE' });
  await playMatches(owner, league, season, () => ({ stageId }));
  expect((await rowsOf(owner, `stageId=${stageId}`)).slice(0, 10)).toEqual([
    '1 Flamengo RJ 71',
    '2 Internacional 70',
    '3 Atlético Mineiro 68',
    '4 São Paulo FC 66',
    '5 Fluminense RJ 64',
    '6 Grêmio Porto Alegre 59',
    '7 Palmeiras 58',
    '8 Santos FC 54',
    '9 Athletico Paranaense 53',
    '10 Red Bull Bragantino 53',
  ]);
});

test('Italy 2022-23: a play-off decides relegation before the matches between the two teams do', async () => {
  const season = readSeason('italy-2022-23');
  const facts = { name: 'Serie A', sport: 'FOOTBALL', type: 'LEAGUE', rankingRules: { ruleSet: 'FOOTBALL_SERIE_A' } };
  const league = await openSeason(owner, season, facts);
  const stageId = await stage(league, { name: 'League', type: 'LEAGUE' });
  await playMatches(owner, league, season, () => ({ stageId }));
  const idOf = (code: string) => league.participants[[...season.teams.keys()].indexOf(code)];
  const path = `/competitions/seasons/${league.seasonId}`;
  const deduction = { stageId, participantId: idOf('JUV'), points: -10, reason: 'Transfers' };
  expect(await owner.post(`${path}/adjustments`, deduction)).toMatchObject({ status: 201 });
  const last = async () => (await rowsOf(owner, `stageId=${stageId}`)).slice(16);
  expect(await last()).toEqual(['17 Spezia Calcio 31', '18 Hellas Verona FC 31', '19 US Cremonese 27', '20 UC Sampdoria 19']);
  const decision = { stageId, criterion: 'PLAY_OFF', participantIds: [idOf('HEL'), idOf('SPE')], reason: 'Play-off 3-1' };
  expect(await owner.post(`${path}/tie-break-decisions`, decision)).toMatchObject({ status: 201 });
  expect((await rowsOf(owner, `stageId=${stageId}`)).slice(2, 8)).toEqual([
    '3 FC Internazionale Milano 72',
    '4 AC Milan 70',
    '5 Atalanta BC 64',
    '6 AS Roma 63',
    '7 Juventus FC 62',
    '8 ACF Fiorentina 56',
  ]);
  expect((await last()).slice(0, 2)).toEqual(['17 Hellas Verona FC 31', '18 Spezia Calcio 31']);
});
