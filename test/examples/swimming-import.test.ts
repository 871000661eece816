/** A swimming championship through the public doors: every final stands as it was published. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../client.ts';
import { describeOpenData, openRows } from '../open-data.ts';
import { openWorld, type World } from '../world.ts';
import { imported } from './imported.ts';
import { counts } from './run-importer.ts';

type Swim = Readonly<Record<'event' | 'place' | 'name' | 'ioc' | 'time' | 'dq', string>>;

interface Row {
  readonly position: number | null;
  readonly participant: { readonly name: string | null; readonly athlete: { readonly displayName: string } | null };
  readonly mark: { readonly display: string } | null;
  readonly invalidResultMark: string | null;
  readonly contest: { readonly name: string };
}

describeOpenData('the world championships of 2022', () => {
  let world: World;
  let owner: Client & { readonly key: string };
  let id: string;
  beforeAll(async () => {
    world = await openWorld();
    owner = await world.account();
    const run = await imported(world, owner.key, 'swimming', 'swimming/worlds2022.csv');
    expect(counts(run, 'matches')).toEqual({ rows: 316, created: 303, updated: 0, unchanged: 0, rejected: 13 });
    expect(run.calls).toBeLessThan(20);
    // Who is named twice in a final, and relays that did not start and whose heat the file does not tell.
    expect(run.out).toContain("line 458: Serbia: swims in this stage on line 457 already (Men's 4x100m Freestyle Final)");
    expect(run.out).toContain(
      "line 989: ARMSTRONG Hunter: swims in this stage on line 988 already (Men's 100m Backstroke Final)",
    );
    expect(run.out.match(/does not tell its heat/g)).toHaveLength(11);
    id = (await owner.get('/competitions/seasons?mine=true&externalId=SWIMMER:fina-world-championships/2022')).body.data[0].id;
  });
  afterAll(() => world.close());

  async function all<Node>(path: string): Promise<Node[]> {
    const nodes: Node[] = [];
    for (let cursor = ''; ;) {
      const { body } = await owner.get(`${path}&limit=100${cursor}`);
      nodes.push(...body.data);
      if (!body.page.hasMore) return nodes;
      cursor = `&cursor=${encodeURIComponent(body.page.nextCursor)}`;
    }
  }

  test('the places of every final are the published ones, but for the rows after the one that the file lost', async () => {
    const stages = await all<{ id: string; name: string }>(`/competitions/seasons/${id}/stages?`);
    const finals = stages.filter(({ name }) => name === 'Final');
    const published = openRows<Swim>('swimming/worlds2022.csv').filter(({ event }) => event.endsWith(' Final'));
    const isRepeated = (row: Swim, index: number): boolean =>
      published.findIndex(({ event, name, ioc }) => event === row.event && name === row.name && ioc === row.ioc) < index;
    const expected = published
      .filter((row, index) => !isRepeated(row, index))
      .map(({ event, place, name, ioc, time }) => `${event}: ${place} ${name || ioc.slice(6)} ${time}`);
    const ranked: string[] = [];
    for (const { id: stageId } of finals) {
      const { body } = await owner.get(`/competitions/rankings?stageId=${stageId}&limit=100`);
      for (const { position, participant, mark, contest } of body.data as Row[])
        ranked.push(
          `${contest.name} Final: ${position} ${participant.athlete?.displayName ?? participant.name} ${mark?.display}`,
        );
    }
    expect(finals).toHaveLength(42);
    const missing = new Set(expected).difference(new Set(ranked));
    expect([...missing].toSorted()).toEqual([
      "Men's 100m Backstroke Final: 5 CHRISTOU Apostolos 52.57",
      "Men's 100m Backstroke Final: 6 MASIUK Ksawery 52.75",
      "Men's 100m Backstroke Final: 7 IRIE Ryosuke 52.83",
      "Men's 100m Backstroke Final: 8 GLINTA Robert 53.63",
    ]);
    expect(ranked).toHaveLength(expected.length);
  });
});
