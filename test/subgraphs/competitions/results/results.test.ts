/** Results of two sides: outcomes, shoot-outs, forfeits and sets, and their violations. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { GivenResult, MatchFacts } from '../../../../subgraphs/competitions/results/facts.ts';
import { readResult } from '../../../../subgraphs/competitions/results/read-result.ts';

const facts: MatchFacts = {
  sport: 'FOOTBALL',
  eventCode: null,
  stageType: 'LEAGUE',
  bestOf: null,
  inTie: false,
  participantIds: ['a', 'b'],
};

type Side = Partial<GivenResult['participants'][number]>;

const given = (one: Side, other: Side, more: Partial<GivenResult> = {}): GivenResult => ({
  participants: [
    { participantId: 'a', ...one },
    { participantId: 'b', ...other },
  ],
  ...more,
});

const outcomes = (input: GivenResult, of: MatchFacts = facts) => {
  const { result, violations } = readResult(input, of);
  expect(violations).toEqual([]);
  return result.parts.map(({ outcome }) => outcome);
};

const violationsOf = (result: GivenResult, of: MatchFacts = facts, pointer = '') =>
  readResult(result, of, pointer).violations.map((violation) => `${violation.pointer ?? ''} ${violation.code}`);

describe('a result of two sides', () => {
  test('scores determine the outcome, and a shoot-out decides a drawn score', () => {
    expect(outcomes(given({ score: 2 }, { score: 1 }))).toEqual(['WIN', 'LOSS']);
    expect(outcomes(given({ score: 1 }, { score: 1 }))).toEqual(['DRAW', 'DRAW']);
    const shootout = given({ score: 1, shootoutScore: 3 }, { score: 1, shootoutScore: 4 }, { duration: 'PENALTY_SHOOTOUT' });
    expect(outcomes(shootout)).toEqual(['LOSS', 'WIN']);
  });

  test('one outcome determines the other, and a forfeit determines both', () => {
    expect(outcomes(given({ outcome: 'NO_CONTEST' }, {}))).toEqual(['NO_CONTEST', 'NO_CONTEST']);
    expect(outcomes(given({}, { outcome: 'WIN' }))).toEqual(['LOSS', 'WIN']);
    expect(outcomes(given({ forfeit: true }, {}))).toEqual(['LOSS', 'WIN']);
    expect(outcomes(given({ forfeit: true }, { forfeit: true }))).toEqual(['LOSS', 'LOSS']);
    expect(outcomes(given({ score: 3, forfeit: true }, { score: 0 }))).toEqual(['LOSS', 'WIN']);
  });

  test('a side that loses by walkover forfeits', () => {
    const { result } = readResult(given({ outcome: 'WIN' }, {}, { endedBy: { method: 'WALKOVER' } }), facts);
    expect(result.parts.map(({ forfeit }) => forfeit)).toEqual([false, true]);
  });

  test.each<[string, GivenResult, string[]]>([
    ['two winners', given({ outcome: 'WIN' }, { outcome: 'WIN' }), ['/participants/1/outcome contradiction']],
    ['two losers without a forfeit', given({ outcome: 'LOSS' }, { outcome: 'LOSS' }), ['/participants/1/outcome contradiction']],
    [
      'a winner with the lower score',
      given({ score: 0, outcome: 'WIN' }, { score: 1 }),
      ['/participants/0/outcome contradicts_score'],
    ],
    ['a winner of a draw', given({ score: 1, outcome: 'WIN' }, { score: 1 }), ['/participants/0/outcome contradicts_score']],
    ['the score of one side only', given({ score: 1 }, {}), ['/participants/1/score required']],
    ['nothing', given({}, {}), ['/participants/0/outcome required']],
    [
      'invalid periods',
      given({ periodScores: [100_001, 0] }, { periodScores: [0, 1] }),
      ['/participants/0/periodScores out_of_range', '/participants/0/periodScores out_of_range'],
    ],
    [
      'periods with an impossible sum',
      given({ periodScores: [60_000, 60_000] }, { periodScores: [0, 1] }),
      ['/participants/0/periodScores out_of_range'],
    ],
    ['a winner that forfeits', given({ outcome: 'WIN', forfeit: true }, {}), ['/participants/0/forfeit contradiction']],
    [
      'a shoot-out in regular time',
      given({ score: 1, shootoutScore: 2 }, { score: 1, shootoutScore: 1 }),
      ['/participants/0/shootoutScore no_shootout'],
    ],
    [
      'a level shoot-out',
      given({ score: 1, shootoutScore: 2 }, { score: 1, shootoutScore: 2 }, { duration: 'PENALTY_SHOOTOUT' }),
      ['/participants/0/shootoutScore shootout_level'],
    ],
    [
      'a shoot-out after a win',
      given({ score: 2, shootoutScore: 2 }, { score: 1, shootoutScore: 1 }, { duration: 'PENALTY_SHOOTOUT' }),
      ['/participants/0/shootoutScore not_drawn'],
    ],
    [
      'a retirement without a winner',
      given({ score: 1 }, { score: 0 }, { endedBy: { method: 'RETIREMENT' } }),
      ['/participants/0/outcome required'],
    ],
    ['a drawn walkover', given({ outcome: 'DRAW' }, {}, { endedBy: { method: 'WALKOVER' } }), ['/endedBy/method no_winner']],
    [
      'a knock-out in football',
      given({ outcome: 'WIN' }, {}, { endedBy: { method: 'KO_TKO' } }),
      ['/endedBy/method not_in_sport'],
    ],
    ['tries in football', given({ score: 1, tries: 1 }, { score: 0 }), ['/participants/0/tries not_in_sport']],
    [
      'periods above the score',
      given({ score: 1, periodScores: [1, 1] }, { score: 0, periodScores: [0, 0] }),
      ['/participants/0/periodScores contradicts_score'],
    ],
    [
      'periods of one side',
      given({ score: 1, periodScores: [1] }, { score: 0 }),
      ['/participants/1/periodScores periods_differ'],
    ],
    ['a mark without an event', given({ score: 1, mark: { value: 9 } }, { score: 0 }), ['/participants/0/mark not_measured']],
    ['a tennis score as text', given({}, {}, { scoreText: '6-4 6-4' }), ['/scoreText not_in_sport']],
    ['one side only', { participants: [{ participantId: 'a', score: 1 }] }, ['/participants required']],
  ])('%s is rejected', (_, result, expected) => {
    expect(violationsOf(result)).toEqual(expected);
  });

  test('in a second leg a shoot-out may follow any score; judges and endings may overrule a score', () => {
    const shootout = given({ score: 2, shootoutScore: 2 }, { score: 1, shootoutScore: 4 }, { duration: 'PENALTY_SHOOTOUT' });
    expect(outcomes(shootout, { ...facts, inTie: true })).toEqual(['WIN', 'LOSS']);
    expect(outcomes(given({ score: 3 }, { score: 3, outcome: 'WIN' }), { ...facts, sport: 'COMBAT' })).toEqual(['LOSS', 'WIN']);
    const stopped = given(
      { score: 10 },
      { score: 30, outcome: 'LOSS' },
      { endedBy: { method: 'SUBMISSION', period: 2, clockMs: 61000 } },
    );
    expect(outcomes(stopped, { ...facts, sport: 'COMBAT' })).toEqual(['WIN', 'LOSS']);
    expect(outcomes(given({ score: 1 }, { score: 2, outcome: 'LOSS' }, { endedBy: { method: 'AWARDED' } }))).toEqual([
      'WIN',
      'LOSS',
    ]);
  });

  test('the outcome does not depend on the order of the sides', () => {
    const side = fc.record({
      outcome: fc.constantFrom('WIN' as const, 'LOSS' as const, 'DRAW' as const, 'NO_CONTEST' as const, null),
      score: fc.option(fc.integer({ min: 0, max: 3 })),
      shootoutScore: fc.option(fc.integer({ min: 0, max: 3 })),
      forfeit: fc.boolean(),
    });
    const duration = fc.constantFrom('REGULAR' as const, 'EXTRA_TIME' as const, 'PENALTY_SHOOTOUT' as const);
    fc.assert(
      fc.property(side, side, duration, (one, other, length) => {
        const there = readResult(given(one, other, { duration: length }), facts);
        const back = readResult(
          {
            participants: [
              { participantId: 'b', ...other },
              { participantId: 'a', ...one },
            ],
            duration: length,
          },
          facts,
        );
        expect(back.violations.length > 0).toBe(there.violations.length > 0);
        expect(back.result.parts).toEqual(there.result.parts);
        if (there.violations.length > 0) return;
        const pair = there.result.parts.map(({ outcome }) => outcome).join(' ');
        expect(['WIN LOSS', 'LOSS WIN', 'DRAW DRAW', 'NO_CONTEST NO_CONTEST', 'LOSS LOSS']).toContain(pair);
      }),
    );
  });
});

describe('a result in sets', () => {
  const tennis: MatchFacts = { ...facts, sport: 'TENNIS' };

  test('a tennis score contains sets, games and tie-breaks of both sides', () => {
    const { result, violations } = readResult(given({}, {}, { scoreText: '6-4 3-6 7-6(5)' }), tennis);
    expect(violations).toEqual([]);
    expect(result.parts).toEqual([
      expect.objectContaining({ outcome: 'WIN', score: 2, periodScores: [6, 3, 7], tieBreakScores: [null, null, 7] }),
      expect.objectContaining({ outcome: 'LOSS', score: 1, periodScores: [4, 6, 6], tieBreakScores: [null, null, 5] }),
    ]);
  });

  test('a match tie-break is a set with one game', () => {
    const { result } = readResult(given({}, {}, { scoreText: '6-4 3-6 [7-10]' }), tennis);
    expect(result.parts[1]).toMatchObject({
      outcome: 'WIN',
      score: 2,
      periodScores: [4, 6, 1],
      tieBreakScores: [null, null, 10],
    });
  });

  test('a retirement requires a winner and keeps the won sets', () => {
    expect(violationsOf(given({}, {}, { scoreText: '6-3 2-1 ret.' }), tennis)).toEqual(['/participants/0/outcome required']);
    const { result, violations } = readResult(given({}, { outcome: 'WIN' }, { scoreText: '6-3 2-1 ret.' }), tennis);
    expect(violations).toEqual([]);
    expect(result).toMatchObject({
      endedBy: { method: 'RETIREMENT' },
      parts: [
        { outcome: 'LOSS', score: 1 },
        { outcome: 'WIN', score: 0 },
      ],
    });
  });

  test('a retirement can be recorded in `endedBy` instead of the text', () => {
    const retired = { scoreText: '6-3 2-1', endedBy: { method: 'RETIREMENT' } } as const;
    expect(violationsOf(given({}, {}, retired), tennis)).toEqual(['/participants/0/outcome required']);
    expect(readResult(given({ outcome: 'WIN' }, {}, retired), tennis)).toMatchObject({
      violations: [],
      result: { endedBy: { method: 'RETIREMENT' }, parts: [{ outcome: 'WIN', score: 1 }, { outcome: 'LOSS' }] },
    });
    expect(violationsOf(given({}, {}, { ...retired, scoreText: '6-3 6-1' }), { ...tennis, bestOf: 3 })).toEqual([
      '/scoreText match_over',
    ]);
  });

  test('best of five follows from the match or from the text', () => {
    expect(outcomes(given({}, {}, { scoreText: '6-4 6-4 6-4' }), tennis)).toEqual(['WIN', 'LOSS']);
    expect(violationsOf(given({}, {}, { scoreText: '6-4 6-4' }), { ...tennis, bestOf: 5 })).toEqual([
      '/scoreText match_unfinished',
    ]);
    expect(violationsOf(given({}, {}, { scoreText: '8-5 6-4' }), tennis)).toEqual(['/scoreText set_impossible']);
    expect(violationsOf(given({ score: 2 }, { score: 0 }, { scoreText: '6-4 6-4' }), tennis)).toEqual(['/scoreText one_of']);
    expect(violationsOf(given({}, {}, { scoreText: '6-3 2-1 ret.', endedBy: { method: 'WALKOVER' } }), tennis)).toContain(
      '/endedBy/method contradiction',
    );
  });

  test('sets determine the score and cannot contradict it', () => {
    const volleyball: MatchFacts = { ...facts, sport: 'VOLLEYBALL' };
    const { result } = readResult(given({ periodScores: [25, 20, 25, 25] }, { periodScores: [20, 25, 18, 23] }), volleyball);
    expect(result.parts).toEqual([
      expect.objectContaining({ outcome: 'WIN', score: 3 }),
      expect.objectContaining({ outcome: 'LOSS', score: 1 }),
    ]);
    const wrong = given({ score: 3, periodScores: [25, 20] }, { score: 0, periodScores: [20, 25] });
    expect(violationsOf(wrong, volleyball)).toEqual(['/participants/1/periodScores contradicts_score']);
    expect(outcomes(given({ periodScores: [20, 18] }, { periodScores: [11, 30] }), { ...facts, sport: 'BASKETBALL' })).toEqual([
      'LOSS',
      'WIN',
    ]);
  });
});
