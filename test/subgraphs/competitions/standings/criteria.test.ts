/** Each criterion decides a table made for it, and the row reports it. */
import { describe, expect, test } from '@jest/globals';
import { rankingRuleSets, type TableCriterion } from '../../../../schema/ranking-rules.ts';
import { compareValues } from '../../../../subgraphs/competitions/standings/criteria.ts';
import type { TableInput, TableMatch } from '../../../../subgraphs/competitions/standings/table-input.ts';
import { places, played, rowOf, rules, season, table, tieBreakText } from './matches.ts';

describe('a criterion after points', () => {
  const sets = { scoredInSets: true };
  /** Equal points: three draws, or a win and two losses. */
  const threePoints = season('B 1-0 X', 'B 0-1 Y', 'B 0-1 Z', 'A 0-0 X', 'A 0-0 Y', 'A 0-0 Z');
  const cases: readonly [TableCriterion, readonly TableMatch[], string, Partial<TableInput>?][] = [
    ['WINS', threePoints, 'WINS 1 against A 0'],
    ['FEWEST_LOSSES', threePoints, 'FEWEST_LOSSES 0 against B 2'],
    ['HEAD_TO_HEAD_POINTS', season('A 0-1 B', 'A 9-0 X', 'Y 1-0 B', 'Y 1-0 X'), 'HEAD_TO_HEAD_POINTS 3 against A 0'],
    ['HEAD_TO_HEAD_DIFFERENCE', season('A 1-0 B', 'B 2-0 A', 'A 9-0 X', 'B 1-0 X'), 'HEAD_TO_HEAD_DIFFERENCE 1 against A -1'],
    ['HEAD_TO_HEAD_FOR', season('A 1-2 B', 'A 9-0 X', 'Y 1-0 B', 'Y 1-0 X'), 'HEAD_TO_HEAD_FOR 2 against A 1'],
    ['DIFFERENCE', season('A 5-4 X', 'B 2-0 X'), 'DIFFERENCE 2 against A 1'],
    ['FOR', season('A 1-0 X', 'B 3-2 X'), 'FOR 3 against A 1'],
    ['SET_DIFFERENCE', season('A 3-1 X', 'B 3-0 X'), 'SET_DIFFERENCE 3 against A 2', sets],
    ['SET_RATIO', season('A 3-1 X', 'B 3-0 X'), 'SET_RATIO {won:3,lost:0} against A {won:3,lost:1}', sets],
    [
      'POINT_RATIO',
      season(played('A 2-0 X', { sets: '25-20 25-20' }), played('B 2-0 X', { sets: '25-10 25-20' })),
      'POINT_RATIO {won:50,lost:30} against A {won:50,lost:40}',
      sets,
    ],
    [
      'TRIES_DIFFERENCE',
      season(played('A 9-0 X', { tries: [5, 4] }), played('B 9-0 X', { tries: [3, 0] })),
      'TRIES_DIFFERENCE 3 against A 1',
    ],
    ['TRIES_FOR', season(played('A 9-0 X', { tries: [3, 0] }), played('B 9-0 X', { tries: [5, 4] })), 'TRIES_FOR 5 against A 3'],
    ['AWAY_FOR', season('A 2-1 X', 'X 1-2 B'), 'AWAY_FOR 2 against A 0'],
  ];

  test.each(cases)('%s', (criterion, matches, expected, input = {}) => {
    const rows = table(rules({ order: ['POINTS', criterion] }), matches, input);
    const [a, b] = [rowOf(rows, 'A'), rowOf(rows, 'B')];
    expect(a.points).toBe(b.points);
    const higher = criterion === 'FEWEST_LOSSES' ? a : b;
    expect(tieBreakText(higher).decisive).toBe(expected);
    expect(Math.min(a.position, b.position)).toBe(higher.position);
    expect(a.position).not.toBe(b.position);
  });

  test.each(['DISCIPLINARY', 'DRAW_OF_LOTS', 'PLAY_OFF'] as const)('%s is a decision', (criterion) => {
    const decisions = [{ order: ['B', 'A'], criterion, reason: 'Said so' }];
    const rows = table(rules({ order: ['POINTS', criterion] }), season('A 1-1 B'), { decisions });
    expect(places(rows)).toBe('1 B, 2 A');
    expect(rowOf(rows, 'A').tieBreak).toEqual({
      criterion,
      value: 2,
      against: [{ participantId: 'B', value: 1 }],
      reason: 'Said so',
      chain: [expect.objectContaining({ criterion })],
    });
  });
});

