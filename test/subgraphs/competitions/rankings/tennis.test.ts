/** Tennis scores: parsing into sets, games and tie-breaks, rejection with a reason, and formatting. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  readTennisScore,
  writeTennisScore,
  type TennisFormat,
} from '../../../../subgraphs/competitions/rankings/tennis-score.ts';
import { setKinds, setWinner, type TennisSet } from '../../../../subgraphs/competitions/rankings/tennis-set.ts';

const three: TennisFormat = { bestOf: 3 };
const five: TennisFormat = { bestOf: 5 };
const set = (one: number, other: number, tieBreak: TennisSet['tieBreak'] = null, matchTieBreak = false): TennisSet => ({
  games: [one, other],
  tieBreak,
  matchTieBreak,
});

describe('a tennis score', () => {
  test('is parsed from the first side: sets, games, both sides of each tie-break, and the winner', () => {
    expect(readTennisScore('6-4 3-6 7-6(5)', three).value).toEqual({
      sets: [set(6, 4), set(3, 6), set(7, 6, [7, 5])],
      endedBy: null,
      setsWon: [2, 1],
      winner: 0,
    });
    expect(readTennisScore('6-7(8), 4-6', three).value).toMatchObject({ sets: [set(6, 7, [8, 10]), set(4, 6)], winner: 1 });
    expect(readTennisScore('7-6 6-0', three).value?.sets[0]).toEqual(set(7, 6));
  });

  test('of an abandoned match keeps its unfinished set and has no winner', () => {
    expect(readTennisScore('6-3 2-1 ret.', three).value).toEqual({
      sets: [set(6, 3), set(2, 1)],
      endedBy: 'RETIREMENT',
      setsWon: [1, 0],
      winner: null,
    });
    expect(readTennisScore('6-6(3-2) RET', three).value?.sets).toEqual([set(6, 6, [3, 2])]);
    expect(readTennisScore('w/o', three).value).toEqual({ sets: [], endedBy: 'WALKOVER', setsWon: [0, 0], winner: null });
    expect(readTennisScore('6-1 def.', three).value?.endedBy).toBe('DISQUALIFICATION');
  });

  test('of a match tie-break is parsed with and without brackets, and formatted with brackets', () => {
    const read = readTennisScore('6-4 3-6 10-8', three).value;
    expect(read).toMatchObject({ sets: [set(6, 4), set(3, 6), set(10, 8, null, true)], winner: 0 });
    expect(readTennisScore('6-4 3-6 [10-8]', three).value).toEqual(read);
    expect(read && writeTennisScore(read)).toBe('6-4 3-6 [10-8]');
    expect(readTennisScore('6-4 3-6 1-0', { bestOf: 3, decidingSet: 'MATCH_TIE_BREAK' }).violations[0]?.code).toBe(
      'set_unfinished',
    );
  });

  test.each<[string, TennisFormat]>([
    // Isner and Mahut, Wimbledon 2010; Djokovic and Federer, Wimbledon 2019; Djokovic, Australian Open 2012; a deciding tie-break to ten
    ['6-4 3-6 6-7(7) 7-6(3) 70-68', five],
    ['7-6(5) 1-6 7-6(4) 4-6 13-12(3)', { bestOf: 5, decidingSet: 'TIE_BREAK_AT_12' }],
    ['5-7 6-4 6-2 6-7(5) 7-5', five],
    ['6-3 3-6 7-6(8)', { bestOf: 3, decidingSet: 'TIE_BREAK_10' }],
    ['6-4 3-6 10-8', { bestOf: 3, decidingSet: 'ADVANTAGE' }],
  ])('%s is valid and formatted the same', (text, format) => {
    const { value, violations } = readTennisScore(text, format);
    expect(violations).toEqual([]);
    expect(value && writeTennisScore(value)).toBe(text);
  });

  test.each<[string, TennisFormat, string, string]>([
    ['', three, 'score_empty', 'The score is empty.'],
    ['6-4 x', three, 'set_unreadable', 'Set 2 is not valid.'],
    ['6-4 6:3', three, 'set_unreadable', 'Set 2 is not valid.'],
    ['6-6(5) 6-4', three, 'set_unreadable', 'Set 1 is not valid.'],
    ['6-4 [10-8', three, 'set_unreadable', 'Set 2 is not valid.'],
    ['7-4 6-0', three, 'set_impossible', 'Set 1: 7-4 is not a possible score.'],
    ['8-6 6-0', three, 'set_impossible', 'Set 1: 8-6 is not a possible score.'],
    ['7-7 6-0', three, 'set_impossible', 'Set 1: 7-7 is not a possible score.'],
    ['6-4(3) 6-0', three, 'set_impossible', 'Set 1: 6-4(3) is not a possible score.'],
    ['7-6(9-3) 6-0', three, 'set_impossible', 'Set 1: 7-6(3) is not a possible score.'],
    ['6-4 [10-8]', three, 'set_impossible', 'Set 2: [10-8] is not a possible score.'],
    ['6-4 3-6 [12-8]', three, 'set_impossible', 'Set 3: [12-8] is not a possible score.'],
    ['6-4 3-6 [10-8]', { bestOf: 3, decidingSet: 'TIE_BREAK' }, 'set_impossible', 'Set 3: [10-8] is not a possible score.'],
    ['5-4 6-0 6-0', three, 'set_unfinished', 'Set 1: 5-4 is incomplete.'],
    ['6-4 2-1', three, 'set_unfinished', 'Set 2: 2-1 is incomplete.'],
    ['6-4', three, 'match_unfinished', 'No side has won 2 sets'],
    ['6-4 6-4', five, 'match_unfinished', 'No side has won 3 sets'],
    ['6-4 6-4 6-4', three, 'match_over', 'Set 3: 6-4 comes after the end of the match.'],
    ['6-4 6-4 ret.', three, 'match_over', 'The match was won before this ending.'],
    ['6-4 w/o', three, 'walkover_with_sets', 'A walkover has no sets'],
  ])('"%s" is rejected with the reason', (text, format, code, detail) => {
    expect(readTennisScore(text, format)).toEqual({
      value: null,
      violations: [{ code, detail: expect.stringContaining(detail) }],
    });
  });

  test('reports every invalid set', () => {
    expect(readTennisScore('9-1 6-9 6-4', three).violations.map(({ detail }) => detail.slice(0, 5))).toEqual(['Set 1', 'Set 2']);
  });
});

describe('any tennis match', () => {
  /** Every possible score of a completed set with a tie-break at 6-6, won by the first side. */
  const finished = fc.oneof(
    fc.integer({ min: 0, max: 4 }).map((lost) => set(6, lost)),
    fc.constant(set(7, 5)),
    fc.nat({ max: 20 }).map((lost) => set(7, 6, [Math.max(7, lost + 2), lost])),
  );
  const turn = ({ games, tieBreak, ...rest }: TennisSet): TennisSet => ({
    ...rest,
    games: [games[1], games[0]],
    tieBreak: tieBreak && [tieBreak[1], tieBreak[0]],
  });
  const match = fc
    .tuple(fc.array(fc.tuple(finished, fc.boolean()), { minLength: 5, maxLength: 5 }), fc.constantFrom(three, five))
    .map(([drawn, format]) => {
      const needed = Math.ceil(format.bestOf / 2);
      const won = [0, 0];
      const sets: TennisSet[] = [];
      for (const [each, turned] of drawn) {
        if (Math.max(...won) === needed) break;
        sets.push(turned ? turn(each) : each);
        won[turned ? 1 : 0] = (won[turned ? 1 : 0] ?? 0) + 1;
      }
      return { sets, format, won };
    });

  test('can be formatted and parsed again without change, with the sets that each side won', () => {
    fc.assert(
      fc.property(match, ({ sets, format, won }) => {
        const { value, violations } = readTennisScore(writeTennisScore({ sets, endedBy: null }), format);
        expect(violations).toEqual([]);
        expect(value).toMatchObject({ sets, setsWon: won });
      }),
    );
  });

  test('has the opposite winner when the sides are swapped', () => {
    fc.assert(
      fc.property(match, ({ sets, format }) => {
        const winner = readTennisScore(writeTennisScore({ sets, endedBy: null }), format).value?.winner;
        const turned = readTennisScore(writeTennisScore({ sets: sets.map(turn), endedBy: null }), format).value?.winner;
        expect([winner, turned].toSorted()).toEqual([0, 1]);
      }),
    );
  });

  test('accepts a score exactly if a valid score with one game fewer leads to it', () => {
    const max = 16;
    for (const [name, kind] of Object.entries(setKinds)) {
      const reached = new Set(['0-0']);
      for (let total = 0; total < 2 * max; total += 1) {
        for (const score of [...reached].filter((each) => sumOf(each) === total)) {
          const [one = 0, other = 0] = score.split('-').map(Number);
          if (setWinner(set(one, other), kind) !== null) continue;
          reached.add(`${one + 1}-${other}`).add(`${one}-${other + 1}`);
        }
      }
      for (let one = 0; one < max; one += 1) {
        for (let other = 0; other < max; other += 1) {
          const possible = setWinner(set(one, other), kind) !== undefined;
          expect(`${name} ${one}-${other} ${possible}`).toBe(`${name} ${one}-${other} ${reached.has(`${one}-${other}`)}`);
        }
      }
    }
  });
});

const sumOf = (score: string): number => score.split('-').reduce((sum, each) => sum + Number(each), 0);
