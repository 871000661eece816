/** League seasons as published: splits, halved points, tie-breaks of federations. All through the REST API. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import type { League } from './leagues.ts';
import { openSeason, playMatches, publishedRows, readSeason, rowsOf } from './published-seasons.ts';

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

describe('Belgium 2018-19', () => {
  const season = readSeason('belgium-2018-19');
  const stages: Record<string, string> = {};
  beforeAll(async () => {
    const league = await openSeason(owner, season, { name: 'First Division A', sport: 'FOOTBALL', type: 'LEAGUE' });
    const order = ['POINTS', 'WINS', 'DIFFERENCE', 'FOR'];
    stages['Regular'] = await stage(league, { name: 'Regular season', type: 'LEAGUE', rankingRules: { order } });
    stages['Playoff I'] = await stage(league, {
      name: 'Play-off I',
      type: 'LEAGUE',
      order: 1,
      carryOver: { fromStageId: stages['Regular'], matches: 'NONE', points: 'HALVED_ROUNDED_UP' },
      rankingRules: { order: ['POINTS', 'POINTS_BEFORE_ROUNDING', 'WINS', 'DIFFERENCE', 'FOR'] },
    });
    const playOff = { name: 'Play-off II', type: 'GROUP', order: 2, groups: ['A', 'B'], rankingRules: { order } };
    stages['Playoff II'] = await stage(league, playOff);
    await playMatches(owner, league, season, ({ round }) => {
      const [, name = 'Regular', group] = /^(Playoff II?)(?: ([AB]))?,/.exec(round) ?? [];
      const stageId = stages[name] ?? '';
      return group === undefined ? { stageId } : { stageId, group };
    });
  });
  const published = (name: string, query = '') => publishedRows(owner, `stageId=${stages[name] ?? ''}${query}`);

  test('the regular season as published', async () => {
    // The three teams that enter for Play-off II follow without a match.
    expect((await published('Regular')).slice(0, 16)).toEqual([
      '1 KRC Genk 30 18 9 3 63-31 63',
      '2 Club Brugge KV 30 16 8 6 64-32 56',
      '3 Standard Liège 30 15 8 7 49-35 53',
      '4 RSC Anderlecht 30 15 6 9 49-34 51',
      '5 KAA Gent 30 15 5 10 53-45 50',
      '6 Royal Antwerp FC 30 14 7 9 39-34 49',
      '7 Sint-Truidense VV 30 12 11 7 47-36 47',
      '8 KV Kortrijk 30 12 7 11 44-42 43',
      '9 Sporting Charleroi 30 12 6 12 43-43 42',
      '10 Royal Excel Mouscron 30 11 7 12 33-33 40',
      '11 SV Zulte Waregem 30 8 9 13 49-60 33',
      '12 KAS Eupen 30 10 2 18 34-57 32',
      '13 Cercle Brugge 30 7 7 16 35-59 28',
      '14 KV Oostende 30 6 9 15 29-52 27',
      '15 Waasland-Beveren 30 5 12 13 37-50 27',
      '16 Sporting Lokeren 30 5 5 20 28-53 20',
    ]);
  });

  test('Play-off I starts with half of the points, rounded up', async () => {
    const members = ['matchesPlayed', 'won', 'draw', 'lost', 'scoreFor', 'scoreAgainst', 'carriedPoints', 'points'];
    expect(await rowsOf(owner, `stageId=${stages['Playoff I'] ?? ''}`, members)).toEqual([
      '1 KRC Genk 10 6 2 2 19 8 32 52',
      '2 Club Brugge KV 10 7 1 2 19 11 28 50',
      '3 Standard Liège 10 4 1 5 17 16 27 40',
      '4 Royal Antwerp FC 10 4 2 4 12 16 25 39',
      '5 KAA Gent 10 3 1 6 10 15 25 35',
      '6 RSC Anderlecht 10 1 3 6 8 19 26 32',
    ]);
  });

  test('Play-off II has two groups, with three teams of the second division, and no points from before', async () => {
    expect(await published('Playoff II', '&group=A')).toEqual([
      '1 KV Kortrijk 10 8 0 2 26-12 24',
      '2 Saint-Gilloise 10 6 2 2 24-14 20',
      '3 Waasland-Beveren 10 4 1 5 17-24 13',
      '4 SV Zulte Waregem 10 3 4 3 22-22 13',
      '5 Royal Excel Mouscron 10 2 2 6 19-22 8',
      '6 Cercle Brugge 10 2 1 7 16-30 7',
    ]);
    expect(await published('Playoff II', '&group=B')).toEqual([
      '1 Sporting Charleroi 10 7 1 2 20-7 22',
      '2 Sint-Truidense VV 10 4 5 1 16-13 17',
      '3 KVC Westerlo 10 3 3 4 13-12 12',
      '4 KV Oostende 10 3 3 4 12-15 12',
      '5 KAS Eupen 10 3 2 5 9-15 11',
      '6 K Beerschot VA 10 2 2 6 11-19 8',
    ]);
  });
});

test('Brazil 2020: more wins rank above a better difference', async () => {
  const season = readSeason('brazil-2020');
  const rankingRules = { order: ['POINTS', 'WINS', 'DIFFERENCE', 'FOR', 'HEAD_TO_HEAD_POINTS'] };
  const facts = { name: 'Série A', sport: 'FOOTBALL', type: 'LEAGUE', rankingRules };
  const league = await openSeason(owner, season, facts);
  const stageId = await stage(league, { name: 'League', type: 'LEAGUE' });
  await playMatches(owner, league, season, () => ({ stageId }));
  expect(await publishedRows(owner, `stageId=${stageId}`)).toEqual([
    '1 Flamengo RJ 38 21 8 9 68-48 71',
    '2 Internacional 38 20 10 8 61-35 70',
    '3 Atlético Mineiro 38 20 8 10 64-45 68',
    '4 São Paulo FC 38 18 12 8 59-41 66',
    '5 Fluminense RJ 38 18 10 10 55-42 64',
    '6 Grêmio Porto Alegre 38 14 17 7 53-40 59',
    '7 Palmeiras 38 15 13 10 51-37 58',
    '8 Santos FC 38 14 12 12 52-51 54',
    '9 Athletico Paranaense 38 15 8 15 38-36 53',
    '10 Red Bull Bragantino 38 13 14 11 50-40 53',
    '11 Ceará CE 38 14 10 14 54-51 52',
    '12 Corinthians SP 38 13 12 13 45-45 51',
    '13 Atlético Goianiense 38 12 14 12 40-45 50',
    '14 Bahia BA 38 12 8 18 48-59 44',
    '15 Sport Recife PE 38 12 6 20 31-50 42',
    '16 Fortaleza CE 38 10 11 17 34-44 41',
    '17 Vasco da Gama RJ 38 10 11 17 37-56 41',
    '18 Goiás GO 38 9 10 19 41-63 37',
    '19 Coritiba PR 38 7 10 21 31-54 31',
    '20 Botafogo RJ 38 5 12 21 32-62 27',
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
  expect(await publishedRows(owner, `stageId=${stageId}`)).toEqual([
    '1 SSC Napoli 38 28 6 4 77-28 90',
    '2 SS Lazio 38 22 8 8 60-30 74',
    '3 FC Internazionale Milano 38 23 3 12 71-42 72',
    '4 AC Milan 38 20 10 8 64-43 70',
    '5 Atalanta BC 38 19 7 12 66-48 64',
    '6 AS Roma 38 18 9 11 50-38 63',
    '7 Juventus FC 38 22 6 10 56-33 62',
    '8 ACF Fiorentina 38 15 11 12 53-43 56',
    '9 Bologna FC 1909 38 14 12 12 53-49 54',
    '10 Torino FC 38 14 11 13 42-41 53',
    '11 AC Monza 38 14 10 14 48-52 52',
    '12 Udinese Calcio 38 11 13 14 47-48 46',
    '13 US Sassuolo Calcio 38 12 9 17 47-61 45',
    '14 Empoli FC 38 10 13 15 37-49 43',
    '15 US Salernitana 1919 38 9 15 14 48-62 42',
    '16 US Lecce 38 8 12 18 33-46 36',
    '17 Hellas Verona FC 38 7 10 21 31-59 31',
    '18 Spezia Calcio 38 6 13 19 31-62 31',
    '19 US Cremonese 38 5 12 21 36-69 27',
    '20 UC Sampdoria 38 3 10 25 24-71 19',
  ]);
});