describe('decisions', () => {
  const decide = (order: readonly string[], criterion: 'DRAW_OF_LOTS' | 'PLAY_OFF' = 'DRAW_OF_LOTS') => ({
    order,
    criterion,
    reason: criterion,
  });
  const level = season('A 1-1 B', 'B 1-1 C', 'C 1-1 A', 'A 5-0 D', 'B 5-0 D', 'C 5-0 D', 'E 9-0 D', 'E 9-0 D');

  test('participants that no criterion separates share a position, in the order of their IDs', () => {
    const rows = table(rankingRuleSets.FOOTBALL, level);
    expect(places(rows)).toBe('1 E, 2 A, 2 B, 2 C, 5 D');
    expect(tieBreakText(rowOf(rows, 'B')).decisive).toBe('NOTHING null against A null, C null');
    expect(rowOf(rows, 'E').tieBreak).toBeNull();
  });

  test('a decision of a kind that the rules do not list applies last', () => {
    const rows = table(rankingRuleSets.FOOTBALL, level, { decisions: [decide(['C', 'A', 'B'], 'PLAY_OFF')] });
    expect(places(rows)).toBe('1 E, 2 C, 3 A, 4 B, 5 D');
    expect(tieBreakText(rowOf(rows, 'A')).decisive).toBe('PLAY_OFF 2 against C 1, B 3');
  });

  test('a decision applies only to ties whose members it lists completely; the last one applies', () => {
    const some = table(rankingRuleSets.FOOTBALL, level, { decisions: [decide(['C', 'A'])] });
    expect(places(some)).toBe('1 E, 2 A, 2 B, 2 C, 5 D');
    const decisions = [decide(['A', 'B', 'C']), decide(['C', 'D', 'B', 'A'])];
    expect(places(table(rankingRuleSets.FOOTBALL, level, { decisions }))).toBe('1 E, 2 C, 3 B, 4 A, 5 D');
  });

  test('a decision never overrules a computed criterion', () => {
    const rows = table(rankingRuleSets.FOOTBALL, season('A 2-0 X', 'B 1-0 X'), { decisions: [decide(['B', 'A'])] });
    expect(places(rows)).toBe('1 A, 2 B, 3 X');
  });
});

describe('ratios', () => {
  const compare = (a: [number, number], b: [number, number]) =>
    Math.sign(compareValues('SET_RATIO', { won: a[0], lost: a[1] }, { won: b[0], lost: b[1] }));

  test.each([
    ['equal fractions are level', [1, 3], [10, 30], 0],
    ['a zero denominator is infinite', [1, 0], [99, 1], -1],
    ['infinite ratios are equal', [1, 0], [6, 0], 0],
    ['zero over zero equals zero', [0, 0], [0, 6], 0],
    ['zero over zero is less than a positive ratio', [0, 0], [1, 99], 1],
    ['adjacent fractions differ', [1000, 1001], [1001, 1002], 1],
  ] as const)('%s', (_says, a, b, sign) => {
    expect(compare([...a], [...b])).toBe(sign);
    expect(compare([...b], [...a])).toBe(0 - sign);
  });
});

