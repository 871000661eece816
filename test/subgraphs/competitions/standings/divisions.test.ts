/** Divisions within the table of a conference: division records, division winners, and the order of the NBA. */
import { describe, expect, test } from '@jest/globals';
import { rankingRuleSets } from '../../../../schema/ranking-rules.ts';
import type { TableInput } from '../../../../subgraphs/competitions/standings/table-input.ts';
import { holds } from './arbitrary.ts';
import { places, rowOf, rules, season, table, tieBreakText } from './matches.ts';

const { BASKETBALL_NBA } = rankingRuleSets;

/** `divisionsOf('AB', 'XY')`: A and B are one division, X and Y another one. */
const divisionsOf = (...divisions: readonly string[]): Partial<TableInput> => ({
  divisions: new Map(divisions.flatMap((members) => members.split('').map((id) => [id, members] as const))),
});
const times = (count: number, line: string): string[] => Array<string>(count).fill(line);

describe('division records', () => {
  test('count the matches against participants of the own division', () => {
    const rows = table(BASKETBALL_NBA, season('A 2-1 B', 'B 2-1 A', 'A 2-1 B', 'X 2-1 A', 'Y 2-1 X'), divisionsOf('AB', 'X'));
    expect(rowOf(rows, 'A').divisionRecord).toEqual({ won: 2, draw: 0, lost: 1 });
    expect(rowOf(rows, 'X').divisionRecord).toEqual({ won: 0, draw: 0, lost: 0 });
    expect(rowOf(rows, 'Y').divisionRecord).toBeNull();
  });

  test('group records of a table over several groups count the own group', () => {
    const groups = new Map([['A', 'East'], ['B', 'East'], ['X', 'West'], ['Y', 'West']]); // prettier-ignore
    const rows = table(BASKETBALL_NBA, season('A 2-1 B', 'A 2-1 X', 'Y 2-1 X'), { groups });
    expect(rowOf(rows, 'A').groupRecord).toEqual({ won: 1, draw: 0, lost: 0 });
    expect(rowOf(rows, 'X').groupRecord).toEqual({ won: 0, draw: 0, lost: 1 });
  });

  test('are at most the record of the group, which is at most that of all matches', () =>
    holds((_input, rows) => {
      for (const { divisionRecord, groupRecord, won, lost, draw } of rows) {
        for (const [member, all] of Object.entries({ won, lost, draw } as const)) {
          const key = member as 'won' | 'lost' | 'draw'; // Cast: Object.entries loses the keys.
          expect(groupRecord[key]).toBeLessThanOrEqual(all);
          expect(divisionRecord?.[key] ?? 0).toBeLessThanOrEqual(groupRecord[key]);
        }
      }
    }));
});

describe('DIVISION_WIN_PERCENTAGE', () => {
  const of = rules({ order: ['POINTS', 'DIVISION_WIN_PERCENTAGE'] });
  // A and B have 3 points each: A against C of its division, B against X of another one.
  const matches = season('A 1-0 C', 'B 1-0 X');

  test('decides a tie within one division', () => {
    const rows = table(of, matches, divisionsOf('ABC', 'X'));
    expect(places(rows)).toBe('1 A, 2 B, 3 C, 3 X');
    expect(tieBreakText(rowOf(rows, 'A')).decisive).toBe('DIVISION_WIN_PERCENTAGE {won:2,lost:2} against B {won:0,lost:0}');
  });

  test.each([
    ['of two divisions', divisionsOf('AC', 'BX')],
    ['without divisions', {}],
  ])('does not apply to participants %s', (_name, input) => {
    const rows = table(of, matches, input);
    expect(rowOf(rows, 'A').position).toBe(rowOf(rows, 'B').position);
    expect(tieBreakText(rowOf(rows, 'A')).chain).toEqual(['NOTHING null against B null']);
  });
});

describe('DIVISION_WINNER', () => {
  const of = rules({ order: ['POINTS', 'DIVISION_WINNER'] });
  test('ranks the first of a division above a participant that is not', () => {
    // B is level with A, but second in its division.
    const rows = table(of, season('C 1-0 X', 'C 1-0 X', 'A 1-0 X', 'B 1-0 Y'), divisionsOf('AX', 'BC', 'Y'));
    expect(places(rows)).toBe('1 C, 2 A, 3 B, 4 Y, 5 X');
    expect(tieBreakText(rowOf(rows, 'B')).decisive).toBe('DIVISION_WINNER 0 against A 1');
  });

  test('does not separate participants that share the first place of a division', () => {
    const rows = table(of, season('A 1-0 X', 'B 1-0 X', 'C 1-0 X'), divisionsOf('AB', 'CX'));
    expect(places(rows)).toBe('1 A, 1 B, 1 C, 4 X');
  });
});

