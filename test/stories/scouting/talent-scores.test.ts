/** Talent scores in the public API: cohorts, search and rebuild. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase, raw, sql } from '../../../platform/database/database.ts';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';
import { createResource, createSeason } from '../competitions/season-fixtures.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Agency' });
});
afterAll(() => platform.close());

interface Card {
  readonly athlete: { readonly id: string };
}

const athlete = async (displayName: string, age: number, sport: object): Promise<string> => {
  const facts = { displayName, dateOfBirth: bornFor(age, 183), nationalities: ['NG'], residence: null, status: 'ACTIVE' };
  return (await createAthlete(owner, { ...facts, sports: [{ sport: 'HANDBALL', level: 'NATIONAL', ...sport }] })).id;
};

describe('a score', () => {
  const seasons: string[] = [];
  /** 40 midfielders of age 20. The athlete at index i scored i goals this season and 20 in the previous one. */
  let scorers: string[];

  const report = (athleteId: string, season: number, goals: number, matches = 20) => ({
    athleteId,
    scope: 'SEASON',
    sport: 'HANDBALL',
    seasonId: seasons[season],
    source: 'PROVIDER',
    matchesPlayed: matches,
    metrics: [{ key: 'goals', value: goals }],
    asOf: `${2024 + season}-05-30`,
  });
  const prospect = async (id: string | undefined) => (await platform.anonymous.get(`/scouting/prospects/${id ?? ''}`)).body;
  const reports = async (items: readonly object[]) =>
    expect((await owner.post('/athletes/statistics/batch', { items })).body.summary).toMatchObject({ failed: 0 });

  beforeAll(async () => {
    const league = await createSeason(owner, { sport: 'HANDBALL' });
    const before = { name: '2025/26', startDate: '2025-08-01', endDate: '2026-05-30', competitionId: league.competition.id };
    seasons.push((await createResource(owner, '/competitions/seasons', before)).id, league.season.id);
    scorers = await Promise.all(Array.from({ length: 40 }, (_, index) => athlete(`Scorer ${index}`, 20, { positions: ['CB'] })));
    await reports(scorers.flatMap((id, index) => [report(id, 0, 20), report(id, 1, index)]));
    await platform.settled();
    await platform.maintain();
  });

  test('consists of percentiles of values and their growth in the cohort', async () => {
    expect(await prospect(scorers[39])).toMatchObject({
      components: [
        {
          code: 'PERFORMANCE',
          weight: 0.6,
          value: 0.8333,
          contribution: 50,
          contributionMax: 60,
          text: '50 of at most 60 points: Goals 39, 1.95 per 60 minutes, 100th percentile among 40 back-court players aged 18-20 at national level. Full matches: 20, until 2025-05-30.',
        },
        {
          code: 'GROWTH',
          value: 0.8333,
          text: '12 of at most 15 points: Growth since the previous season: goals 100th percentile.',
        },
        { code: 'LEVEL', value: 0.67 },
        { code: 'CONSISTENCY', text: expect.stringContaining('51st percentile in the weaker of the last two seasons.') },
        { code: 'VERIFICATION', value: 0 },
      ],
      talentScore: 75,
      confidence: 0.67,
      trend: 'RISING',
      percentile: 100,
      ageAdjustedPercentile: 100,
      growthPercentile: 100,
      birthQuarter: expect.any(Number),
      // A single number, which measures 40 % of the skills of a back-court player, makes no emerging talent.
      emerging: false,
      coverage: 0.4,
      cohort: { sport: 'HANDBALL', sex: 'FEMALE', ageBand: '18-20', position: 'BC', level: 'NATIONAL', n: 40 },
    });
    expect(await prospect(scorers[0])).toMatchObject({ trend: 'FALLING', growthPercentile: 0, emerging: false });
    const { body } = await platform.anonymous.get('/scouting/prospects?sport=HANDBALL&limit=100&minConfidence=0.6');
    expect(body.data.slice(0, 8).map((each: Card) => each.athlete.id)).toEqual(scorers.slice(32).toReversed());
  });

  test('falls back to a wider cohort, which keeps the position longest', async () => {
    const winger = await athlete('Willa Winger', 20, { positions: ['LW'] });
    const regional = await athlete('Rea Regional', 20, { positions: ['CB'], level: 'REGIONAL' });
    const older = await athlete('Olga Older', 30, { positions: ['CB'] });
    const new_ = await athlete('Nele New', 20, { positions: ['CB'] });
    await reports([winger, regional, older].map((id) => report(id, 1, 39)));
    await reports([report(new_, 1, 5, 2)]);
    await platform.settled();
    const cohortOf = async (id: string) => (await prospect(id)).cohort;
    expect(await cohortOf(winger)).toMatchObject({ ageBand: '18-20', position: null, level: 'NATIONAL', n: 40 });
    expect(await cohortOf(regional)).toMatchObject({ ageBand: '18-20', position: 'BC', level: null, n: 40 });
    expect(await cohortOf(older)).toMatchObject({ ageBand: null, position: 'BC', level: null, n: 40 });
    expect(await prospect(new_)).toMatchObject({
      confidence: 0.17,
      trend: null,
      components: [{ value: 0.5833 }, {}, {}, {}, {}],
    });
  });

  test('can be searched by thresholds, and small counts are withheld', async () => {
    const found = async (query: string) =>
      (await platform.anonymous.get(`/scouting/discovery?sport=HANDBALL&limit=100&${query}`)).body;
    const { data, facets } = await found('metric=goals:gte:25,goals:lte:36&ageBand=18-20&level=NATIONAL&position=CB');
    expect(data.map((each: Card) => each.athlete.id)).toEqual(scorers.slice(25, 37).toReversed());
    expect(facets).toMatchObject({
      capped: false,
      position: [{ value: 'BC', count: 10 }],
      sex: [{ value: 'FEMALE', count: 10 }],
    });
    expect((await found('metric=goals:gte:35')).facets.level).toMatchObject([
      { value: 'NATIONAL', count: null },
      { count: null },
    ]);
    expect(await found('metric=tries:gte:1')).toMatchObject({
      status: 400,
      errors: [{ parameter: 'metric', code: 'unknown_metric' }],
    });
    expect((await platform.anonymous.get('/scouting/discovery?metric=goals:gte:1')).status).toBe(400);
    expect((await found('eventCode=50_FREE')).errors[0].code).toBe('without_metric');
    expect((await found('metric=goals:gte:1&eventCode=50_FREE')).errors[0].code).toBe('unknown_event');
    expect((await found('metric=goals')).errors[0].parameter).toBe('metric');
    expect((await prospect(scorers[39])).numbers).toMatchObject([
      { metricKey: 'goals', value: 39, percentile: 100, growthPercentile: 100 },
    ]);
  });

  test('names numbers that fewer than 30 athletes have, without a percentile', async () => {
    const saving = {
      ...report(scorers[3] ?? '', 1, 3),
      metrics: [
        { key: 'saves', value: 40 },
        { key: 'goals', value: 3 },
      ],
    };
    const tennis = await athlete('Tennis player', 20, { sport: 'TENNIS', positions: [] });
    const { season } = await createSeason(owner, { sport: 'TENNIS' });
    const aces = [{ key: 'aces', value: 12 }];
    await reports([saving, { ...report(tennis, 1, 0, 3), sport: 'TENNIS', seasonId: season.id, metrics: aces }]);
    await platform.settled();
    expect(await prospect(scorers[3])).toMatchObject({
      numbers: [{ metricKey: 'goals', asOf: '2025-05-30' }],
      uncomparedNumbers: [{ metricKey: 'saves', title: 'Saves', value: 40, matches: 20 }],
      coverage: 0.4,
    });
    expect(await prospect(tennis)).toMatchObject({
      confidence: 0,
      coverage: 0,
      numbers: [],
      components: [
        {
          text: '30 of at most 60 points: Fewer than 30 athletes to compare with: Aces 12, 4 per match. Matches: 3, until 2025-05-30. Counts as average.',
        },
        {},
        {},
        { text: '2 of at most 5 points: Only one season. Counts as average.' },
        {},
      ],
    });
    await reports([report(scorers[3] ?? '', 1, 3)]);
    await platform.settled();
    await platform.maintain();
  });

  test('can be searched by thresholds per match and by percentile', async () => {
    const found = async (metric: string) =>
      (await platform.anonymous.get(`/scouting/discovery?sport=HANDBALL&limit=100&position=CB&ageBand=18-20&metric=${metric}`))
        .body;
    const idsOf = async (metric: string): Promise<string[]> => {
      const { data } = await found(metric);
      return (data ?? []).map((each: Card) => each.athlete.id).filter((id: string) => scorers.includes(id));
    };
    // 37 goals in 20 matches
    expect(await idsOf('goals:gte:1.85:perMatch,goals:lte:1.9:perMatch')).toEqual([scorers[38], scorers[37]]);
    expect(await idsOf('goals:gte:38:total')).toEqual([scorers[39], scorers[38]]);
    const numbers = (await Promise.all(scorers.map(prospect))).map((each) => each.numbers[0].percentile);
    const among = (least: number) => scorers.filter((_, index) => numbers[index] >= least).toReversed();
    expect(among(90).length).toBeGreaterThan(1);
    expect(await idsOf('goals:gte:90:percentile')).toEqual(among(90));
    expect(await idsOf('goals:gte:89.5:percentile')).toEqual(among(90));
    const graph = await platform.anonymous.graphql(
      `{ prospects(filter: { sport: HANDBALL, ageBand: ["18-20"], position: ["CB"], metric: ["goals:gte:${numbers[39]}:percentile"] }) { nodes { athlete { id } } } }`,
    );
    const bestIds = graph.body.data.prospects.nodes.map((each: Card) => each.athlete.id);
    expect(bestIds.filter((id: string) => scorers.includes(id))).toEqual([scorers[39]]);
  });

  test('ignores self-reported statistics and follows corrections', async () => {
    const id = scorers[10];
    const before = await prospect(id);
    await createResource(owner, '/athletes/statistics', { ...report(id ?? '', 1, 90), source: 'SELF_REPORTED' });
    await platform.settled();
    expect(await prospect(id)).toEqual(before);
    await reports([report(id ?? '', 1, 35)]);
    await platform.settled();
    expect((await prospect(id)).talentScore).toBeGreaterThan(before.talentScore);
  });

  test('and the other projected data are the same after a rebuild', async () => {
    await platform.settled();
    await platform.maintain();
    const stored = async () =>
      JSON.stringify([
        await tableOf('prospect', 'sport, athlete_id', 'id, version, computed_at'),
        await tableOf('prospect_metric', 'athlete_id, metric, event_code'),
        await tableOf('cohort', 'sport, metric, event_code, kind, sex, age_band, position_group, level'),
      ]);
    const tableOf = async (name: string, order: string, but = '') => {
      const rows = await pool.query<{ row: Record<string, unknown> }>(
        raw(`select to_jsonb(t) as row from scouting.${name} t order by ${order}`),
      );
      return rows.map(({ row }) => Object.fromEntries(Object.entries(row).filter(([key]) => !but.split(', ').includes(key))));
    };
    const pool = openDatabase({ url: platform.database.ownerUrl, name: 'test-rebuild', poolSize: 1 });
    try {
      const before = await stored();
      expect(before).toContain(scorers[0]);
      await pool.query(
        sql`/* test.empty */ truncate scouting.prospect, scouting.prospect_metric, scouting.cohort, scouting.cohort_due`,
      );
      await pool.query(sql`/* test.sweep */ insert into scouting.projection_sweep (name) values ('athletes')`);
      await platform.maintain();
      expect(await stored()).toBe(before);
    } finally {
      await pool.close();
    }
  });
});
