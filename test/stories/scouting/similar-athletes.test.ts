/** Similar athletes, comparisons of athletes, and radar charts in the public API. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';
import { createSeason } from '../competitions/season-fixtures.ts';

let platform: TestPlatform;
let owner: Client;
/** 40 forwards: from a provider of many assists to a scorer of many goals. */
let forwards: string[];
/** A forward with assists only, as many as forward 10. */
let scorer: string;
let defender: string;
let swimmer: string;
const unknown = '00000000-0000-4000-8000-000000000000';

const player = async (displayName: string, position: string, more: object = {}): Promise<string> =>
  (
    await createAthlete(owner, {
      displayName,
      dateOfBirth: bornFor(20, 183),
      status: 'ACTIVE',
      sports: [{ sport: 'FOOTBALL', positions: [position], level: 'NATIONAL' }],
      ...more,
    })
  ).id;

beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Agency' });
  const { season } = await createSeason(owner, { category: 'WOMEN' });
  const report = (athleteId: string, metrics: Readonly<Record<string, number>>, matchesPlayed = 30) => ({
    athleteId,
    scope: 'SEASON',
    sport: 'FOOTBALL',
    seasonId: season.id,
    source: 'PROVIDER',
    matchesPlayed,
    metrics: Object.entries(metrics).map(([key, value]) => ({ key, value })),
  });
  forwards = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      player(`Forward ${index}`, 'ST', index % 2 === 0 ? {} : { residence: { country: 'IT', city: 'Rome' } }),
    ),
  );
  scorer = await player('Scorer', 'ST');
  defender = await player('Defender', 'CB');
  swimmer = await player('Swimmer', '', { sports: [{ sport: 'SWIMMING', level: 'NATIONAL' }] });
  const items = [
    ...forwards.map((id, index) => report(id, { goals: index, assists: 39 - index, passAccuracyPct: 80, yellowCards: 1 })),
    report(scorer, { assists: 29 }),
    report(defender, { goals: 20, assists: 20, tacklesWon: 60 }),
  ];
  expect((await owner.post('/athletes/statistics/batch', { items })).body.summary).toMatchObject({ failed: 0 });
  await platform.settled();
  await platform.maintain();
});
afterAll(() => platform.close());

interface Similar {
  readonly athlete: { readonly id: string; readonly displayName: string };
  readonly similarity: number;
  readonly comparedSkills: number;
  readonly skills: readonly {
    readonly code: string;
    readonly percentile: number | null;
    readonly similarPercentile: number | null;
  }[];
}

const similarTo = async (id: string | undefined, query = ''): Promise<Similar[]> =>
  (await platform.anonymous.get(`/scouting/similar?athleteId=${id ?? ''}&${query}`)).body.data;

describe('similar athletes', () => {
  test('have the nearest skills, most similar first, and explain them', async () => {
    const similar = await similarTo(forwards[10], 'limit=4');
    expect(new Set(similar.map(({ athlete }) => athlete.id))).toEqual(new Set([8, 9, 11, 12].map((index) => forwards[index])));
    expect(new Set(similar.slice(0, 2).map(({ athlete }) => athlete.id))).toEqual(new Set([forwards[9], forwards[11]]));
    const similarities = similar.map(({ similarity }) => similarity);
    expect(similarities).toEqual(similarities.toSorted((one, other) => other - one));
    expect(similarities[0]).toBeGreaterThan(88);
    expect(similar[0]?.skills.find(({ code }) => code === 'FINISHING')).toMatchObject({
      percentile: expect.any(Number),
      similarPercentile: expect.any(Number),
    });
    const [last] = (await similarTo(forwards[0], 'limit=50')).slice(-1);
    expect(last?.athlete.id).toBe(forwards[39]);
    expect(last?.similarity).toBeLessThan(70);
  });

  test('have at least half of the known skills in common', async () => {
    const similar = await similarTo(forwards[10], 'limit=50');
    expect(similar.map(({ athlete }) => athlete.id)).not.toContain(scorer);
    for (const { comparedSkills, skills } of similar)
      expect(skills.filter((each) => each.percentile !== null && each.similarPercentile !== null)).toHaveLength(comparedSkills);
    expect((await similarTo(scorer, 'limit=50')).length).toBeGreaterThan(30);
  });

  test('never rank one equal skill above several nearly equal ones', async () => {
    const [first, ...others] = await similarTo(scorer, 'limit=50');
    // Only chance creation is compared, a quarter of the skills of a forward.
    expect(first?.comparedSkills).toBe(1);
    expect(first?.similarity).toBeLessThanOrEqual(63);
    const [near] = await similarTo(forwards[10], 'limit=1');
    expect(near?.comparedSkills).toBe(3);
    for (const { similarity } of others) expect(near?.similarity).toBeGreaterThan(similarity);
  });

  test('are of the same position group, and never the athlete itself', async () => {
    const ids = (await similarTo(forwards[10], 'limit=50')).map(({ athlete }) => athlete.id);
    expect(ids).toHaveLength(39);
    expect(ids).not.toContain(defender);
    expect(ids).not.toContain(forwards[10]);
    expect(await similarTo(defender)).toEqual([]);
  });

  test('can be filtered by age, country, level and confidence', async () => {
    const italian = await similarTo(forwards[10], 'country=IT&limit=2');
    expect(new Set(italian.map(({ athlete }) => athlete.id))).toEqual(new Set([forwards[9], forwards[11]]));
    expect(await similarTo(forwards[10], 'ageMax=19')).toEqual([]);
    expect(await similarTo(forwards[10], 'level=REGIONAL')).toEqual([]);
    expect(await similarTo(forwards[10], 'minConfidence=0.9')).toEqual([]);
    expect(await similarTo(forwards[10], 'ageMax=20&level=NATIONAL&minConfidence=0.7&limit=3')).toHaveLength(3);
  });

  test('are empty without numbers, 404 for an unknown athlete, and hidden at once with their profile', async () => {
    expect(await similarTo(swimmer)).toEqual([]);
    expect((await platform.anonymous.get(`/scouting/similar?athleteId=${unknown}`)).status).toBe(404);
    expect((await platform.anonymous.get('/scouting/similar')).status).toBe(400);
    const { headers } = await platform.anonymous.get(`/scouting/similar?athleteId=${forwards[10] ?? ''}`);
    expect(headers.get('cache-control')).toContain('private');
    await owner.patch(`/athletes/${forwards[11] ?? ''}`, { visibility: 'PRIVATE' }, { 'if-match': '*' });
    const ids = (await similarTo(forwards[10], 'limit=2')).map(({ athlete }) => athlete.id);
    expect(ids).not.toContain(forwards[11]);
    expect(ids).toHaveLength(2);
    await owner.patch(`/athletes/${forwards[11] ?? ''}`, { visibility: 'PUBLIC' }, { 'if-match': '*' });
    await platform.settled();
  });
});

