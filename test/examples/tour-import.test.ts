/** The Tour de France through the public APIs: order and gaps as published, and stripped places stay empty. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../client.ts';
import { readDataRows } from '../open-data.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { hasNoChanges, importOpenData, type ImportRun } from './import-open-data.ts';

type Ride = Readonly<Record<'race' | 'year' | 'rank' | 'rider' | 'team' | 'total_seconds' | 'gap_seconds', string>>;

interface Row {
  readonly position: number | null;
  readonly vacated: boolean;
  readonly participant: {
    readonly athlete: { readonly displayName: string } | null;
    readonly representsName: string | null;
  } | null;
  readonly mark: { readonly value: number } | null;
  readonly gap: number | null;
}

describe('the Tour de France', () => {
  const years = ['men 2000', 'men 2001', 'men 2002', 'men 2003', 'men 2004', 'men 2005', 'men 2006', 'women 2022'];
  const rides = readDataRows<Ride>('cycling/tdf_gc.csv');
  let platform: TestPlatform;
  let owner: Client & { readonly key: string };
  let first: ImportRun;
  let second: ImportRun;
  beforeAll(async () => {
    platform = await openTestPlatform();
    owner = await platform.account();
    first = await importOpenData(platform, owner.key, 'tour', 'cycling/tdf_gc.csv');
    second = await importOpenData(platform, owner.key, 'tour', 'cycling/tdf_gc.csv');
  });
  afterAll(() => platform.close());

  async function rankingOf(client: Client, race: string): Promise<Row[]> {
    const key = race.replace(' ', '/');
    const season = (await owner.get(`/competitions/seasons?mine=true&externalId=TOUR_DE_FRANCE:${key}`)).body.data[0].id;
    const rows: Row[] = [];
    for (let cursor = ''; ;) {
      const { body } = await client.get(`/competitions/rankings?seasonId=${season}&limit=100${cursor}`);
      rows.push(...body.data);
      if (!body.page.hasMore) return rows;
      cursor = `&cursor=${encodeURIComponent(body.page.nextCursor)}`;
    }
  }

  test.each(years)('%s: riders, order, times and gaps are the published ones', async (race) => {
    const published = rides.filter(({ race: name, year }) => `${name} ${year}` === race);
    const rows = await rankingOf(owner, race);
    const occupied = rows.filter(({ vacated }) => !vacated);
    const line = (row: Row) =>
      `${row.position} ${row.participant?.athlete?.displayName}, ${row.participant?.representsName}: ${row.mark?.value} +${row.gap}`;
    // Riders with equal times and one place have no defined order.
    expect(occupied.map(line).toSorted()).toEqual(
      published
        .map(
          ({ rank, rider, team, total_seconds, gap_seconds }) =>
            `${rank} ${rider}, ${team}: ${total_seconds}000 +${Number(gap_seconds) * 1000}`,
        )
        .toSorted(),
    );
    const isWithoutWinner = race.startsWith('men') && race < 'men 2006';
    expect(rows[0]).toMatchObject(
      isWithoutWinner ? { position: 1, vacated: true, participant: null } : { position: 1, vacated: false },
    );
    expect(rows).toHaveLength(published.length + (isWithoutWinner ? 1 : 0));
  });

  test('names of riders of unknown age are withheld from other callers, their places are returned', async () => {
    const [own, others] = [await rankingOf(owner, 'women 2022'), await rankingOf(platform.anonymous, 'women 2022')];
    expect(own[0]?.participant?.athlete?.displayName).toBe('ANNEMIEK VAN VLEUTEN');
    expect(others.every(({ participant }) => participant?.athlete === null)).toBe(true);
    expect(others.map(({ position, gap }) => [position, gap])).toEqual(own.map(({ position, gap }) => [position, gap]));
  });

  test('a second import changes nothing', () => {
    expect([first, second].map(hasNoChanges)).toEqual([false, true]);
  });
});
