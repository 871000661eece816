/** Leaderboards and derived metric values over the public API, without self-reported values and minors. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createMinor, verifiedAccount } from './minors-fixture.ts';
import { bornFor, createAthlete } from './people.ts';
import { createResource, createSeason } from '../competitions/season-fixtures.ts';

let platform: TestPlatform;
let owner: Client & { readonly organizationId: string };
let moderator: Client;
let seasonId: string;
let competitionId: string;
let swimSeasonId: string;
/** Thirty-two women aged 25, left backs: the one at index i scored i goals in ten matches. */
let backs: string[];
let young: string;
let minor: string;

const adult = (age: number, more: object = {}) => ({ status: 'ACTIVE', dateOfBirth: bornFor(age, 40), ...more });
const report = (athleteId: string, goals: number, more: object = {}) => ({
  athleteId,
  scope: 'SEASON',
  sport: 'FOOTBALL',
  seasonId,
  source: 'PROVIDER',
  matchesPlayed: 10,
  minutesPlayed: 450,
  metrics: [
    { key: 'goals', value: goals },
    { key: 'redCards', value: goals },
    { key: 'passAccuracyPct', value: 80 },
  ],
  ...more,
});

beforeAll(async () => {
  platform = await openTestPlatform();
  moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
  owner = await verifiedAccount(platform, moderator, 'Club', { officer: true });
  const league = await createSeason(owner);
  [seasonId, competitionId] = [league.season.id, league.competition.id];
  swimSeasonId = (await createSeason(owner, { sport: 'SWIMMING', type: 'MEET' })).season.id;
  const created = await Promise.all(Array.from({ length: 32 }, () => createAthlete(owner, adult(25))));
  backs = created.map(({ id }) => id);
  young = (await createAthlete(owner, adult(19, { sports: [{ sport: 'FOOTBALL', positions: ['ST'], level: 'NATIONAL' }] }))).id;
  minor = await createMinor(owner, ['PROFILE']);
  const items = [...backs.map((id, index) => report(id, index)), report(young, 31), report(minor, 50)];
  const { body } = await owner.post('/athletes/statistics/batch', { items });
  expect(body.summary).toMatchObject({ created: 34 });
  await platform.settled();
  await platform.maintain();
});
afterAll(() => platform.close());

interface Row {
  readonly id: string;
  readonly athlete: { readonly id: string };
  readonly rank: number | null;
  readonly source: string;
  readonly metrics: readonly Record<string, unknown>[];
  /** The included athletes. */
  readonly percentiles?: readonly { readonly key: string; readonly percentile: number | null; readonly cohort: object | null }[];
}

async function board(query: string, client: Client = platform.anonymous) {
  const { status, body } = await client.get(`/athletes/statistics?${query}`);
  expect([status, body.detail]).toEqual([200, undefined]);
  return body as { data: Row[]; page: { nextCursor: string | null } };
}
const places = ({ data }: { data: readonly Row[] }) => data.map(({ athlete, rank }) => [athlete.id, rank]);
const metricOf = (row: Row | undefined, key: string) => row?.metrics.find((each) => each['key'] === key);
const standingOf = (row: Row | undefined, key: string) => row?.percentiles?.find((each) => each.key === key);
const rowOf = async (athleteId: string, client: Client = platform.anonymous) =>
  (await board(`athleteId=${athleteId}&seasonId=${seasonId}&source=PROVIDER&include=percentiles`, client)).data[0];