describe('a comparison', () => {
  const compare = (ids: readonly (string | undefined)[]) =>
    platform.anonymous.get(`/scouting/comparisons?athleteId=${ids.join()}`);

  test('has the axes of one radar chart and the metric values of each athlete, in the requested order', async () => {
    const { status, body } = await compare([forwards[39], defender, forwards[0]]);
    expect(status).toBe(200);
    expect(body.data.map(({ athlete }: Similar) => athlete.id)).toEqual([forwards[39], defender, forwards[0]]);
    const axis = (code: string) => body.axes.find((each: { code: string }) => each.code === code);
    expect(axis('FINISHING')).toMatchObject({ title: 'Finishing', percentiles: [100, expect.any(Number), 0] });
    expect(body.sameCategory).toBe(true);
    expect(axis('CREATION').percentiles[2]).toBe(100);
    // too few athletes have this metric for a cohort
    expect(axis('DEFENDING').percentiles).toEqual([null, null, null]);
    expect(axis('SHOT_STOPPING')).toBeUndefined();
    const metric = (key: string) => body.metrics.find(({ metricKey }: { metricKey: string }) => metricKey === key);
    expect(metric('goals')).toMatchObject({ title: 'Goals', unit: 'count', lowerIsBetter: false, values: [39, 20, 0] });
    expect(metric('yellowCards')).toMatchObject({ lowerIsBetter: true, values: [1, null, 1], matches: [30, null, 30] });
  });

  test('leaves out unknown athletes, and needs two to five of one sport', async () => {
    expect((await compare([forwards[0], unknown])).body.data).toHaveLength(1);
    expect((await compare([forwards[0]])).status).toBe(400);
    expect((await compare(forwards.slice(0, 6))).status).toBe(400);
    expect((await compare([forwards[0], swimmer])).body).toMatchObject({
      status: 400,
      errors: [{ parameter: 'athleteId', code: 'several_sports' }],
    });
  });
});

test('a prospect has the skills of its position as axes of a radar chart', async () => {
  const { body } = await platform.anonymous.get(`/scouting/prospects/${forwards[39] ?? ''}`);
  const axes: readonly { readonly code: string; readonly weight: number; readonly percentile: number | null }[] = body.radar;
  expect(axes.map(({ code }) => code)).toEqual(['FINISHING', 'CREATION', 'PASSING', 'DEFENDING', 'ATHLETICISM']);
  expect(axes.map(({ percentile }) => percentile)).toEqual([100, 0, 50, null, null]);
  expect(axes.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1);
  expect(body.numbers).toMatchObject([
    { metricKey: 'assists', title: 'Assists', unit: 'count' },
    { title: 'Goals' },
    { title: 'Pass accuracy' },
    { title: 'Yellow cards' },
  ]);
});
