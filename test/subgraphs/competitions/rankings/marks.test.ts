/** Parsing marks, and ranking a stage by mark: shared ranks, invalid results, wind, photo finishes and swim-offs. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { rankByMark } from '../../../../subgraphs/competitions/rankings/by-mark.ts';
import {
  displayMark,
  invalidResultMarks,
  markRuleOf,
  readMark,
  type MarkUnit,
} from '../../../../subgraphs/competitions/rankings/mark.ts';
import { lower, swim } from './results.ts';

const higher = { direction: 'HIGHER_IS_BETTER' } as const;

const ranks = (...[entries, options]: Parameters<typeof rankByMark>): unknown[] =>
  rankByMark(entries, options).map(({ entry, rank }) => `${rank ?? entry.invalidResultMark ?? '-'} ${entry.participantId}`);

describe('a mark', () => {
  test.each<[string, MarkUnit, number]>([
    ['2:09.41', 'ms', 129_410],
    ['9.58', 'ms', 9_580],
    ['9.572', 'ms', 9_572],
    ['2:01:09', 'ms', 7_269_000],
    ['59:59.99', 'ms', 3_599_990],
    ['92:33:08', 'ms', 333_188_000],
    ['8.95', 'mm', 8_950],
    ['98.48', 'mm', 98_480],
    ['8847', 'points', 8_847],
  ])('%s in %s is %d, and is formatted the same', (text, unit, value) => {
    expect(readMark(text, unit).value).toBe(value);
    expect(displayMark(value, unit)).toBe(text);
  });

  test.each<[string, MarkUnit, string]>([
    ['DNS', 'ms', 'mark_unreadable'],
    ['', 'ms', 'mark_unreadable'],
    ['-9.58', 'ms', 'mark_unreadable'],
    ['9.58123', 'ms', 'mark_unreadable'],
    ['2:9.41', 'ms', 'mark_unreadable'],
    ['2:60.00', 'ms', 'mark_out_of_range'],
    ['1:60:00', 'ms', 'mark_out_of_range'],
    ['8,95', 'mm', 'mark_unreadable'],
    ['8.95 ft', 'mm', 'mark_unreadable'],
    ['8847.5', 'points', 'mark_unreadable'],
    ['99999999999999999', 'points', 'mark_out_of_range'],
  ])('"%s" in %s is rejected: %s', (text, unit, code) => {
    // The text may be personal data, so the error does not repeat it.
    const detail = expect.stringContaining(code === 'mark_unreadable' ? 'The mark is not valid.' : text);
    expect(readMark(text, unit)).toEqual({ value: null, violations: [{ code, detail }] });
  });

  test('is the same after formatting and parsing, whatever its size and unit', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 31 }), fc.constantFrom<MarkUnit>('ms', 'mm', 'points'), (value, unit) => {
        expect(readMark(displayMark(value, unit), unit).value).toBe(value);
      }),
    );
  });

  test('is better lower or higher depending on the event; events with bouts have none', () => {
    expect(markRuleOf('SWIMMING', '200_MEDLEY')).toEqual({ unit: 'ms', ...lower });
    expect(markRuleOf('ATHLETICS', 'LONG_JUMP')).toEqual({ unit: 'mm', ...higher });
    expect(markRuleOf('ATHLETICS', 'DECATHLON')).toEqual({ unit: 'points', ...higher });
    expect(markRuleOf('CYCLING', 'KEIRIN')).toBeUndefined();
    expect(markRuleOf('SWIMMING', 'LONG_JUMP')).toBeUndefined();
  });
});

describe('a stage by mark', () => {
  test('equal marks share a rank and the next one is skipped, over all heats', () => {
    const entries = [swim('A', 50), swim('B', 48, { matchId: 'heat-2' }), swim('C', 48), swim('D', 47)];
    expect(ranks(entries, lower)).toEqual(['1 D', '2 B', '2 C', '4 A']);
    expect(ranks(entries, higher)).toEqual(['1 A', '2 B', '2 C', '4 D']);
    expect(rankByMark(entries, higher).map(({ gap }) => gap)).toEqual([0, 2, 2, 3]);
    expect(rankByMark(entries, lower).map(({ gap, shared }) => [gap, shared])).toEqual([
      [0, false],
      [1, true],
      [1, true],
      [3, false],
    ]);
  });

  test('invalid results come last in the order of a result sheet, without a rank, even with a mark', () => {
    const invalid = invalidResultMarks.map((mark) => swim(mark, mark));
    const timed = swim('timed', 40, { invalidResultMark: 'DSQ' });
    const unknown = { participantId: 'unknown', matchId: 'heat-1', mark: null };
    expect(ranks([...invalid.toReversed(), timed, unknown, swim('A', 50)], lower)).toEqual([
      '1 A',
      ...['DNF DNF', 'OTL OTL', 'NM NM', 'NH NH', 'DSQ DSQ', 'DSQ timed', 'WDR WDR', 'DNS DNS', '- unknown'],
    ]);
  });

  test('a tail wind above 2.0 m/s is reported and changes no rank', () => {
    const rows = rankByMark(
      [swim('A', 9_900, { windMmPerS: 2_001 }), swim('B', 9_950, { windMmPerS: 2_000 }), swim('C', 9_960)],
      lower,
    );
    expect(rows.map(({ rank, windAssisted }) => [rank, windAssisted])).toEqual([
      [1, true],
      [2, false],
      [3, false],
    ]);
  });

  test('a photo finish decides within one heat only', () => {
    const finish = [swim('A', 9_900, { place: 2 }), swim('B', 9_900, { place: 1 })];
    expect(ranks(finish, lower)).toEqual(['1 B', '2 A']);
    expect(ranks([...finish, swim('C', 9_900, { place: 1, matchId: 'heat-2' })], lower)).toEqual(['1 A', '1 B', '1 C']);
  });

  test('the second best jump decides between equal best ones, in the direction of the event', () => {
    const jumps = [swim('A', 8_000, { countback: [7_900] }), swim('B', 8_000, { countback: [7_950, 7_000] }), swim('C', 8_000)];
    expect(ranks(jumps, higher)).toEqual(['1 B', '2 A', '3 C']);
    const failures = [swim('A', 2_300, { countback: [-2, -3] }), swim('B', 2_300, { countback: [-1, -5] })];
    expect(ranks(failures, higher)).toEqual(['1 B', '2 A']);
    expect(rankByMark(jumps, higher).map(({ separatedBy }) => separatedBy)).toEqual(['COUNTBACK', 'COUNTBACK', 'COUNTBACK']);
  });

  test('what decided is named also where the judges recorded places', () => {
    const decidedBy = (entries: Parameters<typeof rankByMark>[0], decisions: Parameters<typeof rankByMark>[0][] = []) =>
      rankByMark(entries, { ...higher, decisions }).map(
        ({ rank, entry, separatedBy }) => `${rank} ${entry.participantId} ${separatedBy}`,
      );
    // long jump: 8.30 m twice, then the second-best attempts
    const jumps = [swim('A', 8_300, { place: 2, countback: [8_120] }), swim('B', 8_300, { place: 1, countback: [8_210] })];
    expect(decidedBy(jumps)).toEqual(['1 B COUNTBACK', '2 A COUNTBACK']);
    // high jump: equal countback, then a jump-off
    const heights = [swim('A', 2_330, { place: 1, countback: [0, -1] }), swim('B', 2_330, { place: 2, countback: [0, -1] })];
    expect(decidedBy(heights, [[swim('A', 2_340), swim('B', 'NM')]])).toEqual(['1 A SWIM_OFF', '2 B SWIM_OFF']);
    expect(decidedBy(heights)).toEqual(['1 A PLACE', '2 B PLACE']);
    // the judges decide against the recorded attempts
    const corrected = jumps.map((jump) => ({ ...jump, place: 3 - (jump.place ?? 0) }));
    expect(decidedBy(corrected)).toEqual(['1 A PLACE', '2 B PLACE']);
  });

  test('a swim-off decides between tied participants and changes nothing else', () => {
    const entries = [swim('A', 48), swim('B', 48), swim('C', 48), swim('D', 47), swim('E', 49)];
    const decisions = [
      [swim('C', 51), swim('A', 51), swim('B', 'DSQ')],
      [swim('A', 50), swim('C', 50_500)],
    ];
    expect(ranks(entries, { ...lower, decisions })).toEqual(['1 D', '2 A', '3 C', '4 B', '5 E']);
    const rows = rankByMark(entries, { ...lower, decisions });
    expect(rows.map(({ entry }) => entry.mark)).toEqual([47, 48, 48, 48, 49]);
    expect(rows.map(({ separatedBy }) => separatedBy)).toEqual([null, 'SWIM_OFF', 'SWIM_OFF', 'SWIM_OFF', null]);
    expect(ranks(entries, { ...lower, decisions: [[swim('D', 90), swim('E', 10)]] })).toEqual([
      '1 D',
      '2 A',
      '2 B',
      '2 C',
      '5 E',
    ]);
  });

  /** Entries with distinct IDs and few different marks, so that many are tied. */
  const field = fc
    .array(
      fc.tuple(
        fc.integer({ min: 1, max: 5 }),
        fc.option(fc.constantFrom(...invalidResultMarks), { freq: 5 }),
        fc.nat({ max: 2 }),
      ),
    )
    .map((rows) => rows.map(([mark, invalid, heat], index) => swim(`P${index}`, invalid ?? mark, { matchId: `heat-${heat}` })));

  test('the order of the input never matters', () => {
    fc.assert(
      fc.property(
        field.chain((entries) => fc.tuple(fc.constant(entries), fc.shuffledSubarray(entries, { minLength: entries.length }))),
        ([entries, shuffled]) => expect(rankByMark(shuffled, lower)).toEqual(rankByMark(entries, lower)),
      ),
    );
  });

  test('each rank is one more than the number of better marks, so equal marks share it', () => {
    fc.assert(
      fc.property(field, (entries) => {
        const rows = rankByMark(entries, lower);
        const marks = rows.flatMap(({ entry, rank }) => (rank === null ? [] : [entry.mark ?? 0]));
        for (const { entry, rank, shared } of rows) {
          if (rank === null) continue;
          expect(rank).toBe(1 + marks.filter((mark) => mark < (entry.mark ?? 0)).length);
          expect(shared).toBe(marks.filter((mark) => mark === entry.mark).length > 1);
        }
        expect(rows).toHaveLength(entries.length);
      }),
    );
  });
});
