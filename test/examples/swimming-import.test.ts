/** A swimming championship through the public APIs: every final has the published ranking. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '../client.ts';
import { dataFolder, readDataRows } from '../open-data.ts';
import { consent, verifiedAccount } from '../stories/athletes/minors-fixture.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { hasNoChanges, importOpenData } from './import-open-data.ts';
import { counts } from './run-importer.ts';

type Swim = Readonly<Record<'event' | 'place' | 'name' | 'ioc' | 'time' | 'dq', string>>;

interface Row {
  readonly position: number | null;
  readonly participant: { readonly name: string | null; readonly athlete: { readonly displayName: string } | null };
  readonly mark: { readonly display: string } | null;
  readonly separatedBy: string | null;
  readonly invalidResultMark: string | null;
  readonly contest: { readonly name: string };
}

describe('the world championships of 2022', () => {
  let platform: TestPlatform;
  let owner: Client & { readonly key: string };
  let id: string;
  beforeAll(async () => {
    platform = await openTestPlatform();
    owner = await platform.account();
    const run = await importOpenData(platform, owner.key, 'swimming', 'swimming/worlds2022.csv');
    expect(counts(run, 'matches')).toEqual({ rows: 141, created: 136, updated: 0, unchanged: 0, rejected: 5 });
    expect(run.requests).toBeLessThan(20);
    // Swimmers named twice in a final, and relays that did not start and have no heat in the file.
    expect(run.out).toContain(
      "line 176: Serbia: this swimmer already has a row in this stage: line 175 (Men's 4x100m Freestyle Final)",
    );
    expect(run.out).toContain(
      "line 335: ARMSTRONG Hunter: this swimmer already has a row in this stage: line 334 (Men's 100m Backstroke Final)",
    );
    expect(run.out.match(/has no heat/g)).toHaveLength(3);
    id = (await owner.get('/competitions/seasons?mine=true&externalId=SWIMMER:fina-world-championships/2022')).body.data[0].id;
  });
  afterAll(() => platform.close());

  async function all<Node>(path: string): Promise<Node[]> {
    const nodes: Node[] = [];
    for (let cursor = ''; ;) {
      const { body } = await owner.get(`${path}&limit=100${cursor}`);
      nodes.push(...body.data);
      if (!body.page.hasMore) return nodes;
      cursor = `&cursor=${encodeURIComponent(body.page.nextCursor)}`;
    }
  }

  test('every final has the published places, except after the row that is missing in the file', async () => {
    const stages = await all<{ id: string; name: string }>(`/competitions/seasons/${id}/stages?`);
    const finals = stages.filter(({ name }) => name === 'Final');
    const published = readDataRows<Swim>('swimming/worlds2022.csv').filter(({ event }) => event.endsWith(' Final'));
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
    expect(finals).toHaveLength(16);
    const missing = new Set(expected).difference(new Set(ranked));
    expect([...missing].toSorted()).toEqual([
      "Men's 100m Backstroke Final: 5 CHRISTOU Apostolos 52.57",
      "Men's 100m Backstroke Final: 6 MASIUK Ksawery 52.75",
      "Men's 100m Backstroke Final: 7 IRIE Ryosuke 52.83",
      "Men's 100m Backstroke Final: 8 GLINTA Robert 53.63",
    ]);
    expect(ranked).toHaveLength(expected.length);
  });

  const contestOf = async (name: string): Promise<string> =>
    (await all<{ id: string; name: string }>(`/competitions/seasons/${id}/contests?`)).find((each) => each.name === name)?.id ??
    '';
  const rankingOf = async (contestId: string, stage: string): Promise<Row[]> => {
    const stages = await all<{ id: string; name: string; contest: { id: string } }>(
      `/competitions/stages?contestId=${contestId}`,
    );
    const stageId = stages.find(({ name }) => name === stage)?.id ?? '';
    return (await owner.get(`/competitions/rankings?stageId=${stageId}&limit=100`)).body.data;
  };

  test('a swim-off separates level swimmers, and swimmers who stay level share a place', async () => {
    const semifinals = await rankingOf(await contestOf("Men's 100m Freestyle"), 'Semifinals');
    const [eighth, ninth] = semifinals.slice(7);
    expect([eighth, ninth]).toMatchObject([
      { position: 8, participant: { athlete: { displayName: 'NEMETH Nandor' } }, separatedBy: 'SWIM_OFF' },
      { position: 9, participant: { athlete: { displayName: 'ZAZZERI Lorenzo' } }, separatedBy: 'SWIM_OFF' },
    ]);
    expect(eighth?.mark).toEqual(ninth?.mark);
    const final = await rankingOf(await contestOf("Women's 200m Butterfly"), 'Final');
    expect(final.slice(6).map(({ position }) => position)).toEqual([7, 7]);
  });

  test('a heat has lanes, splits and reaction times; a swimmer who did not start has no mark', async () => {
    const contestId = await contestOf("Women's 200m Individual Medley");
    const heats = await all<{ id: string; round: string }>(`/competitions/matches?contestId=${contestId}`);
    const heat = heats.find(({ round }) => round === 'Heat 4')?.id ?? '';
    const { body } = await owner.get(`/competitions/matches/${heat}/result`);
    const walsh = (body.participants as { participant: { athlete: { displayName: string } } }[]).find(
      ({ participant }) => participant.athlete.displayName === 'WALSH Alex',
    );
    expect(walsh).toMatchObject({
      mark: { value: 129_410, unit: 'ms', display: '2:09.41' },
      splits: [27_810, 32_750, 37_530, 31_320],
      reactionTimeMs: 770,
      qualified: true,
    });
    const out = (await rankingOf(await contestOf('Mixed 4x100m Medley Relay'), 'Heats')).filter(
      ({ position }) => position === null,
    );
    expect(out.map(({ participant, invalidResultMark }) => `${participant.name} ${invalidResultMark}`).toSorted()).toEqual([
      'Estonia DSQ',
      'Lithuania DSQ',
      'Republic of Korea DSQ',
    ]);
  });

  test('the names of swimmers of unknown age are withheld from other callers', async () => {
    const contestId = await contestOf("Men's 50m Butterfly");
    const path = `/competitions/rankings?contestId=${contestId}&limit=100`;
    const namesFor = async (client: Client): Promise<(string | null)[]> =>
      ((await client.get(path)).body.data as Row[]).map(({ participant }) => participant.athlete?.displayName ?? null);
    const [own, others] = [await namesFor(owner), await namesFor(platform.anonymous)];
    expect(own).toContain('JONGA Pap D');
    expect(others).toHaveLength(own.length);
    expect(others).not.toContain('JONGA Pap D');
    expect(others).toContain('DRESSEL Caeleb');
  });

  test('a second import changes nothing', async () => {
    expect(hasNoChanges(await importOpenData(platform, owner.key, 'swimming', 'swimming/worlds2022.csv'))).toBe(true);
  });
});

/** The swimmers of two events in a separate file. */
async function fileOf(folder: string, events: readonly string[]): Promise<string> {
  const [columns = '', ...lines] = (await readFile(join(dataFolder, 'swimming/worlds2022.csv'), 'utf8')).split('\n');
  const file = join(folder, 'youth.csv');
  await writeFile(file, [columns, ...lines.filter((line) => events.some((event) => line.startsWith(event))), ''].join('\n'));
  return file;
}

