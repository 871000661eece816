/** Parsing of a league season before anything is sent, with facts from the source and malformed rows. */
import { readDeduction } from '../../examples/import/deductions.ts';
import { describe, expect, test } from '@jest/globals';
import { leagueOfFile, readSeason, type SeasonOptions } from '../../examples/import/season.ts';
import { rowsOf } from './plan-rows.ts';

const league = (...matches: object[]) => JSON.stringify({ name: 'English Premier League 2018/19', matches });
const derby = { round: 'Matchday 1', date: '2018-08-11', team1: 'Cardiff City', team2: 'Arsenal' };
const clubs = [
  'name,country_file,founded,stadium,city,aliases',
  'Arsenal FC,eng,1886,,London,Arsenal|FC Arsenal',
  'Arsenal de Sarandí,ar,,,,Arsenal',
  'Cardiff City FC,wal,1899,,Cardiff,Cardiff City',
].join('\n');
const season = (text: string, options: Partial<SeasonOptions> = {}) =>
  readSeason(text, {
    clubs,
    country: 'eng',
    tieBreak: null,
    points: null,
    split: null,
    deductions: [],
    timeZone: null,
    ...options,
  });

describe('a season', () => {
  test('uses the clubs of the clubs import, in the home country first, then wherever the name is unique', () => {
    const { byKey } = rowsOf(season(league(derby, { ...derby, team1: 'Arsenal', team2: 'Unlisted FC' })), 'organizations');
    expect(Object.keys(byKey)).toEqual(['wal/cardiff-city-fc', 'eng/arsenal-fc', 'eng/unlisted-fc']);
    expect(byKey['eng/arsenal-fc']).toMatchObject({ name: 'Arsenal FC', foundedYear: 1886, country: 'GB-ENG' });
    expect(byKey['eng/unlisted-fc']).toEqual({
      type: 'CLUB',
      name: 'Unlisted FC',
      country: 'GB-ENG',
      sports: ['FOOTBALL'],
      status: 'ACTIVE',
    });
  });

  test('a match is finished with its result by half, at its local time', () => {
    const plan = season(league({ ...derby, time: '15:00', score: { ht: [1, 0], ft: [1, 2] } }), { timeZone: 'Europe/London' });
    expect(plan.finished).toEqual(['english-premier-league/2018-19']);
    const participant = (club: string) => `participants english-premier-league/2018-19/${club}`;
    expect(rowsOf(plan, 'matches').byKey['english-premier-league/2018-19/cardiff-city/arsenal']).toEqual({
      seasonId: 'seasons english-premier-league/2018-19',
      stageId: 'stages english-premier-league/2018-19/league',
      round: 'Matchday 1',
      matchday: 1,
      date: '2018-08-11',
      startTime: '2018-08-11T14:00:00Z',
      timeZone: 'Europe/London',
      participants: [
        { participantId: participant('wal/cardiff-city-fc'), side: 'HOME' },
        { participantId: participant('eng/arsenal-fc'), side: 'AWAY' },
      ],
      status: 'FINISHED',
      result: {
        status: 'OFFICIAL',
        duration: 'REGULAR',
        participants: [
          { participantId: participant('wal/cardiff-city-fc'), score: 1, periodScores: [1, 0] },
          { participantId: participant('eng/arsenal-fc'), score: 2, periodScores: [0, 2] },
        ],
      },
    });
  });

  test('a season with a match to come stays open, and without a time zone a match has its day only', () => {
    const plan = season(league({ ...derby, time: '15:00' }));
    expect(plan.finished).toEqual([]);
    const [match] = Object.values(rowsOf(plan, 'matches').byKey);
    expect(match).toMatchObject({ date: '2018-08-11' });
    for (const member of ['startTime', 'status', 'result']) expect(match).not.toHaveProperty(member);
  });

  test('the tie-break is a published set of rules', () => {
    const rules = (options: Partial<SeasonOptions>) =>
      rowsOf(season(league(derby), options), 'seasons').byKey['english-premier-league/2018-19'];
    // Without an option only a new season gets rules: those that the organizer changed stay.
    expect(rules({})).not.toHaveProperty('rankingRules');
    const initial = season(league(derby)).steps.flatMap(({ drafts }) =>
      drafts.flatMap((draft) => ('members' in draft ? (draft.initial ?? []) : [])),
    );
    expect(initial).toContainEqual({ rankingRules: { ruleSet: 'FOOTBALL' } });
    expect(rules({ points: [2, 1, 0] })).toMatchObject({
      rankingRules: { ruleSet: 'FOOTBALL', points: { win: 2, draw: 1, loss: 0 } },
    });
    expect(rules({ tieBreak: 'head-to-head' })).toMatchObject({ rankingRules: { ruleSet: 'FOOTBALL_HEAD_TO_HEAD' } });
  });

  test('points are deducted from teams in the season, by any of their names', () => {
    const deductions = ['FC Arsenal=8:Breach of the rules: twice', 'Everton=2:x'].map(readDeduction);
    const { byKey, rejected } = rowsOf(season(league(derby), { deductions }), 'adjustments');
    expect(byKey).toEqual({
      'english-premier-league/2018-19/deduction/eng/arsenal-fc/1': {
        participantId: 'participants english-premier-league/2018-19/eng/arsenal-fc',
        points: -8,
        reason: 'Breach of the rules: twice',
      },
    });
    expect(rejected).toEqual([['--deduct Everton', ['does not play in this season']]]);
    expect(() => readDeduction('Everton FC=8')).toThrow('--deduct is TEAM=POINTS:REASON');
  });

  test('teams that meet at home twice have two matches', () => {
    expect(Object.keys(rowsOf(season(league(derby, { ...derby, date: '2019-01-01' })), 'matches').byKey)).toEqual([
      'english-premier-league/2018-19/cardiff-city/arsenal',
      'english-premier-league/2018-19/cardiff-city/arsenal/2',
    ]);
  });

  test('a match that cannot have been played is rejected with the reason', () => {
    const score = { ht: [2, 0], ft: [1, 0], et: [0, 0], p: [3, 3] };
    const impossible = [
      { ...derby, team2: 'Cardiff City' },
      { ...derby, score },
      { ...derby, date: '2018-08-12', score: { ft: [99, 0] } },
    ];
    expect(rowsOf(season(league(derby, ...impossible)), 'matches').rejected.map(([, reasons]) => reasons)).toEqual([
      ['Cardiff City cannot play against itself'],
      [
        'half-time 2-0 exceeds full-time 1-0',
        'full-time 1-0 exceeds the score after extra time, 0-0',
        'the shoot-out 3-3 has no winner',
      ],
      ['the score 99-0 is not plausible: a side has at most 40 goals'],
    ]);
  });

  test('a match that cannot be read is rejected with every reason', () => {
    const odd = { ...derby, date: '2018-02-30', time: 'noon', team2: '', score: { ft: [1] } };
    expect(rowsOf(season(league(derby, odd)), 'matches').rejected).toEqual([
      [
        'match 2',
        ['two teams are required', 'date is not a calendar day: 2018-02-30', 'time is not HH:MM: noon', 'score is invalid'],
      ],
    ]);
    expect(() => season('{"rounds": []}')).toThrow('does not have the format of football.json');
    expect(() => season(league(derby), { country: '' })).toThrow('--country');
  });

  test('the country of a league comes from its file name', () => {
    expect(['2018-19_en.1.json', 'es.1.json', 'de.2.json', 'season.json'].map(leagueOfFile)).toEqual(['eng', 'es', 'de', '']);
  });
});
