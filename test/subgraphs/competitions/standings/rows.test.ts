/** Rows of a table: points, bonus points, deductions, form, zones, and which matches count. */
import { describe, expect, test } from '@jest/globals';
import { rankingRuleSets } from '../../../../schema/ranking-rules.ts';
import type { TableInput } from '../../../../subgraphs/competitions/standings/table-input.ts';
import { places, played, rowOf, rules, season, table, tieBreakText } from './matches.ts';

const { FOOTBALL, RUGBY, RUGBY_SIX_NATIONS } = rankingRuleSets;

describe('points', () => {
  test.each([
    ['a win with four tries', played('A 27-19 B', { tries: [4, 2] }), [5, 1], [0, 0]],
    ['a win with three, and a defeat by seven', played('A 27-20 B', { tries: [3, 2] }), [4, 0], [1, 1]],
    ['a defeat by seven with four tries', played('A 27-20 B', { tries: [2, 4] }), [4, 0], [2, 2]],
    ['a draw with four tries', played('A 27-27 B', { tries: [4, 3] }), [3, 1], [2, 0]],
    ['a forfeit', played('A 28-0 B', { tries: [4, 4], forfeit: 1 }), [5, 1], [0, 0]],
  ])('rugby: %s', (_says, match, home, away) => {
    const rows = table(RUGBY, [match]);
    const of = (id: string) => [rowOf(rows, id).points, rowOf(rows, id).bonusPoints];
    expect([of('A'), of('B')]).toEqual([home, away]);
  });

  test('rugby: bonus points count in the table, but not in head-to-head', () => {
    // A and B drew, B with a bonus for tries. Both have seven points, and A has the better difference.
    const drawn = played('A 20-20 B', { tries: [2, 4] });
    const matches = season(drawn, played('A 50-10 C', { tries: [8, 1] }), 'B 12-9 C', { ...played('D 40-0 C') });
    const rows = table(RUGBY, matches);
    expect([rowOf(rows, 'A').points, rowOf(rows, 'B').points]).toEqual([7, 7]);
    expect(tieBreakText(rowOf(rows, 'A')).chain).toEqual(['HEAD_TO_HEAD_POINTS 2 against B 2', 'DIFFERENCE 40 against B 3']);
  });

  describe('the Grand Slam', () => {
    const bonusOf = (input: Partial<TableInput>, ...lines: string[]) =>
      rowOf(table(RUGBY_SIX_NATIONS, season(...lines), input), 'A').bonusPoints;

    test('is earned by winning every match', () => expect(bonusOf({}, 'A 30-10 B', 'C 10-30 A')).toBe(3));
    test('is lost by a draw', () => expect(bonusOf({}, 'A 30-10 B', 'C 10-10 A')).toBe(0));
    test('waits for the last match', () => {
      expect(bonusOf({ openMatches: [['C', 'A']] }, 'A 30-10 B')).toBe(0);
      expect(bonusOf({ openMatches: [['C', 'B']] }, 'A 30-10 B')).toBe(3);
      expect(bonusOf({ options: { asOfMs: 0 } }, 'A 30-10 B', 'C 10-30 A')).toBe(0);
    });
    test('does not apply to home tables and to teams without a match', () => {
      expect(bonusOf({ options: { type: 'HOME' } }, 'A 30-10 B', 'C 10-30 A')).toBe(0);
      expect(rowOf(table(RUGBY_SIX_NATIONS, [], { participants: ['A'] }), 'A').bonusPoints).toBe(0);
    });
  });

  test('extra time and a shoot-out share the points where the rules say so', () => {
    const hockey = rules({ points: { win: 3, draw: 1, loss: 0, winExtra: 2, lossExtra: 1 } });
    const shootout = played('C 1-1 D', {
      match: { duration: 'PENALTY_SHOOTOUT' },
      sides: [{ outcome: 'LOSS' }, { outcome: 'WIN' }],
    });
    const rows = table(hockey, season(played('A 3-2 B', { match: { duration: 'EXTRA_TIME' } }), shootout, 'E 2-0 F'));
    expect(rows.map(({ participantId, points }) => `${participantId} ${points}`)).toEqual([
      'E 3',
      'A 2',
      'D 2',
      'C 1',
      'B 1',
      'F 0',
    ]);
    expect(rowOf(rows, 'D')).toMatchObject({ won: 1, draw: 0, scoreFor: 1, scoreAgainst: 1 });
  });

  test('recorded points replace those of the rules', () => {
    const sides = [
      { points: 2, bonusPoints: 0.5 },
      { points: null, bonusPoints: null },
    ] as const;
    const rows = table(RUGBY, [played('A 0-0 B', { outcome: 'NO_CONTEST', sides }), played('B 9-0 C', { tries: [4, 0] })]);
    expect(rowOf(rows, 'A')).toMatchObject({ points: 2.5, bonusPoints: 0.5, matchesPlayed: 0, form: [], scoreFor: 0 });
    expect(rowOf(rows, 'B')).toMatchObject({ points: 5, matchesPlayed: 1 });
  });

  test('deductions and additions are summed, with their reasons', () => {
    const adjust = (points: number, reason: string) => ({ participantId: 'A', points, reason });
    const rows = table(FOOTBALL, season('A 1-0 B'), { adjustments: [adjust(-6, 'Debts'), adjust(1, 'Appeal')] });
    expect(rows[1]).toMatchObject({ participantId: 'A', points: -2, pointsDeducted: { value: 5, reasons: ['Debts', 'Appeal'] } });
    expect(rows[0]).toMatchObject({ participantId: 'B', points: 0, pointsDeducted: { value: 0, reasons: [] } });
  });
});

