/** What the competitions area adds to an athlete: personal bests and replays, of those whom the reader may know, in few statements. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';
import { holdMeet } from './meets.ts';
import { makes, makesAthlete } from './season-maker.ts';

let world: World;
let owner: Client;
let swimmers: Map<string, string>;
let seasonId: string;
const names = Array.from({ length: 20 }, (_, index) => `Swimmer ${index}`);
const idOf = (name: string): string => swimmers.get(name) ?? '';
beforeAll(async () => {
  world = await openWorld();
  owner = await world.account({ account: 'Federation' });
  swimmers = new Map();
  const made = await Promise.all(names.map((name) => makesAthlete(owner, name)));
  for (const [index, name] of names.entries()) swimmers.set(name, made[index]?.id);
  swimmers.set('Mia', (await makesAthlete(owner, 'Mia', { birthYear: 2015 })).id);
});
afterAll(() => world.close());

const bests = 'personalBests { sport discipline eventCode category course mark { display } windMmPerS heldOn match { id } }';
const replays = 'replays(first: 2) { nodes { title } pageInfo { hasNextPage } }';

async function bestsOf(name: string, client: Client = world.anonymous) {
  const { body } = await client.get(`/athletes/${idOf(name)}?include=personalBests,replays`);
  return (body.personalBests ?? []).map(({ eventCode, course, mark }: Record<string, unknown>) => [eventCode, course, mark]);
}
const mark = (value: number, display: string) => ({ value, unit: 'ms', display });

test('personal bests are the best marks that count, of each event and course, and follow corrections', async () => {
  const [one = '', two = ''] = names;
  const long = await holdMeet(owner, swimmers, {}, { eventCode: '100_FREE', course: 'LONG_COURSE' }, [...names, 'Mia']);
  seasonId = long.season.id;
  await long.swims(Object.fromEntries([...names, 'Mia'].map((name, index) => [name, 5500 + index])));
  const fast = await long.swims({ [one]: 5400, [two]: 5450 }, '2026-09-02');
  const short = await holdMeet(owner, swimmers, {}, { eventCode: '100_FREE', course: 'SHORT_COURSE' }, [one]);
  await short.swims({ [one]: 5300 });
  const draft = await holdMeet(owner, swimmers, { status: 'DRAFT' }, { eventCode: '50_FREE' }, [one]);
  await draft.swims({ [one]: 2500 });

  expect(await bestsOf(one)).toEqual([
    ['100_FREE', 'LONG_COURSE', mark(54_000, '54.00')],
    ['100_FREE', 'SHORT_COURSE', mark(53_000, '53.00')],
  ]);
  const { body } = await world.anonymous.get(`/athletes/${idOf(one)}?include=personalBests`);
  expect(body.personalBests[0]).toMatchObject({
    sport: 'SWIMMING',
    discipline: 'POOL',
    category: 'WOMEN',
    windMmPerS: null,
    heldOn: '2026-09-02',
    match: { id: fast },
  });
  expect((await world.anonymous.get(`/athletes/${idOf(one)}`)).body).not.toHaveProperty('personalBests');

  const slower = [one, two].map((name) => ({ participantId: long.entered.get(name), invalidResultMark: 'DSQ' }));
  await owner.post(`/competitions/matches/${fast}/result/correct`, { reason: 'False start', participants: slower });
  expect(await bestsOf(one)).toContainEqual(['100_FREE', 'LONG_COURSE', mark(55_000, '55.00')]);
});

test('replays are those that are published, of the athlete or with the athlete in them, the newest first', async () => {
  const [one, two] = names.map(idOf);
  const clip = (title: string, athleteId: string | undefined, more: object = {}) =>
    makes(owner, '/competitions/replays', {
      athleteId,
      title,
      kind: 'CLIP',
      url: 'https://video.example/1',
      status: 'PUBLISHED',
      ...more,
    });
  await clip('Alone', one);
  const together = await clip('Together', two);
  await owner.post(`/competitions/replays/${together.id}/tags`, { athleteId: one, action: 'START', atMs: 100 });
  await clip('Unfinished', one, { status: 'DRAFT' });
  const titles = async (id: string | undefined) =>
    (await world.anonymous.get(`/athletes/${id}?include=replays`)).body.replays.nodes.map(
      ({ title }: { title: string }) => title,
    );
  expect([await titles(one), await titles(two), await titles(idOf(names[2] ?? ''))]).toEqual([
    ['Together', 'Alone'],
    ['Together'],
    [],
  ]);
});

test('a page of twenty athletes with both costs the statements of one', async () => {
  const ask = (first: number) =>
    world.anonymous.graphql(`{ athletes(first: ${first}, sort: CREATED_AT_ASC) { nodes { displayName ${bests} ${replays} } } }`);
  const ran = async (first: number): Promise<string[]> => {
    world.statements();
    const { body } = await ask(first);
    expect(body.errors).toBeUndefined();
    expect(body.data.athletes.nodes).toHaveLength(first);
    expect(body.data.athletes.nodes.every((node: { personalBests: unknown[] }) => node.personalBests.length > 0)).toBe(true);
    return world.statements().toSorted();
  };
  const [twenty, single] = [await ran(20), await ran(1)];
  expect(twenty).toEqual(single);
  expect(twenty.filter((name) => /^(bestMarks|replays|matches)\./.test(name))).toEqual([
    'bestMarks.ofAthletes',
    'matches.byIds',
    'replays.ofAthletes',
  ]);
});

test('of who is hidden there is nothing, whichever way one asks; the owner reads his own', async () => {
  const nested = `{ participants(first: 50, filter: { seasonId: "${seasonId}" }) { nodes { athlete { ${bests} ${replays} } } } }`;
  const everybody = `{ results(first: 5) { nodes { participants { participant { athlete { displayName ${bests} } } } } } }`;
  expect((await world.anonymous.get(`/athletes/${idOf('Mia')}?include=personalBests`)).status).toBe(404);
  expect((await owner.get(`/athletes/${idOf('Mia')}?include=personalBests`)).body.personalBests).toHaveLength(1);
  const bare = await world.anonymous.graphql(nested);
  expect(bare.body.data.participants.nodes).toHaveLength(21);
  const found = JSON.stringify([bare.body, (await world.anonymous.graphql(everybody)).body]);
  expect(found).toContain('55.00');
  // 55.20: the time of the last of them, who is hidden
  expect(found).not.toContain('55.20');
  await owner.patch(`/athletes/${idOf('Swimmer 3')}`, { visibility: 'PRIVATE' }, { 'if-match': '*' });
  expect(await bestsOf('Swimmer 3')).toEqual([]);
  expect(await bestsOf('Swimmer 3', owner)).toHaveLength(1);
});
