/** Tables of a season from facts: which exist, what they count, and what a view leaves out. */
import { describe, expect, test } from '@jest/globals';
import { rankingsOf } from '../../../../subgraphs/competitions/season-rankings/rankings-of.ts';
import { facts, game, participant, ranking, stageFact, standing } from './season-facts.ts';

describe('a table', () => {
  const matches = [
    game('1', 'A 2-0 B', { matchday: 1, date: '2026-08-01' }),
    game('2', 'C 1-1 D', { matchday: 1, date: '2026-08-01' }),
    game('3', 'B 3-0 C', { matchday: 2, date: '2026-08-08' }),
    game('4', 'D 1-0 A', { matchday: 2, date: '2026-08-08' }),
  ];

  test('has a row for each participant with its position before the last matchday, and home and away tables', () => {
    const season = facts({ matches });
    const total = ranking(season);
    expect(standing(total.rows)).toBe('1 D, 2 B, 3 A, 4 C');
    expect(total.rows.map(({ previousPosition }) => previousPosition)).toEqual([2, 4, 1, 2]);
    expect(total.rows[2]).toMatchObject({
      points: 3,
      won: 1,
      lost: 1,
      scoreDifference: 1,
      form: ['WIN', 'LOSS'],
      vacated: false,
    });
    expect(standing(ranking(season, { type: 'HOME' }).rows)).toBe('1 B, 2 A, 3 D, 4 C');
    expect(ranking(season, { type: 'AWAY' }).rows.map(({ points }) => points)).toEqual([1, 0, 0, 0]);
    expect(rankingsOf(season).map(({ type }) => type)).toEqual(['TOTAL', 'HOME', 'AWAY']);
  });

  test('without matchdays compares with the previous date', () => {
    const undated = matches.map((match) => ({ ...match, matchday: null }));
    expect(ranking(facts({ matches: undated })).rows.map(({ previousPosition }) => previousPosition)).toEqual([2, 4, 1, 2]);
  });

  test('has no previous positions on its first day, and lists the participants before any match', () => {
    const first = facts({ matches: matches.slice(0, 2) });
    expect(ranking(first).rows.every(({ previousPosition }) => previousPosition === null)).toBe(true);
    const none = facts({ participants: [participant('A'), participant('B')] });
    expect(standing(ranking(none).rows)).toBe('1= A, 1= B');
    expect(rankingsOf(none)).toHaveLength(1);
    expect(rankingsOf(facts({}))).toEqual([]);
  });

  test('can be computed for a date or matchday, and live with provisional results', () => {
    const season = facts({
      matches: [
        ...matches,
        game('5', 'C 9-0 A', { resultStatus: 'PROVISIONAL', status: 'IN_PLAY', date: '2026-08-09', matchday: 3 }),
      ],
    });
    expect(standing(ranking(season, {}, { asOf: '2026-08-07' }).rows)).toBe('1 A, 2= C, 2= D, 4 B');
    expect(standing(ranking(season, {}, { matchday: 1 }).rows)).toBe('1 A, 2= C, 2= D, 4 B');
    expect(standing(ranking(season, {}, { live: true }).rows)).toBe('1 C, 2 D, 3 B, 4 A');
    expect(standing(ranking(season).rows)).toBe('1 D, 2 B, 3 A, 4 C');
    expect(standing(ranking(season, {}, { live: true, asOf: '2026-08-08' }).rows)).toBe('1 D, 2 B, 3 A, 4 C');
  });

  test('never counts a cancelled match', () => {
    const off = game('5', 'C 9-0 A', { resultStatus: 'PROVISIONAL', status: 'CANCELLED' });
    expect(ranking(facts({ matches: [...matches, off] }), {}, { live: true }).rows).toEqual(ranking(facts({ matches })).rows);
  });

  test('counts official and corrected results, but no annulled ones', () => {
    const corrected = matches.map((match) => ({ ...match, resultStatus: 'CORRECTED' as const }));
    expect(ranking(facts({ matches: corrected }))).toEqual(ranking(facts({ matches })));
    const annulled = matches.map((match) => (match.id === '4' ? { ...match, resultStatus: 'ANNULLED' as const } : match));
    expect(standing(ranking(facts({ matches: annulled })).rows)).toBe('1 A, 2 B, 3 D, 4 C');
  });

  test('deducts points with the reason, from the date of the decision', () => {
    const adjustment = {
      stageId: 'stage',
      participantId: 'D',
      points: -4,
      timeMs: null,
      reason: 'Licence',
      createdAt: '2026-08-10T09:00:00.000Z',
    };
    const season = facts({ matches, adjustments: [adjustment] });
    expect(ranking(season).rows.at(-1)).toMatchObject({
      participantId: 'D',
      points: 0,
      pointsDeducted: { value: 4, reasons: ['Licence'] },
    });
    expect(standing(ranking(season, {}, { asOf: '2026-08-09' }).rows)).toBe('1 D, 2 B, 3 A, 4 C');
    const runImport = { ...adjustment, createdAt: '2029-01-01T00:00:00.000Z' };
    expect(ranking(facts({ matches, adjustments: [runImport] }), {}, { asOf: '2026-08-09' }).rows.at(-1)?.participantId).toBe(
      'D',
    );
  });

  test('exists for each group with its participants, and reports who advances after the last match', () => {
    const stages = [
      stageFact('stage', 'GROUP', { groups: ['X', 'Y'], advancement: [{ by: 'PLACE', count: 1, toStageId: null }] }),
    ];
    const participants = ['A', 'B']
      .map((id) => participant(id, { groupName: 'X' }))
      .concat(['C', 'D', 'E'].map((id) => participant(id, { groupName: 'Y' })));
    const grouped = [
      game('1', 'A 2-0 B', { groupName: 'X', neutral: true }),
      game('2', 'C 1-0 D', { groupName: 'Y', neutral: true }),
      game('3', 'D - E', { groupName: 'Y', neutral: true }),
    ];
    const season = facts({ stages, participants, matches: grouped });
    expect(rankingsOf(season).map(({ groupName, type }) => `${groupName ?? ''} ${type}`)).toEqual(['X TOTAL', 'Y TOTAL']);
    expect(ranking(season, { groupName: 'X' }).rows.map(({ qualified }) => qualified)).toEqual([true, false]);
    expect(standing(ranking(season, { groupName: 'Y' }).rows)).toBe('1 C, 2 E, 3 D');
    expect(ranking(season, { groupName: 'Y' }).rows.map(({ qualified }) => qualified)).toEqual([null, null, null]);
    const untold = grouped.map((match) => (match.id === '3' ? { ...match, status: 'FINISHED' as const } : match));
    const over = facts({ stages, participants, matches: untold });
    expect(ranking(over, { groupName: 'Y' }).rows.map(({ qualified }) => qualified)).toEqual([null, null, null]);
  });

  test('has sets and ratios in sports with sets; sports without tables use a round robin', () => {
    const sets = (id: string, line: string, one: number[], other: number[]) => {
      const match = game(id, line);
      const periods = [one, other];
      return {
        ...match,
        entries: match.entries.map((entry, index) => ({
          ...entry,
          part: entry.part && { ...entry.part, points: 500, periodScores: periods[index] ?? [] },
        })),
      };
    };
    const season = facts({
      sport: 'TENNIS',
      matches: [
        sets('1', 'A 2-1 B', [6, 4, 6], [3, 6, 2]),
        sets('2', 'B 2-0 C', [6, 6], [0, 0]),
        sets('3', 'C 2-0 A', [7, 7], [6, 6]),
      ],
    });
    const { rows } = ranking(season);
    expect(standing(rows)).toBe('1 B, 2 C, 3 A');
    expect(rows[0]).toMatchObject({
      points: 1,
      setsWon: 3,
      setsLost: 2,
      tieBreak: { criterion: 'SET_RATIO', value: { value: 3, by: 2 } },
    });
  });
});
