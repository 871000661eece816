/** Statistics of a match, and the totals of seasons and careers. */
import { describe, expect, test } from '@jest/globals';
import type { Sport } from '../../../schema/sports.ts';
import type { MatchFacts, Participation } from '../../../subgraphs/athletes/statistics/match-counting.ts';
import { computeMatchRows, computeTotals } from '../../../subgraphs/athletes/statistics/match-statistics.ts';
import { actionCount, id, match, participation, valuesOf } from './participation-fixtures.ts';

const counted = (sport: Sport, more: Partial<Participation>, of: Partial<MatchFacts> = {}) =>
  valuesOf(computeMatchRows(match(sport, [participation(more)], of))[0]);

describe('the statistics of an athlete in a match', () => {
  test('are the metrics of the sport that the facts determine', () => {
    const team = { inTeam: true, teamId: id(5, 1) };
    const actions = [
      actionCount('GOAL', 2),
      actionCount('PENALTY_GOAL', 1),
      actionCount('OWN_GOAL', 1),
      actionCount('GOAL', 3, true),
      actionCount('SECOND_YELLOW_CARD', 1),
    ];
    expect(counted('FOOTBALL', { ...team, actions })).toEqual({ goals: 3, assists: 3, yellowCards: 1, redCards: 1 });
    expect(counted('FOOTBALL', { ...team, minutes: 90 })).toEqual({});
    const keeper = { ...team, position: 'GK', conceded: 0 };
    expect(counted('FOOTBALL', keeper)).toEqual({ cleanSheets: 1, goalsConceded: 0 });
    expect(counted('FOOTBALL', { ...keeper, position: 'LB', conceded: 2 })).toEqual({ cleanSheets: 0 });
    expect(counted('FOOTBALL', { ...keeper, actions: [actionCount('SUBSTITUTION', 1, true)] })).toEqual({});
    expect(counted('HANDBALL', { ...team, actions: [...actions, actionCount('SAVE', 4)] })).toMatchObject({
      goals: 3,
      assists: 3,
      sevenMetreGoals: 1,
      saves: 4,
    });
    const baskets = [
      actionCount('TWO_POINTS', 3),
      actionCount('THREE_POINTS', 2),
      actionCount('FREE_THROW', 1),
      actionCount('TWO_POINTS', 1, true),
    ];
    expect(counted('BASKETBALL', { ...team, actions: baskets })).toEqual({
      points: 13,
      assists: 1,
      fieldGoalsMade: 5,
      threePointersMade: 2,
    });
    expect(counted('RUGBY', { ...team, actions: [actionCount('TRY', 2), actionCount('RED_CARD', 1)] })).toEqual({
      tries: 2,
      redCards: 1,
    });
    expect(counted('TENNIS', { outcome: 'WIN', actions: [actionCount('ACE', 7)] })).toEqual({
      matchesWon: 1,
      winPct: 100,
      aces: 7,
    });
    expect(counted('COMBAT', { outcome: 'WIN', method: 'KO_TKO' })).toEqual({
      wins: 1,
      losses: 0,
      draws: 0,
      noContests: 0,
      knockouts: 1,
      submissions: 0,
    });
    expect(counted('COMBAT', { outcome: 'LOSS', method: 'SUBMISSION' })).toMatchObject({
      losses: 1,
      knockouts: 0,
      submissions: 0,
    });
    const mark = { mark: 10_010, unit: 'ms', reactionTimeMs: 150 };
    expect(counted('ATHLETICS', mark, { eventCode: '100M' })).toEqual({ seasonBestMs: 10_010, reactionTimeMs: 150 });
    expect(counted('ATHLETICS', { ...mark, windMmPerS: 2_100 }, { eventCode: '100M' })).toEqual({ reactionTimeMs: 150 });
    expect(counted('SWIMMING', { ...mark, inTeam: true }, { eventCode: '4X100_FREE' })).toEqual({});
    expect(counted('CYCLING', { rank: 1 }, { eventCode: 'STAGE_RACE' })).toEqual({ stageWins: 1 });
    expect(counted('CYCLING', { rank: 1 }, { eventCode: 'ROAD_RACE' })).toEqual({});
  });

  test('have zeros of scoring metrics if every scorer is recorded, and of assists if assists are recorded', () => {
    const player = { inTeam: true, teamId: id(5, 1) };
    const known = { scorersKnown: true };
    expect(counted('FOOTBALL', player, known)).toEqual({ goals: 0 });
    expect(counted('FOOTBALL', player, { ...known, assistsKnown: true })).toEqual({ goals: 0, assists: 0 });
    expect(counted('FOOTBALL', { ...player, actions: [actionCount('GOAL', 1)] }, known)).toEqual({ goals: 1 });
    expect(counted('BASKETBALL', player, known)).toEqual({ points: 0, fieldGoalsMade: 0, threePointersMade: 0 });
    expect(counted('HANDBALL', player, known)).toEqual({ goals: 0 });
    expect(counted('RUGBY', player, known)).toEqual({});
    expect(computeMatchRows(match('FOOTBALL', [participation({ ...player, played: false })], known))).toEqual([]);
  });

  test('have a zero in a season only if every match has it, and a sum as soon as one match has it', () => {
    const season = (of: readonly Partial<MatchFacts>[], goals = 0) => {
      const rows = of.flatMap((facts, index) =>
        computeMatchRows(
          match(
            'FOOTBALL',
            [participation({ actions: [actionCount('GOAL', index === 0 ? goals : 0)].filter(({ count }) => count > 0) })],
            {
              id: id(2, index + 1),
              ...facts,
            },
          ),
        ),
      );
      return valuesOf(computeTotals(rows).find(({ scope }) => scope === 'SEASON'));
    };
    const known = { scorersKnown: true };
    expect(season([known, known])).toEqual({ goals: 0 });
    expect(season([known, {}])).toEqual({});
    expect(season([{}, known], 2)).toEqual({ goals: 2 });
  });

  test('need an official result in a published season, and a participation', () => {
    expect(computeMatchRows(match('FOOTBALL', [participation()], { counts: false }))).toEqual([]);
    expect(computeMatchRows(match('FOOTBALL', [participation()], { published: false }))).toEqual([]);
    expect(computeMatchRows(match('FOOTBALL', [participation({ played: false })]))).toEqual([]);
    expect(computeMatchRows(match('FOOTBALL', [participation({ minutes: 12 })]))).toMatchObject([
      { matchesPlayed: 1, minutesPlayed: 12 },
    ]);
  });

  test('add up to seasons per team and event, and careers per sport and event', () => {
    const of = (number: number, more: Partial<MatchFacts>, given: Partial<Participation>) =>
      computeMatchRows(
        match('ATHLETICS', [participation({ unit: 'ms', ...given })], { id: id(2, number), eventCode: '100M', ...more }),
      );
    const rows = computeTotals([
      ...of(1, {}, { mark: 10_100 }),
      ...of(2, { date: '2026-06-01' }, { mark: 10_050 }),
      ...of(3, { seasonId: id(3, 2), date: '2027-06-01' }, { mark: 10_200 }),
      ...of(4, { eventCode: '200M' }, { mark: 20_500 }),
      ...computeMatchRows(match('TENNIS', [participation({ outcome: 'LOSS' })], { id: id(2, 5) })),
    ]);
    const totals = rows.map((row) => [
      row.scope,
      row.sport,
      row.eventCode,
      row.seasonId,
      row.matchesPlayed,
      row.asOf,
      valuesOf(row),
    ]);
    expect(totals).toEqual([
      ['SEASON', 'ATHLETICS', '100M', id(3, 1), 2, '2026-06-01', { seasonBestMs: 10_050 }],
      ['SEASON', 'ATHLETICS', '100M', id(3, 2), 1, '2027-06-01', { seasonBestMs: 10_200 }],
      ['SEASON', 'ATHLETICS', '200M', id(3, 1), 1, '2026-05-01', { seasonBestMs: 20_500 }],
      ['SEASON', 'TENNIS', null, id(3, 1), 1, '2026-05-01', { matchesWon: 0, winPct: 0 }],
      ['CAREER', 'ATHLETICS', '100M', null, 3, '2027-06-01', { personalBestMs: 10_050 }],
      ['CAREER', 'ATHLETICS', '200M', null, 1, '2026-05-01', { personalBestMs: 20_500 }],
      ['CAREER', 'TENNIS', null, null, 1, '2026-05-01', { matchesWon: 0, winPct: 0 }],
    ]);
  });
});