describe('a championship of this year with many minors', () => {
  const year = new Date().getUTCFullYear();
  let platform: TestPlatform;
  let organizer: Client & { readonly key: string };
  let folder: string;
  let path: string;
  beforeAll(async () => {
    platform = await openTestPlatform();
    const moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
    await verifiedAccount(platform, moderator, 'Federation', { officer: false });
    organizer = await platform.account({ account: 'Federation' });
    folder = await mkdtemp(join(tmpdir(), 'talent-youth-'));
    const file = await fileOf(folder, ["Women's 200m Individual Medley ", "Women's 100m Breaststroke "]);
    const dates = ['--from', `${year}-06-18`, '--to', `${year}-06-25`];
    await importOpenData(platform, organizer.key, 'swimming', file, '--name', 'Youth', ...dates);
    const { body } = await organizer.get(`/competitions/seasons?mine=true&externalId=SWIMMER:youth/${year}`);
    path = `/competitions/seasons/${body.data[0].id}`;
    await platform.settled();
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await platform.close();
  });

  /** Everything returned about the swimmers as text, and the swimmer of a time. */
  async function readSwims(client: Client) {
    const stages = (await client.get(`${path}/stages?limit=100`)).body.data;
    const heats = stages.filter(({ name }: { name: string }) => name === 'Heats').map(({ id }: { id: string }) => id);
    const rows: Row[] = [];
    let text = '';
    for (const stageId of heats)
      rows.push(...(await client.get(`/competitions/rankings?stageId=${stageId}&limit=100`)).body.data);
    for (const list of [`${path}/participants?limit=100`, `/competitions/results?seasonId=${path.split('/').at(-1)}&limit=100`])
      text += JSON.stringify((await client.get(list)).body);
    const swim = (mark: string) => rows.find((row) => row.mark?.display === mark)?.participant;
    return { text: text + JSON.stringify(rows), swam: swim };
  }

  test('without consent names are withheld in results, tables and IDs; with consent initials and country are returned', async () => {
    const [own, others] = [await readSwims(organizer), await readSwims(platform.anonymous)];
    expect(own.swam('2:37.55')).toMatchObject({ athlete: { displayName: 'WONG Hayley' } });
    for (const minor of [/wong/i, /hayes/i, /jefimova/i]) {
      expect(own.text).toMatch(minor);
      expect(others.text).not.toMatch(minor);
    }
    expect(others.swam('2:37.55')).toMatchObject({ athlete: null, representsCountry: 'BN' });
    expect(others.swam('2:09.41')).toMatchObject({ athlete: { displayName: 'WALSH Alex' } });
    expect(others.text).toContain('walsh-alex');

    const [{ id }] = (await organizer.get('/athletes?mine=true&externalId=SWIMMER:bru/wong-hayley')).body.data;
    const given = await consent(organizer, id, ['PROFILE']);
    expect((await organizer.post(`/athletes/${id}/activate`)).status).toBe(200);
    const publicView = await readSwims(platform.anonymous);
    expect(publicView.swam('2:37.55')).toMatchObject({ athlete: { id, displayName: 'W. H.' }, representsCountry: 'BN' });
    expect(publicView.text).not.toMatch(/wong/i);
    await organizer.post(`/athletes/${id}/consents/${given}/withdraw`, {});
    expect((await readSwims(platform.anonymous)).swam('2:37.55')).toMatchObject({ athlete: null });
  });
});