describe('a leaderboard', () => {
  test('lists the best first: most goals, fewest red cards, lowest time; equal values share a rank across pages', async () => {
    const goals = `metric=goals&seasonId=${seasonId}&sort=best`;
    const whole = places(await board(`${goals}&limit=100`));
    expect(whole.slice(0, 3).map(([, rank]) => rank)).toEqual([1, 1, 3]);
    expect(new Set(whole.slice(0, 2).map(([id]) => id))).toEqual(new Set([young, backs[31]]));
    expect(whole.at(-1)).toEqual([backs[0], 33]);
    const first = await board(`${goals}&limit=1`);
    const second = await board(`${goals}&limit=1&cursor=${first.page.nextCursor}`);
    const third = await board(`${goals}&limit=40&cursor=${second.page.nextCursor}`);
    expect([first, second, third].flatMap(places)).toEqual(whole);
    expect(places(await board(`metric=redCards&seasonId=${seasonId}&sort=best&limit=1`))).toEqual([[backs[0], 1]]);
    expect(places(await board(`metric=redCards&seasonId=${seasonId}&sort=-value&limit=1`))).toEqual([whole[0]]);
    for (const [index, value] of [25_000, 24_000].entries())
      await createResource(owner, '/athletes/statistics', {
        ...report(backs[index] ?? '', 0),
        sport: 'SWIMMING',
        seasonId: swimSeasonId,
        eventCode: '50_FREE',
        metrics: [{ key: 'seasonBestMs', value }],
      });
    const fastest = await board('metric=seasonBestMs&eventCode=50_FREE&sort=best');
    expect(places(fastest)).toEqual([
      [backs[1], 1],
      [backs[0], 2],
    ]);
    expect(places(await board('metric=seasonBestMs&eventCode=100_FREE&sort=best'))).toEqual([]);
    expect((await platform.anonymous.get('/athletes/statistics?sort=best')).body).toMatchObject({ code: 'parameter_invalid' });
    expect((await board(`seasonId=${seasonId}`)).data.map(({ rank }) => rank).every((rank) => rank === null)).toBe(true);
  });

  test('of a competition includes its seasons and reports without a season', async () => {
    const next = await createSeason(owner);
    await createResource(owner, '/athletes/statistics', report(backs[1] ?? '', 90, { seasonId: next.season.id }));
    await createResource(
      owner,
      '/athletes/statistics',
      report(backs[2] ?? '', 80, { scope: 'CAREER', seasonId: null, competitionId }),
    );
    const goals = `metric=goals&sort=best&limit=2&competitionId=${competitionId}`;
    const [[leader, first] = [], [, second] = []] = places(await board(goals));
    expect([leader, first, second]).toEqual([backs[2], 1, 2]);
    expect(places(await board(`${goals}&scope=SEASON`)).map(([, rank]) => rank)).toEqual([1, 1]);
    expect(places(await board(`metric=goals&sort=best&competitionId=${next.competition.id}`))).toEqual([[backs[1], 1]]);
  });

  test('excludes self-reported values unless the filter selects them', async () => {
    await createResource(owner, '/athletes/statistics', report(backs[5] ?? '', 99, { source: 'SELF_REPORTED' }));
    for (const sort of ['best', '-value'])
      expect(places(await board(`metric=goals&sort=${sort}&limit=2`)).map(([id]) => id)).not.toContain(backs[5]);
    expect(places(await board('metric=goals&source=SELF_REPORTED&sort=best'))).toEqual([[backs[5], 1]]);
    const [own] = (await board(`athleteId=${backs[5]}&source=SELF_REPORTED&include=percentiles`)).data;
    expect(own?.percentiles?.map(({ percentile }) => percentile)).toEqual([null, null, null]);
  });

  test('can be filtered by age, category, matches and verification', async () => {
    const goals = `metric=goals&seasonId=${seasonId}&sort=best`;
    expect(places(await board(`${goals}&ageMax=20`))).toEqual([[young, 1]]);
    expect(places(await board(`${goals}&ageMin=20&limit=1`))).toEqual([[backs[31], 1]]);
    expect(places(await board(`${goals}&sex=MALE`))).toEqual([]);
    await createResource(
      owner,
      '/athletes/statistics',
      report(backs[0] ?? '', 7, { source: 'SELF_REPORTED', matchesPlayed: 60 }),
    );
    expect(places(await board(`metric=goals&minMatches=60&source=SELF_REPORTED&sort=best`))).toEqual([[backs[0], 1]]);
    expect(places(await board(`${goals}&minMatches=11`))).toEqual([]);
    expect(places(await board(`${goals}&verified=true`))).toEqual([]);
  });
});

