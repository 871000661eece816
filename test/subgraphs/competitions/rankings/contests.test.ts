/** Contests over several stages, and advancement by place and by mark. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { advancement } from '../../../../subgraphs/competitions/rankings/advancement.ts';
import { rankByMark, type MarkEntry } from '../../../../subgraphs/competitions/rankings/by-mark.ts';
import { rankContest } from '../../../../subgraphs/competitions/rankings/contest.ts';
import { lower, swim } from './results.ts';

describe('a contest', () => {
  const stage = (stageId: string, type: 'FINAL' | 'SEMIFINAL' | 'HEATS', entries: MarkEntry[], order = 1) => ({
    stageId,
    type,
    order,
    ranking: rankByMark(entries, lower),
  });
  const summaryOf = (...phases: Parameters<typeof rankContest>[0][number][]): string[] =>
    rankContest(phases).map(
      ({ rank, stageId, row }) => `${rank ?? row.entry.invalidResultMark ?? '-'} ${row.entry.participantId} ${stageId}`,
    );

  test('finals rank before semi-finals before heats, whatever the marks, and a disqualification leaves a place vacant', () => {
    const heats = stage('heats', 'HEATS', [
      swim('A', 40),
      swim('B', 41),
      swim('C', 42),
      swim('D', 39),
      swim('E', 50),
      swim('F', 50),
      swim('G', 'DNS'),
    ]);
    const semis = stage('semis', 'SEMIFINAL', [swim('A', 44), swim('B', 43), swim('C', 45), swim('D', 46)]);
    const final = stage('final', 'FINAL', [swim('A', 60), swim('B', 'DSQ')]);
    expect(summaryOf(heats, final, semis)).toEqual([
      '1 A final',
      'DSQ B final',
      '3 C semis',
      '4 D semis',
      '5 E heats',
      '5 F heats',
      'DNS G heats',
    ]);
  });

  test('a participant who does not start leaves the place to a reserve', () => {
    const heats = stage('heats', 'HEATS', [swim('A', 40), swim('B', 41), swim('C', 42), swim('D', 43)]);
    const final = stage('final', 'FINAL', [swim('A', 40), swim('B', 'DNS'), swim('C', 41)]);
    expect(summaryOf(heats, final)).toEqual(['1 A final', '2 C final', 'DNS B final', '3 D heats']);
  });

  test('a shared rank is resolved when one of the tied advanced further', () => {
    const heats = stage('heats', 'HEATS', [swim('A', 40), swim('B', 40), swim('C', 41)]);
    const rows = rankContest([heats, stage('final', 'FINAL', [swim('A', 40)])]);
    expect(rows.map(({ rank, shared }) => [rank, shared])).toEqual([
      [1, false],
      [2, false],
      [3, false],
    ]);
  });

  test('of two finals, the later one is the main final', () => {
    const [b, a] = [stage('B', 'FINAL', [swim('X', 30)], 3), stage('A', 'FINAL', [swim('Y', 50)], 4)];
    expect(summaryOf(b, a)).toEqual(['1 Y A', '2 X B']);
  });
});

describe('advancement', () => {
  const heat = (matchId: string, ...marks: number[]): MarkEntry[] =>
    marks.map((mark, index) => swim(`${matchId}${index + 1}`, mark, { matchId }));
  const rules = [
    { by: 'PLACE', count: 2 },
    { by: 'MARK', count: 2 },
  ] as const;
  const through = (entries: MarkEntry[], decisions: MarkEntry[][] = []) => {
    const { advancing, undecided } = advancement(entries, { ...lower, rules, decisions });
    return { through: advancing.map(({ participantId, by }) => `${participantId} ${by === 'PLACE' ? 'Q' : 'q'}`), undecided };
  };

  test('selects the first two of each heat and the two fastest of all others', () => {
    expect(through([...heat('a', 10, 11, 12, 13), ...heat('b', 20, 21, 22, 23)])).toEqual({
      through: ['a1 Q', 'a2 Q', 'b1 Q', 'b2 Q', 'a3 q', 'a4 q'],
      undecided: [],
    });
  });

  test('a tie for the last place by mark requires a swim-off, which decides it', () => {
    const entries = [...heat('a', 10, 11, 12, 15), ...heat('b', 10, 11, 15, 16), ...heat('c', 10, 11, 15)];
    const { through: before, undecided } = through(entries);
    expect(before).toEqual(['a1 Q', 'a2 Q', 'b1 Q', 'b2 Q', 'c1 Q', 'c2 Q', 'a3 q']);
    expect(undecided).toEqual([{ by: 'MARK', matchId: null, participantIds: ['a4', 'b3', 'c3'], openings: 1 }]);
    const after = through(entries, [[swim('b3', 14), swim('a4', 15), swim('c3', 'DNS')]]);
    expect(after.through.at(-1)).toBe('b3 q');
    expect(after.undecided).toEqual([]);
  });

  test('a tie for the last place of a heat is reported with the heat; all advance where there are enough places', () => {
    const { through: before, undecided } = through([...heat('a', 10, 11, 11, 12), ...heat('b', 10, 10, 13)]);
    expect(undecided).toEqual([{ by: 'PLACE', matchId: 'a', participantIds: ['a2', 'a3'], openings: 1 }]);
    expect(before).toEqual(['a1 Q', 'b1 Q', 'b2 Q', 'a4 q', 'b3 q']);
  });

  test('an invalid result never advances, and places stay open', () => {
    expect(through([...heat('a', 10), swim('x', 'DSQ', { matchId: 'a' })])).toEqual({ through: ['a1 Q'], undecided: [] });
  });

  test('as many advance as there are places and valid marks, once nothing is undecided', () => {
    const fields = fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.boolean()), { maxLength: 20 });
    fc.assert(
      fc.property(fields, fc.nat({ max: 10 }), (marks, count) => {
        const entries = marks.map(([mark, valid], index) => swim(`P${index}`, valid ? mark : 'DNF'));
        const { advancing, undecided } = advancement(entries, { ...lower, rules: [{ by: 'MARK', count }] });
        const openings = undecided.reduce((sum, tie) => sum + tie.openings, 0);
        expect(advancing.length + openings).toBe(Math.min(count, marks.filter(([, valid]) => valid).length));
        for (const tie of undecided) expect(tie.participantIds.length).toBeGreaterThan(tie.openings);
      }),
    );
  });
});