describe('a row', () => {
  test('exists for a participant without a match', () => {
    const rows = table(FOOTBALL, season('A 1-0 B'), { participants: ['C', 'B', 'A'] });
    expect(places(rows)).toBe('1 A, 2 C, 3 B');
    expect(rowOf(rows, 'C')).toMatchObject({ matchesPlayed: 0, points: 0, form: [] });
    expect(table(FOOTBALL, [])).toEqual([]);
  });

  test('a match against a participant of another table counts for the listed one', () => {
    expect(table(FOOTBALL, season('A 1-0 Z'), { participants: ['A', 'B'] }).map(({ points }) => points)).toEqual([3, 0]);
  });

  test('form is the last five outcomes, most recent last', () => {
    const results = ['A 1-0 B', 'A 0-1 B', 'A 1-1 B', 'B 0-1 A', 'B 1-0 A', 'B 0-1 A'];
    expect(rowOf(table(FOOTBALL, season(...results).toReversed()), 'A').form).toEqual(['LOSS', 'DRAW', 'WIN', 'LOSS', 'WIN']);
  });

  test('zones depend on the position, so tied participants share a zone', () => {
    const zones = [
      { code: 'PROMOTION', from: 1, to: 1 },
      { code: 'RELEGATION', from: 4, to: 5 },
    ];
    const rows = table(rules({ zones }), season('A 1-0 B', 'C 0-0 D', 'B 0-0 E', 'A 1-0 E'));
    expect(rows.map(({ position, zone }) => [position, zone])).toEqual([
      [1, 'PROMOTION'],
      [2, null],
      [2, null],
      [4, 'RELEGATION'],
      [4, 'RELEGATION'],
    ]);
    expect(table(rules({ zones }), season('A 1-0 B'), { options: { type: 'HOME' } })[0]?.zone).toBeNull();
  });

  test('the tie-break of three lists the comparisons of each step', () => {
    const rows = table(FOOTBALL, season('A 1-0 X', 'B 3-1 X', 'C 4-2 X'));
    expect(tieBreakText(rowOf(rows, 'B'))).toEqual({
      decisive: 'FOR 3 against C 4',
      chain: ['DIFFERENCE 2 against C 2, A 1', 'FOR 3 against C 4'],
    });
    expect(tieBreakText(rowOf(rows, 'A')).chain).toEqual(['DIFFERENCE 1 against B 2, C 2']);
    expect(rowOf(rows, 'X').tieBreak).toBeNull();
  });
});

describe('which matches count', () => {
  const matches = season(
    played('A 2-1 B', { match: { matchday: 1 } }),
    played('B 3-0 A', { match: { matchday: 2 } }),
    played('A 1-0 B', { match: { matchday: 3, provisional: true } }),
    played('A 7-0 B', { sides: [{ venue: null }, { venue: null }] }),
  );
  const pointsWith = (options: TableInput['options']) => {
    const rows = table(FOOTBALL, matches, { options });
    return [rowOf(rows, 'A').points, rowOf(rows, 'B').points];
  };

  test.each([
    [{}, [6, 3]],
    [{ live: true }, [9, 3]],
    [{ type: 'HOME' }, [3, 3]],
    [{ type: 'AWAY' }, [0, 0]],
    [{ type: 'HOME', live: true }, [6, 3]],
    [{ asOfMs: 0 }, [3, 0]],
    [{ asOfMs: 1 }, [3, 3]],
    [{ matchday: 1 }, [3, 0]],
    [{ matchday: 3 }, [3, 3]],
    [{ matchday: 3, live: true }, [6, 3]],
  ] as const)('%j', (options, points) => expect(pointsWith(options)).toEqual(points));
});
