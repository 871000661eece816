/** Rankings over many competitions: the best results of 52 weeks and Elo ratings. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { rankByBestResults, type PointsResult } from '../../../../subgraphs/competitions/rankings/counting-results.ts';
import { eloRanking, type RatedMatch } from '../../../../subgraphs/competitions/rankings/elo.ts';

describe('the best results', () => {
  const result = (resultId: string, competitorId: string, points: number, on: string): PointsResult => ({
    resultId,
    competitorId,
    points,
    on,
  });
  const season = [
    result('a1', 'A', 100, '2025-01-06'),
    result('a2', 'A', 90, '2025-03-03'),
    result('a3', 'A', 10, '2025-06-02'),
    result('b1', 'B', 150, '2025-02-03'),
    result('b2', 'B', 40, '2025-05-05'),
    result('c1', 'C', 190, '2025-09-01'),
  ];
  const rolling = (asOf: string, best = 2, previousAsOf?: string) =>
    rankByBestResults(season, { best, weeks: 52, asOf, ...(previousAsOf !== undefined && { previousAsOf }) });
  const told = (...given: Parameters<typeof rolling>): string[] =>
    rolling(...given).map(({ rank, competitorId, points }) => `${rank} ${competitorId} ${points}`);

  test('only the best count, equal points share a rank, and the results that count are named', () => {
    expect(told('2025-12-01')).toEqual(['1 A 190', '1 B 190', '1 C 190']);
    const [a] = rolling('2025-12-01');
    expect(a?.countingResults.map(({ resultId }) => resultId)).toEqual(['a1', 'a2']);
    expect(a).toMatchObject({ results: 3, shared: true });
  });

  test('a result counts for 52 weeks to the day, and what drops next is told with the points it leaves', () => {
    const [before] = rolling('2026-01-04');
    expect(before).toMatchObject({ competitorId: 'A', points: 190 });
    expect(before?.nextDrop).toEqual({ on: '2026-01-05', resultIds: ['a1'], pointsAfter: 100 });
    expect(told('2026-01-05')).toEqual(['1 B 190', '1 C 190', '3 A 100']);
    expect(told('2027-01-01')).toEqual([]);
  });

  test('a later result does not exist yet, and the rank of an earlier date is told', () => {
    expect(told('2025-02-03')).toEqual(['1 B 150', '2 A 100']);
    expect(
      rolling('2025-12-01', 1, '2025-02-03').map(({ competitorId, rank, previousRank }) => [competitorId, rank, previousRank]),
    ).toEqual([
      ['C', 1, null],
      ['B', 2, 1],
      ['A', 3, 2],
    ]);
  });

  test('of results of equal points the later one counts, which drops later', () => {
    const level = [result('1', 'A', 10, '2025-01-06'), result('2', 'A', 10, '2025-02-03')];
    const [row] = rankByBestResults(level, { best: 1, weeks: 52, asOf: '2025-03-03' });
    expect(row?.countingResults).toEqual([{ ...level[1], dropsOn: '2026-02-02' }]);
  });

  test('without weeks nothing ever drops', () => {
    const [c] = rankByBestResults(season, { best: 1, asOf: '2030-01-01' });
    expect(c).toMatchObject({ competitorId: 'C', points: 190, nextDrop: null });
  });

  const day = fc.integer({ min: 0, max: 800 }).map((days) => new Date(Date.UTC(2024, 0, 1 + days)).toISOString().slice(0, 10));
  const results = fc
    .array(fc.tuple(fc.constantFrom('A', 'B', 'C'), fc.nat({ max: 4 }), day), { maxLength: 25 })
    .map((rows) => rows.map(([competitorId, points, on], index) => result(`r${index}`, competitorId, points, on)));

  test('the points are those of the named results, no other result of the window is worth more, and input order never matters', () => {
    fc.assert(
      fc.property(results, fc.integer({ min: 1, max: 4 }), day, (given, best, asOf) => {
        const rows = rankByBestResults(given, { best, weeks: 52, asOf });
        expect(rankByBestResults(given.toReversed(), { best, weeks: 52, asOf })).toEqual(rows);
        for (const { competitorId, countingResults, points, results: count, nextDrop } of rows) {
          const limit = new Date(Date.parse(asOf) - 364 * 86_400_000).toISOString().slice(0, 10);
          const window = given.filter(({ competitorId: id, on }) => id === competitorId && on <= asOf && on > limit);
          const expected = window.map((each) => each.points).toSorted((one, other) => other - one);
          expect(count).toBe(window.length);
          expect(countingResults.map((each) => each.points)).toEqual(expected.slice(0, best));
          expect(points).toBe(expected.slice(0, best).reduce((sum, each) => sum + each, 0));
          const then =
            nextDrop &&
            rankByBestResults(
              given.filter(({ on }) => on <= asOf),
              { best, weeks: 52, asOf: nextDrop.on },
            );
          if (then) expect(then.find((row) => row.competitorId === competitorId)?.points ?? 0).toBe(nextDrop.pointsAfter);
        }
      }),
    );
  });
});

describe('an Elo ranking', () => {
  const formula = { start: 1500, factor: 32 };
  const match = (matchId: string, day: number, competitorIds: [string, string], outcome: RatedMatch['outcome']): RatedMatch => ({
    matchId,
    at: new Date(Date.UTC(2025, 0, day)),
    competitorIds,
    outcome,
  });
  const told = (...given: Parameters<typeof eloRanking>): string[] =>
    eloRanking(...given).map(({ rank, competitorId, rating }) => `${rank} ${competitorId} ${rating}`);

  test('between equals half the factor moves, a draw moves nothing, a no contest is not played', () => {
    expect(told([match('1', 1, ['A', 'B'], 'WIN')], formula)).toEqual(['1 A 1516', '2 B 1484']);
    expect(told([match('1', 1, ['A', 'B'], 'DRAW')], formula)).toEqual(['1 A 1500', '1 B 1500']);
    expect(told([match('1', 1, ['A', 'B'], 'NO_CONTEST')], formula)).toEqual([]);
    expect(told([match('1', 1, ['A', 'B'], 'LOSS'), match('2', 2, ['A', 'B'], 'WIN')], formula)).toEqual([
      '1 A 1501',
      '2 B 1499',
    ]);
  });

  test('matches of the same time count by id, and an earlier date gives the previous rank', () => {
    const matches = [match('2', 1, ['B', 'C'], 'WIN'), match('1', 1, ['A', 'B'], 'WIN'), match('3', 9, ['C', 'A'], 'WIN')];
    const rows = eloRanking(matches, { ...formula, previousAsOf: new Date(Date.UTC(2025, 0, 5)) });
    expect(eloRanking(matches.toReversed(), { ...formula, previousAsOf: new Date(Date.UTC(2025, 0, 5)) })).toEqual(rows);
    expect(rows.map(({ competitorId, previousRank }) => [competitorId, previousRank])).toEqual([
      ['B', 2],
      ['C', 3],
      ['A', 1],
    ]);
    expect(eloRanking(matches, { ...formula, asOf: new Date(Date.UTC(2025, 0, 1)) })[0]).toMatchObject({
      competitorId: 'A',
      matchesPlayed: 1,
    });
  });

  const outcome = fc.constantFrom<RatedMatch['outcome']>('WIN', 'LOSS', 'DRAW', 'NO_CONTEST');
  const pair = fc.constantFrom<[string, string]>(['A', 'B'], ['B', 'C'], ['C', 'D'], ['D', 'A']);
  const season = fc
    .array(fc.tuple(pair, outcome, fc.integer({ min: 1, max: 5 })), { maxLength: 30 })
    .map((rows) => rows.map(([ids, how, day], index) => match(`m${index}`, day, ids, how)));

  test('points only change hands, and the order of the input never matters', () => {
    fc.assert(
      fc.property(season, (matches) => {
        const rows = eloRanking(matches, formula);
        expect(eloRanking(matches.toReversed(), formula)).toEqual(rows);
        const total = rows.reduce((sum, { rating }) => sum + rating, 0);
        expect(Math.abs(total - 1500 * rows.length)).toBeLessThanOrEqual(rows.length);
      }),
    );
  });
});
