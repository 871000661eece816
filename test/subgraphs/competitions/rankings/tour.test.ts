/** Every Tour de France since 2000: order and gaps follow from the times, and vacated places stay vacant. */
import { describe, expect, test } from '@jest/globals';
import { generalClassification, type StageTimes } from '../../../../subgraphs/competitions/rankings/accumulated-time.ts';
import { readDataRows } from '../../../open-data.ts';
import { stage } from './results.ts';

describe('the Tour de France', () => {
  type Row = Readonly<Record<'race' | 'year' | 'rank' | 'rider' | 'bib' | 'total_seconds' | 'gap_seconds', string>>;
  const races = Map.groupBy(readDataRows<Row>('cycling/tdf_gc.csv'), ({ race, year }) => `${race} ${year}`);

  /** The places that are missing in the file: riders who were disqualified later. */
  const emptyPlaces = (published: readonly Row[]): number[] => {
    const taken = new Set(published.map(({ rank }) => Number(rank)));
    return Array.from({ length: Math.max(...taken) }, (_, index) => index + 1).filter((rank) => !taken.has(rank));
  };

  /**
   * The whole race as one stage. A disqualified rider finished just behind the preceding one, whose time is in whole seconds. A disqualified
   * winner has the time that the gaps refer to.
   */
  const ridden = (published: readonly Row[], empty: readonly number[]): StageTimes => {
    const timeMs = (row: Row | undefined): number => Number(row?.total_seconds ?? 0) * 1000;
    const [first] = published;
    const winnerMs = timeMs(first) - Number(first?.gap_seconds ?? 0) * 1000;
    const before = (place: number): number =>
      place === 1 ? winnerMs : timeMs(published.findLast(({ rank }) => Number(rank) < place)) + place;
    return stage(
      1,
      Object.fromEntries([
        ...published.map((row) => [`${row.bib} ${row.rider}`, timeMs(row)] as const),
        ...empty.map((place) => [`gone ${place}`, before(place)] as const),
      ]),
    );
  };

  test.each([...races.keys()])('%s: order and gaps follow from the total times, and vacated places stay vacant', (race) => {
    const published = races.get(race) ?? [];
    const empty = emptyPlaces(published);
    const vacated = empty.map((place) => `gone ${place}`);
    const general = generalClassification([ridden(published, empty)], { vacated });
    const byRider = new Map(general.rows.map((row) => [row.participantId, row]));
    for (const { bib, rider, rank, gap_seconds } of published) {
      const row = byRider.get(`${bib} ${rider}`);
      // The file has whole seconds and no stage placings, so tied riders share the first of their places.
      const level = general.rows.filter((other) => other.rank === row?.rank).length;
      expect(Number(rank)).toBeGreaterThanOrEqual(row?.rank ?? Infinity);
      expect(Number(rank)).toBeLessThan((row?.rank ?? 0) + level);
      expect(row?.gapMs).toBe(Number(gap_seconds) * 1000);
    }
    expect(general.rows.flatMap((row) => (row.vacated ? [row.rank] : []))).toEqual(empty);
    expect(general.rows).toHaveLength(published.length + empty.length);
    const [winner] = general.rows;
    const [, year = ''] = race.split(' ');
    expect(winner?.vacated).toBe(race.startsWith('men') && year <= '2005');
    expect(winner?.rank).toBe(1);
  });

  test('the first places of 2000 to 2005 are vacant, and no others', () => {
    const without = [...races].flatMap(([race, published]) => (emptyPlaces(published).includes(1) ? [race] : []));
    expect(without).toEqual([2000, 2001, 2002, 2003, 2004, 2005].map((year) => `men ${year}`));
  });
});