describe('NBA', () => {
  test('two tied teams: the direct matches decide before the division winner', () => {
    const matches = season('C 2-1 X', 'C 2-1 X', 'B 2-1 A', 'A 2-1 X', 'X 2-1 B');
    const rows = table(BASKETBALL_NBA, matches, divisionsOf('AX', 'BC'));
    expect(places(rows)).toBe('1 C, 2 B, 3 A, 4 X');
    expect(tieBreakText(rowOf(rows, 'B')).chain.slice(1)).toEqual([
      'HEAD_TO_HEAD_WIN_PERCENTAGE {won:2,lost:2} against A {won:0,lost:2}',
    ]);
  });

  test('three tied teams: the division winner is first, then the percentage among the others', () => {
    // A, B and D won half of their matches. A wins its division although it lost all direct matches.
    const matches = season(
      'B 2-1 A',
      'D 2-1 A',
      'D 2-1 B',
      'A 2-1 X',
      'A 2-1 X',
      'B 2-1 X',
      'Y 2-1 B',
      'Y 2-1 D',
      'Y 2-1 D', // prettier-ignore
    );
    const rows = table(BASKETBALL_NBA, matches, divisionsOf('AX', 'BDY'));
    expect(places(rows)).toBe('1 Y, 2 A, 3 D, 4 B, 5 X');
    expect(tieBreakText(rowOf(rows, 'A')).decisive).toBe('DIVISION_WINNER_IF_THREE_TIED 1 against B 0, D 0');
    expect(tieBreakText(rowOf(rows, 'D')).chain).toEqual([
      'DIVISION_WINNER_IF_THREE_TIED 0 against A 1, B 0',
      'HEAD_TO_HEAD_WIN_PERCENTAGE {won:2,lost:2} against B {won:0,lost:2}',
    ]);
  });

  test('three tied teams with unequal numbers of direct matches: the percentage decides, not the number of wins', () => {
    // In the direct matches A won 2 of 4, B 1 of 1, and C 2 of 5.
    const direct = ['A 2-1 C', 'A 2-1 C', 'C 2-1 A', 'C 2-1 A', 'B 2-1 C'];
    const others = [...times(2, 'A 2-1 X'), ...times(2, 'X 2-1 A'), ...times(3, 'B 2-1 X'), ...times(4, 'X 2-1 B')];
    const matches = season(...direct, ...others, ...times(2, 'C 2-1 X'), 'X 2-1 C', ...times(9, 'X 2-1 Y'));
    const rows = table(BASKETBALL_NBA, matches);
    expect(['A', 'B', 'C'].map((id) => rowOf(rows, id).winPercentage)).toEqual([50, 50, 50]);
    expect(places(rows)).toBe('1 X, 2 B, 3 A, 4 C, 5 Y');
    expect(tieBreakText(rowOf(rows, 'B')).decisive).toBe(
      'HEAD_TO_HEAD_WIN_PERCENTAGE {won:2,lost:2} against A {won:4,lost:8}, C {won:4,lost:10}',
    );
  });

  test('a tie for the first place of a division does not use the division winner, and only determines the winner', () => {
    // B and C share 50 % and a division; B won it by the direct match.
    const rows = table(
      BASKETBALL_NBA,
      season('B 2-1 C', 'X 2-1 B', 'C 2-1 X', 'X 2-1 A', 'A 2-1 X'),
      divisionsOf('BC', 'A', 'X'),
    );
    expect(rowOf(rows, 'C').position).toBeGreaterThan(rowOf(rows, 'B').position);
    expect(tieBreakText(rowOf(rows, 'C')).chain.at(0)).toContain('DIVISION_WINNER_IF_THREE_TIED 0');
  });

  test('teams that a wider tie leaves level start again, with the record of their common division', () => {
    // A, B and D have no direct matches. D has the worse record in the conference; A is better than B in their division.
    const groups = new Map(['A', 'B', 'C', 'D', 'X'].map((id) => [id, 'East'] as const));
    const matches = season('A 2-1 C', 'X 2-1 A', 'B 2-1 X', 'C 2-1 B', 'D 2-1 Z', 'X 2-1 D', ...times(2, 'C 2-1 Z'));
    const rows = table(BASKETBALL_NBA, matches, { participants: [...groups.keys()], ...divisionsOf('ABC', 'D', 'X') });
    expect(rowOf(rows, 'A').winPercentage).toBe(50);
    const order = rows.map(({ participantId }) => participantId).filter((id) => 'AB'.includes(id));
    expect(order).toEqual(['A', 'B']);
    expect(tieBreakText(rowOf(rows, 'A')).decisive).toContain('DIVISION_WIN_PERCENTAGE {won:2,lost:2} against B {won:0,lost:2}');
  });
});