describe('the published rules', () => {
  /** B leads the mini-table. A and C are equal in it except for goals, and C beat A. */
  const circle = ['A 71-70 B', 'B 55-50 C', 'C 63-60 A'];

  test('basketball: once B is placed, the criteria restart for A and C, and C beat A', () => {
    const rows = table(rankingRuleSets.BASKETBALL, season(...circle));
    expect(places(rows)).toBe('1 B, 2 C, 3 A');
    expect(tieBreakText(rowOf(rows, 'C'))).toEqual({
      decisive: 'HEAD_TO_HEAD_POINTS 2 against A 1',
      chain: [
        'HEAD_TO_HEAD_POINTS 3 against A 3, B 3',
        'HEAD_TO_HEAD_DIFFERENCE -2 against B 4, A -2',
        'HEAD_TO_HEAD_POINTS 2 against A 1',
      ],
    });
    expect(tieBreakText(rowOf(rows, 'B')).decisive).toBe('HEAD_TO_HEAD_DIFFERENCE 4 against A -2, C -2');
  });

  test('basketball: the criteria also restart when all matches separate one team, without repeated comparisons', () => {
    // A circle of wins. Over all matches A leads, B and C are equal, and B beat C.
    const rows = table(
      rankingRuleSets.BASKETBALL,
      season('A 60-50 B', 'B 60-50 C', 'C 60-50 A', 'A 99-9 X', 'B 90-9 X', 'C 90-9 X'),
    );
    expect(places(rows)).toBe('1 A, 2 B, 3 C, 4 X');
    expect(tieBreakText(rowOf(rows, 'C')).chain).toEqual([
      'HEAD_TO_HEAD_POINTS 3 against A 3, B 3',
      'HEAD_TO_HEAD_DIFFERENCE 0 against A 0, B 0',
      'HEAD_TO_HEAD_FOR 110 against A 110, B 110',
      'DIFFERENCE 81 against A 90, B 81',
      'HEAD_TO_HEAD_POINTS 1 against B 2',
    ]);
  });

  test('handball: the same three teams continue with the next criterion of one mini-table', () => {
    const rows = table(rankingRuleSets.HANDBALL, season(...circle));
    expect(places(rows)).toBe('1 B, 2 A, 3 C');
    expect(tieBreakText(rowOf(rows, 'A'))).toEqual({
      decisive: 'HEAD_TO_HEAD_FOR 131 against C 113',
      chain: [
        'HEAD_TO_HEAD_POINTS 2 against B 2, C 2',
        'HEAD_TO_HEAD_DIFFERENCE -2 against B 4, C -2',
        'HEAD_TO_HEAD_FOR 131 against C 113',
      ],
    });
  });

  test('basketball: a forfeit earns no point, a loss earns one', () => {
    const rows = table(rankingRuleSets.BASKETBALL, season(played('A 20-0 B', { forfeit: 1 }), 'A 80-70 C'));
    expect(rows.map(({ participantId, points }) => [participantId, points])).toEqual([
      ['A', 4],
      ['C', 1],
      ['B', 0],
    ]);
  });

  test('volleyball: wins beat points, and a deciding set shares them', () => {
    const matches = season('A 3-2 B', 'A 3-2 C', 'D 3-0 A', 'B 3-0 C', 'B 2-3 D', 'D 3-0 C');
    const rows = table(rankingRuleSets.VOLLEYBALL, matches, { scoredInSets: true });
    expect(rows.map((row) => [row.participantId, row.won, row.points, row.setsWon, row.setsLost])).toEqual([
      ['D', 3, 8, 9, 2],
      ['A', 2, 4, 6, 7],
      ['B', 1, 5, 7, 6],
      ['C', 0, 1, 2, 9],
    ]);
    const level = table(rankingRuleSets.VOLLEYBALL, season('A 3-2 B', 'A 3-2 C', 'D 3-0 A', 'B 3-0 C', 'B 0-3 D'), {
      scoredInSets: true,
    });
    expect(tieBreakText(rowOf(level, 'A')).chain).toEqual(['WINS 2 against D 2, B 1', 'POINTS 4 against D 6']);
  });

  test('Ligue 1: difference, then head-to-head, then goals; England and FIFA: goals first', () => {
    const matches = season('A 0-1 B', 'A 5-4 X', 'Y 1-0 B', 'Y 2-2 X');
    const france = table(rankingRuleSets.FOOTBALL_LIGUE_1, matches);
    expect(places(france)).toBe('1 Y, 2 B, 3 A, 4 X');
    expect(tieBreakText(rowOf(france, 'B')).chain).toEqual(['DIFFERENCE 0 against A 0', 'HEAD_TO_HEAD_POINTS 3 against A 0']);
    const england = table(rankingRuleSets.FOOTBALL, matches);
    expect(places(england)).toBe('1 Y, 2 A, 3 B, 4 X');
    expect(tieBreakText(rowOf(england, 'B')).chain).toEqual(['DIFFERENCE 0 against A 0', 'FOR 1 against A 5']);
  });

  test('Spain: head-to-head waits for the second match', () => {
    const first = ['A 1-0 B', 'B 5-0 X', 'X 1-0 A', 'A 0-0 Y', 'B 0-0 Y'];
    const of = rankingRuleSets.FOOTBALL_HEAD_TO_HEAD;
    const waiting = table(of, season(...first), { openMatches: [['B', 'A']] });
    expect(tieBreakText(rowOf(waiting, 'B')).chain).toEqual(['DIFFERENCE 4 against A 0']);
    const complete = table(of, season(...first, 'B 0-0 A'));
    expect(tieBreakText(rowOf(complete, 'A')).chain).toEqual(['HEAD_TO_HEAD_POINTS 4 against B 1']);
    const early = table(of, season(...first, 'B 0-0 A'), { options: { asOfMs: first.length - 1 } });
    expect(early).toEqual(waiting);
    const always = table({ ...of, headToHeadWhen: 'ALWAYS' }, season(...first), { openMatches: [['B', 'A']] });
    expect(tieBreakText(rowOf(always, 'A')).chain).toEqual(['HEAD_TO_HEAD_POINTS 3 against B 0']);
  });

  test('FIFA: a mini-table contains exactly the teams tied on the preceding criteria', () => {
    const rows = table(rankingRuleSets.FOOTBALL, season('A 1-1 B', 'A 2-1 C', 'C 1-0 B', 'B 2-0 X', 'C 0-0 X'));
    expect(places(rows)).toBe('1 A, 1 B, 3 C, 4 X');
    expect(tieBreakText(rowOf(rows, 'A')).chain).toEqual([
      'DIFFERENCE 1 against B 1, C 0',
      'FOR 3 against B 3',
      'HEAD_TO_HEAD_POINTS 1 against B 1',
      'HEAD_TO_HEAD_DIFFERENCE 0 against B 0',
      'HEAD_TO_HEAD_FOR 1 against B 1',
      'NOTHING null against B null',
    ]);
    expect(tieBreakText(rowOf(rows, 'C')).decisive).toBe('DIFFERENCE 0 against A 1, B 1');
  });

  test('combat: most wins, then fewest losses; a no-contest does not count', () => {
    const fight = (outcome: 'NO_CONTEST') => played('A 0-0 B', { outcome });
    const rows = table(rankingRuleSets.COMBAT, season(fight('NO_CONTEST'), 'A 1-0 C', 'B 1-0 C', 'D 1-0 B'));
    expect(places(rows)).toBe('1 A, 1 D, 3 B, 4 C');
    expect(rowOf(rows, 'A')).toMatchObject({ matchesPlayed: 1, won: 1, draw: 0, lost: 0, form: ['WIN'] });
    expect(tieBreakText(rowOf(rows, 'B')).decisive).toBe('FEWEST_LOSSES 1 against A 0, D 0');
  });
});