describe('a metric value', () => {
  test('has values per match and per 90 minutes for sums, and describes the metric', async () => {
    const row = await rowOf(backs[3] ?? '');
    expect(metricOf(row, 'goals')).toMatchObject({ value: 3, unit: 'count', title: 'Goals', direction: 'HIGHER_IS_BETTER' });
    expect(metricOf(row, 'goals')).toMatchObject({ perMatch: 0.3, per90: 0.6 });
    expect(metricOf(row, 'passAccuracyPct')).toMatchObject({ unit: 'pct', perMatch: null, per90: null });
    expect(metricOf(row, 'redCards')).toMatchObject({ direction: 'LOWER_IS_BETTER', perMatch: 0.3 });
  });

  test('has a percentile among adults of the same category, age, level and position group', async () => {
    const cohort = {
      sport: 'FOOTBALL',
      eventCode: null,
      sex: 'FEMALE',
      ageBand: '24-27',
      position: 'DF',
      level: 'NATIONAL',
      n: 32,
    };
    const [best, middle, last] = await Promise.all([31, 16, 0].map((index) => rowOf(backs[index] ?? '')));
    expect(standingOf(best, 'goals')).toMatchObject({ percentile: 100, cohort: { ...cohort, widened: [] } });
    expect(standingOf(last, 'goals')).toMatchObject({ percentile: 0 });
    expect(standingOf(middle, 'goals')?.percentile).toBe(51);
    // fewer red cards are better
    expect([standingOf(best, 'redCards')?.percentile, standingOf(last, 'redCards')?.percentile]).toEqual([0, 100]);
  });

  test('names the dropped dimensions of a small cohort; a minor is in no cohort', async () => {
    const all = { ageBand: null, position: null, level: null, n: 33, widened: ['POSITION', 'LEVEL', 'AGE'] };
    expect(standingOf(await rowOf(young), 'goals')).toMatchObject({ percentile: 98, cohort: all });
    const own = standingOf(await rowOf(minor, owner), 'goals');
    expect(own).toMatchObject({ percentile: 100, cohort: { ...all, position: 'DF', n: 32, widened: ['LEVEL'] } });
    expect((await board(`athleteId=${minor}`)).data).toEqual([]);
  });

  test('is compared in one statement per page, and in none when no percentile is selected', async () => {
    const send = async (fields: string): Promise<string[]> => {
      platform.statements();
      const query = `{ athleteStatistics(first: 20, filter: { seasonId: "${seasonId}" }) { nodes { metrics { key ${fields} } } } }`;
      expect((await platform.anonymous.graphql(query)).body.errors).toBeUndefined();
      return platform.statements();
    };
    expect(await send('percentile cohort { n widened }')).toEqual(['statistics.list', 'statistics.percentiles']);
    expect(await send('perMatch per90')).toEqual(['statistics.list']);
  });
});

test('a key with minors:read reads statistics of minors, and the owner reads the access log', async () => {
  const agency = await verifiedAccount(platform, moderator, 'Agency', { officer: true, scopes: ['minors:read'] });
  const goals = `metric=goals&seasonId=${seasonId}&sort=best&limit=1`;
  expect(places(await board(goals)).map(([id]) => id)).not.toContain(minor);
  const send = `{ athleteStatistics(first: 1, sort: BEST, filter: { metric: "goals", seasonId: "${seasonId}" }) { nodes { rank metrics { key value } } } }`;
  const { body } = await agency.graphql(send);
  expect(body.data.athleteStatistics.nodes[0]).toMatchObject({
    rank: 1,
    metrics: expect.arrayContaining([{ key: 'goals', value: 50 }]),
  });
  expect((await owner.get(`/athletes/${minor}/access-log`)).body.data).toMatchObject([{ reads: 1, scopes: ['PROFILE'] }]);
});

test('a moderator verifies reports of other accounts until new values are reported, and no computed ones', async () => {
  const { id } = (await rowOf(backs[9] ?? '')) ?? { id: '' };
  const path = `/athletes/statistics/${id}`;
  expect((await owner.post(`${path}/verify`)).status).toBe(403);
  const ownModerator = await platform.account({ account: 'Club', scopes: ['moderation:write'] });
  expect((await ownModerator.post(`${path}/verify`)).body).toMatchObject({ status: 403, code: 'not_owner' });
  expect((await moderator.post(`/athletes/statistics/${crypto.randomUUID()}/verify`)).status).toBe(404);
  expect((await moderator.post(`${path}/verify`)).body).toMatchObject({ verified: true, version: 2 });
  expect((await board(`verified=true&seasonId=${seasonId}`)).data.map((row) => row.id)).toEqual([id]);
  expect((await moderator.post(`${path}/reject`, { reason: 'Unknown source' })).body).toMatchObject({ verified: false });
  await moderator.post(`${path}/verify`);
  await owner.post('/athletes/statistics', report(backs[9] ?? '', 9));
  expect((await platform.anonymous.get(path)).body).toMatchObject({ verified: true });
  await owner.post('/athletes/statistics', report(backs[9] ?? '', 8));
  expect((await platform.anonymous.get(path)).body).toMatchObject({ verified: false });
});
