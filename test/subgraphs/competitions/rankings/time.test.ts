/** Stage races: accumulated time with gaps and ties, withdrawals, vacated places, and the other classifications. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  generalClassification,
  type StageTime,
  type StageTimes,
} from '../../../../subgraphs/competitions/rankings/accumulated-time.ts';
import {
  pointsClassification,
  youthClassification,
  type PointsAward,
} from '../../../../subgraphs/competitions/rankings/classifications.ts';
import { teamClassification } from '../../../../subgraphs/competitions/rankings/team-classification.ts';
import { stage } from './results.ts';

const rows = (...given: Parameters<typeof generalClassification>): string[] =>
  generalClassification(...given).rows.map(
    ({ rank, participantId, timeMs, gapMs, vacated }) => `${rank} ${vacated ? '(empty)' : participantId} ${timeMs} +${gapMs}`,
  );

describe('the general classification', () => {
  test('adds stages, deducts bonuses, adds penalties and adjustments', () => {
    const stages = [
      stage(1, { A: 1_000, B: { timeMs: 1_010, bonusMs: 20 } }),
      stage(2, { A: { timeMs: 1_000, penaltyMs: 5 }, B: 1_000 }),
    ];
    expect(rows(stages)).toEqual(['1 B 1990 +0', '2 A 2005 +15']);
    expect(rows(stages, { adjustments: [{ participantId: 'B', timeMs: 20 }] })).toEqual(['1 A 2005 +0', '2 B 2010 +5']);
    expect(generalClassification(stages).rows[0]).toMatchObject({ bonusMs: 20, penaltyMs: 0 });
  });

  test('a tie is decided by fractions of time trials, then the sum of placings, then the last stage', () => {
    const tied = (one: Partial<StageTime>[], other: Partial<StageTime>[], kind: StageTimes['kind'] = 'ROAD') =>
      generalClassification(
        one.map((result, index) =>
          stage(
            index + 1,
            { A: { timeMs: 1_000, ...result }, B: { timeMs: 1_000, ...other[index] } },
            index === 0 ? kind : 'ROAD',
          ),
        ),
      ).rows.map(({ participantId, rank, separatedBy }) => `${rank} ${participantId} ${separatedBy}`);
    expect(tied([{ fractionMs: 500, place: 1 }, { place: 1 }], [{ fractionMs: 400, place: 2 }, { place: 2 }])).toEqual([
      '1 B TIME_TRIAL_FRACTIONS',
      '2 A TIME_TRIAL_FRACTIONS',
    ]);
    expect(tied([{ place: 9 }, { place: 1 }], [{ place: 2 }, { place: 3 }])).toEqual([
      '1 B STAGE_PLACINGS',
      '2 A STAGE_PLACINGS',
    ]);
    expect(tied([{ place: 9 }, { place: 1 }], [{ place: 2 }, { place: 3 }], 'TEAM_TIME_TRIAL')).toEqual([
      '1 A STAGE_PLACINGS',
      '2 B STAGE_PLACINGS',
    ]);
    expect(tied([{ place: 3 }, { place: 2 }], [{ place: 4 }, { place: 1 }])).toEqual(['1 B LAST_STAGE', '2 A LAST_STAGE']);
    expect(tied([{ place: 3 }, {}], [{ place: 4 }, { place: 1 }])).toEqual(['1 A null', '1 B null']);
  });

  test('a rider who does not finish, exceeds the time limit or is missing leaves, and is listed with the stage', () => {
    const stages = [
      stage(1, { A: 900, B: 800, C: 700, D: { timeMs: 1_500, invalidResultMark: 'OTL' } }),
      stage(2, { A: 900, B: { timeMs: null, invalidResultMark: 'DNF' } }),
      stage(3, { A: 900, B: 100, C: 100, E: 100 }),
    ];
    expect(rows(stages)).toEqual(['1 A 2700 +0']);
    expect(generalClassification(stages).out).toEqual([
      { participantId: 'B', stageId: 'stage-2', invalidResultMark: 'DNF' },
      { participantId: 'C', stageId: 'stage-2', invalidResultMark: null },
      { participantId: 'D', stageId: 'stage-1', invalidResultMark: 'OTL' },
      { participantId: 'E', stageId: 'stage-1', invalidResultMark: null },
    ]);
    expect(rows(stages.slice(0, 1))).toEqual(['1 C 700 +0', '2 B 800 +100', '3 A 900 +200']);
  });

  test('stages are ordered by `order`, not by ID', () => {
    const stages = [
      stage(10, { A: { timeMs: 1, place: 2 }, B: { timeMs: 1, place: 1 } }),
      stage(9, { A: { timeMs: 1, place: 1 }, B: { timeMs: 1, place: 2 } }),
    ];
    expect(rows(stages)).toEqual(['1 B 2 +0', '2 A 2 +0']);
  });

  test('a vacated place stays vacant: ranks and gaps of others do not change', () => {
    const stages = [stage(1, { A: 1_000, B: 1_030, C: 1_030, D: 1_100 })];
    expect(rows(stages, { vacated: ['A'] })).toEqual(['1 (empty) 1000 +0', '2 B 1030 +30', '2 C 1030 +30', '4 D 1100 +100']);
  });

  const race = fc.array(fc.array(fc.nat({ max: 5 }), { minLength: 6, maxLength: 6 }), { minLength: 1, maxLength: 5 });
  const stagesOf = (times: number[][]): StageTimes[] =>
    times.map((each, index) => stage(index, Object.fromEntries(each.map((timeMs, rider) => [`R${rider}`, timeMs]))));

  test('of a race with a single result, the recorded places are the ranks, and missing places stay vacant', () => {
    const end = { A: { timeMs: 1_000, place: 2 }, B: { timeMs: 1_005, place: 4 }, C: { timeMs: 1_005, place: 5 } };
    expect(rows([stage(1, end)])).toEqual(['2 A 1000 +0', '4 B 1005 +5', '5 C 1005 +5']);
    const winner = { W: { timeMs: 990, place: 1 } };
    expect(rows([stage(1, { ...end, ...winner })], { vacated: ['W'] })[0]).toBe('1 (empty) 990 +0');
    expect(rows([stage(1, { ...end, C: { timeMs: 1_005, place: 4 } })]).slice(1)).toEqual(['4 B 1005 +5', '4 C 1005 +5']);
    // Neither with a second stage, nor where the times contradict them.
    expect(rows([stage(1, end), stage(2, { A: 1, B: 1, C: 1 })])[0]).toBe('1 A 1001 +0');
    expect(rows([stage(1, { ...end, A: { timeMs: 2_000, place: 2 } })])[0]).toBe('1 B 1005 +0');
    expect(rows([stage(1, end)], { adjustments: [{ participantId: 'A', timeMs: 1 }] })[0]).toBe('1 A 1001 +0');
  });

  test('is the sum of its stages, and the order of the input does not matter', () => {
    fc.assert(
      fc.property(race, (times) => {
        const stages = stagesOf(times);
        const general = generalClassification(stages);
        const reversed = stages.toReversed().map((each) => ({ ...each, results: each.results.toReversed() }));
        expect(generalClassification(reversed)).toEqual(general);
        for (const { participantId, timeMs, gapMs, rank } of general.rows) {
          expect(timeMs).toBe(times.reduce((sum, each) => sum + (each[Number(participantId.slice(1))] ?? 0), 0));
          expect(rank).toBe(1 + general.rows.filter((row) => row.timeMs < timeMs).length);
          expect(gapMs).toBe(timeMs - (general.rows[0]?.timeMs ?? 0));
        }
      }),
    );
  });

  test('vacating a place does not change other riders', () => {
    fc.assert(
      fc.property(race, fc.subarray(['R0', 'R1', 'R2', 'R3', 'R4', 'R5']), (times, vacated) => {
        const before = generalClassification(stagesOf(times)).rows;
        const after = generalClassification(stagesOf(times), { vacated }).rows;
        expect(after.map((row) => ({ ...row, vacated: false }))).toEqual(before);
        expect(after.flatMap((row) => (row.vacated ? [row.participantId] : [])).toSorted()).toEqual(vacated);
      }),
    );
  });
});

describe('the other classifications', () => {
  const general = generalClassification([
    stage(1, { A: 100, B: 200, C: 300, D: 400, OUT: 50 }),
    stage(2, { A: 100, B: 100, C: 100, D: 100 }),
  ]);
  const award = (
    participantId: string,
    points: number,
    at: PointsAward['at'],
    place: number,
    category?: number,
  ): PointsAward => ({
    participantId,
    points,
    at,
    place,
    ...(category !== undefined && { category }),
  });
  const summaryOf = (kind: 'POINTS' | 'MOUNTAINS', awards: PointsAward[]): string[] =>
    pointsClassification(kind, awards, general).map(
      ({ rank, participantId, points, separatedBy }) => `${rank} ${participantId} ${points} ${separatedBy}`,
    );

  test('points are summed; stage wins, sprint wins and the general classification decide ties; riders who left have none', () => {
    expect(
      summaryOf('POINTS', [
        ...[award('A', 10, 'STAGE', 3), award('B', 10, 'SPRINT', 1), award('C', 10, 'STAGE', 1), award('OUT', 50, 'STAGE', 1)],
        ...[award('D', 20, 'STAGE', 2), award('D', -10, 'STAGE', 2)],
      ]),
    ).toEqual(['1 C 10 STAGE_WINS', '2 B 10 SPRINT_WINS', '3 A 10 GENERAL_CLASSIFICATION', '4 D 10 GENERAL_CLASSIFICATION']);
  });

  test('in the mountains classification, first places of the hardest category decide', () => {
    expect(
      summaryOf('MOUNTAINS', [
        award('A', 10, 'CLIMB', 1, 2),
        award('B', 10, 'CLIMB', 1, 0),
        award('C', 10, 'CLIMB', 1, 1),
        award('D', 11, 'CLIMB', 2),
      ]),
    ).toEqual(['1 D 11 null', '2 B 10 CLIMB_WINS', '3 C 10 CLIMB_WINS', '4 A 10 CLIMB_WINS']);
  });

  test('the youth classification is the general classification of the eligible riders, with gaps to the first of them', () => {
    expect(
      youthClassification(general, new Set(['B', 'D', 'OUT'])).map(({ rank, participantId, gapMs }) => [
        rank,
        participantId,
        gapMs,
      ]),
    ).toEqual([
      [1, 'B', 0],
      [2, 'D', 200],
    ]);
  });

  const teamOf = new Map(['X1', 'X2', 'X3', 'X4', 'Y1', 'Y2', 'Y3', 'Z1', 'Z2', 'Z3'].map((rider) => [rider, rider.slice(0, 1)]));
  const first = stage(1, { X1: 100, X2: 101, X3: 102, X4: 999, Y1: 90, Y2: 110, Y3: 120, Z1: 1, Z2: 1, Z3: 1 });
  const second = stage(2, { X1: 100, X2: 100, X4: 101, Y1: 90, Y2: 90, Y3: 90, Z1: 1, Z2: 1 });
  const teams = (stages: StageTimes[], vacated: string[] = []) =>
    teamClassification(stages, teamOf, generalClassification(stages, { vacated }));

  test('teams sum their three best times of each stage; a team with two finishers is out', () => {
    const { rows: ranked, out } = teams([first, second]);
    expect(ranked.map(({ rank, teamId, timeMs, gapMs }) => [rank, teamId, timeMs, gapMs])).toEqual([
      [1, 'Y', 590, 0],
      [2, 'X', 604, 14],
    ]);
    expect(out).toEqual([{ teamId: 'Z', stageId: 'stage-2' }]);
  });

  test('a vacated rider does not count for the team', () => {
    expect(teams([first, second], ['Y1']).out).toContainEqual({ teamId: 'Y', stageId: 'stage-1' });
  });

  test('tied teams are separated by daily first places, then by their best rider', () => {
    const days = [
      stage(1, { X1: 100, X2: 100, X3: 100, Y1: 101, Y2: 101, Y3: 101, Z1: 200, Z2: 200, Z3: 200 }),
      stage(2, { X1: 100, X2: 100, X3: 100, Y1: 100, Y2: 100, Y3: 102, Z1: 200, Z2: 200, Z3: 200 }),
      stage(3, { X1: 105, X2: 100, X3: 100, Y1: 100, Y2: 100, Y3: 100, Z1: 200, Z2: 200, Z3: 200 }),
    ];
    expect(teams(days).rows.map(({ rank, teamId, separatedBy }) => `${rank} ${teamId} ${separatedBy}`)).toEqual([
      '1 X DAILY_PLACES',
      '2 Y DAILY_PLACES',
      '3 Z null',
    ]);
    const level = [stage(1, { X1: 90, X2: 100, X3: 110, Y1: 80, Y2: 110, Y3: 110 })];
    expect(teams(level).rows.map(({ rank, teamId, separatedBy }) => `${rank} ${teamId} ${separatedBy}`)).toEqual([
      '1 Y BEST_RIDER',
      '2 X BEST_RIDER',
    ]);
  });
});
