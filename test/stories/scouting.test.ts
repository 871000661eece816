/** Prospects through the public doors, over the projection that events feed. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../client.ts';
import { openDatabase, raw, sql } from '../../platform/database.ts';
import { openWorld, type World } from '../world.ts';
import { bornFor, createAthlete } from './people.ts';
import { makes, makesSeason } from './season-maker.ts';

let world: World;
let owner: Client;
let moderator: Client;
beforeAll(async () => {
  world = await openWorld();
  owner = await world.account({ account: 'Agency' });
  moderator = await world.account({ account: 'Moderation', scopes: ['moderation:write'] });
});
afterAll(() => world.close());

const bornAt = (age: number): string => bornFor(age, 183);

async function athlete(displayName: string, age: number, facts: object = {}, sport: object = {}): Promise<string> {
  const sports = [{ sport: 'FOOTBALL', positions: ['LB'], level: 'NATIONAL', ...sport }];
  const born = { displayName, dateOfBirth: bornAt(age), sex: 'FEMALE', nationalities: ['NG'], residence: null };
  return (await createAthlete(owner, { ...born, sports, status: 'ACTIVE', ...facts })).id;
}

interface Card {
  readonly athlete: { readonly id: string; readonly displayName: string };
  readonly talentScore: number;
  readonly components: readonly { readonly contribution: number }[];
}

const names = async (query = ''): Promise<string[]> =>
  (await world.anonymous.get(`/scouting/prospects?limit=100&${query}`)).body.data.map((each: Card) => each.athlete.displayName);

describe('prospects', () => {
  test('are public adults, best score first, each score the sum of its contributions', async () => {
    await athlete('Ada Young', 18);
    await athlete('Bea Older', 25);
    await athlete('Cleo Regional', 18, {}, { level: 'REGIONAL' });
    const minor = await athlete('Mia Minor', 16);
    await athlete('Dana Draft', 18, { status: 'DRAFT' });
    await athlete('Pia Private', 18, { visibility: 'PRIVATE' });
    await world.settled();
    expect((await names()).toSorted()).toEqual(['Ada Young', 'Bea Older', 'Cleo Regional']);
    expect((await names())[2]).toBe('Cleo Regional');
    expect((await owner.get(`/scouting/prospects/${minor}`)).status).toBe(404);
    expect((await world.anonymous.get('/scouting/prospects/00000000-0000-4000-8000-000000000000')).status).toBe(404);
    const { body, headers } = await world.anonymous.get('/scouting/prospects');
    expect(headers.get('cache-control')).toContain('private');
    for (const { talentScore, components } of body.data as Card[])
      expect(components.reduce((sum, { contribution }) => sum + contribution, 0)).toBe(talentScore);
    expect(body.data[0]).toMatchObject({
      talentScore: 50,
      confidence: 0,
      emerging: false,
      trend: null,
      percentile: null,
      sport: 'FOOTBALL',
      cohort: { sport: 'FOOTBALL', sex: 'FEMALE', position: 'DF', level: 'NATIONAL', n: null },
      modelVersion: '2-percentiles-growth',
    });
  });

  test('follow the profile: a verification raises the score, a hidden profile is gone, a shown one is back', async () => {
    const id = await athlete('Eve Verified', 20);
    await world.settled();
    const score = async (): Promise<number> => (await world.anonymous.get(`/scouting/prospects/${id}`)).body.talentScore;
    expect(await score()).toBe(50);
    await moderator.post(`/athletes/${id}/verify`, { method: 'Passport' });
    await world.settled();
    expect(await score()).toBe(55);
    await owner.post(`/athletes/${id}/deactivate`);
    await world.settled();
    expect((await world.anonymous.get(`/scouting/prospects/${id}`)).status).toBe(404);
    expect(await names()).not.toContain('Eve Verified');
    await owner.post(`/athletes/${id}/activate`);
    await world.settled();
    expect(await score()).toBe(55);
    await owner.patch(`/athletes/${id}`, { dateOfBirth: bornAt(15) }, { 'if-match': '*' });
    await world.settled();
    expect((await world.anonymous.get(`/scouting/prospects/${id}`)).status).toBe(404);
  });

  test('are filtered by sport, position, country, age and score', async () => {
    const guard = { sport: 'BASKETBALL', positions: ['PG'] };
    await athlete('Gia Guard', 19, { residence: { country: 'US' } }, guard);
    await athlete('Fia Forward', 23, { nationalities: ['FR', 'US'] }, { ...guard, positions: ['PF'], level: 'SCHOOL' });
    await world.settled();
    const found = (query: string): Promise<string[]> => names(`sport=BASKETBALL&${query}`);
    expect(await found('')).toEqual(['Gia Guard', 'Fia Forward']);
    expect(await found('position=G')).toEqual(['Gia Guard']);
    expect(await found('position=PF,C')).toEqual(['Fia Forward']);
    expect(await found('country=US')).toEqual(['Gia Guard']);
    expect(await found('country=FR')).toEqual(['Fia Forward']);
    expect(await found('ageMax=22')).toEqual(['Gia Guard']);
    expect(await found('ageMax=23')).toEqual(['Gia Guard', 'Fia Forward']);
    expect(await found('minScore=50')).toEqual(['Gia Guard']);
    expect(await found('sex=MALE')).toEqual([]);
    expect((await world.anonymous.get('/scouting/prospects?ageMax=12')).status).toBe(400);
  });

  test('are paged by score without gap or repetition, and join athletes in one statement', async () => {
    for (let index = 0; index < 7; index += 1)
      await athlete(`Tia ${index}`, 18 + (index % 3), {}, { sport: 'TENNIS', positions: [] });
    await world.settled();
    const query = `query ($after: String) {
      prospects(first: 3, after: $after, filter: { sport: TENNIS }) { nodes { talentScore athlete { displayName } } pageInfo { nextCursor } }
    }`;
    const seen: Card[] = [];
    let after: string | null = null;
    do {
      world.statements();
      const { body } = await world.anonymous.graphql(query, { after });
      seen.push(...body.data.prospects.nodes);
      after = body.data.prospects.pageInfo.nextCursor;
      expect(world.statements().filter((name) => name.startsWith('prospects.'))).toEqual(['prospects.list']);
    } while (after !== null);
    expect(new Set(seen.map((each) => each.athlete.displayName)).size).toBe(7);
    expect(seen.map((each) => each.talentScore)).toEqual(seen.map((each) => each.talentScore).toSorted((a, b) => b - a));
  });

  test('tell no athlete id of their own', async () => {
    const fields = await world.anonymous.graphql('{ prospects { nodes { athleteId } } }');
    expect(fields.body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });
});

describe('a score', () => {
  const seasons: string[] = [];
  /** Forty midfielders of 20: the one at index i scored i goals this season, and 20 in the one before. */
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
  const prospect = async (id: string | undefined) => (await world.anonymous.get(`/scouting/prospects/${id ?? ''}`)).body;
  const reports = async (items: readonly object[]) =>
    expect((await owner.post('/athletes/statistics/batch', { items })).body.summary).toMatchObject({ failed: 0 });

  beforeAll(async () => {
    const league = await makesSeason(owner, { sport: 'HANDBALL' });
    const before = { name: '2025/26', startDate: '2025-08-01', endDate: '2026-05-30', competitionId: league.competition.id };
    seasons.push((await makes(owner, '/competitions/seasons', before)).id, league.season.id);
    scorers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => athlete(`Scorer ${index}`, 20, {}, { sport: 'HANDBALL', positions: ['CB'] })),
    );
    await reports(scorers.flatMap((id, index) => [report(id, 0, 20), report(id, 1, index)]));
    await world.settled();
    await world.upkeep();
  }, 60_000);

  test('is made of where the numbers and their growth stand among those of the same age, level and position', async () => {
    expect(await prospect(scorers[39])).toMatchObject({
      components: [
        {
          code: 'PERFORMANCE',
          weight: 0.45,
          value: 0.8333,
          contribution: 37,
          text: 'goals at percentile 100; of 20 whole matches.',
        },
        { code: 'GROWTH', value: 0.8333, text: 'goals grew more than that of 100 in 100, since the season before.' },
        { code: 'LEVEL', value: 0.67 },
        { code: 'CONSISTENCY', text: 'In the weaker of the last two seasons at percentile 51.' },
        { code: 'VERIFICATION', value: 0 },
      ],
      talentScore: 75,
      confidence: 0.67,
      trend: 'RISING',
      percentile: 100,
      ageAdjustedPercentile: 100,
      growthPercentile: 100,
      birthQuarter: expect.any(Number),
      emerging: true,
      cohort: { sport: 'HANDBALL', sex: 'FEMALE', ageBand: '18-20', position: 'BC', level: 'NATIONAL', n: 40 },
    });
    expect(await prospect(scorers[0])).toMatchObject({ trend: 'FALLING', growthPercentile: 0, emerging: false });
    const { body } = await world.anonymous.get('/scouting/prospects?sport=HANDBALL&emerging=true&minConfidence=0.6');
    expect(body.data.map((each: Card) => each.athlete.id)).toEqual(scorers.slice(32).toReversed());
  });

  test('falls back to a wider cohort, and says so', async () => {
    const goalkeeper = await athlete('Gus Goalkeeper', 20, {}, { sport: 'HANDBALL', positions: ['GK'] });
    const regional = await athlete('Rea Regional', 20, {}, { sport: 'HANDBALL', positions: ['CB'], level: 'REGIONAL' });
    const older = await athlete('Olga Older', 30, {}, { sport: 'HANDBALL', positions: ['CB'] });
    const new_ = await athlete('Nele New', 20, {}, { sport: 'HANDBALL', positions: ['CB'] });
    await reports([goalkeeper, regional, older].map((id) => report(id, 1, 39)));
    await reports([report(new_, 1, 5, 2)]);
    await world.settled();
    const cohortOf = async (id: string) => (await prospect(id)).cohort;
    expect(await cohortOf(goalkeeper)).toMatchObject({ ageBand: '18-20', position: null, level: 'NATIONAL', n: 40 });
    expect(await cohortOf(regional)).toMatchObject({ ageBand: '18-20', position: null, level: null, n: 40 });
    expect(await cohortOf(older)).toMatchObject({ ageBand: null, position: null, level: null, n: 40 });
    expect(await prospect(new_)).toMatchObject({
      confidence: 0.17,
      trend: null,
      components: [{ value: 0.5833 }, {}, {}, {}, {}],
    });
  });

  test('does not rise by what athletes report of themselves, and follows a correction', async () => {
    const id = scorers[10];
    const before = await prospect(id);
    await makes(owner, '/athletes/statistics', { ...report(id ?? '', 1, 90), source: 'SELF_REPORTED' });
    await world.settled();
    expect(await prospect(id)).toEqual(before);
    await reports([report(id ?? '', 1, 35)]);
    await world.settled();
    expect((await prospect(id)).talentScore).toBeGreaterThan(before.talentScore);
  });

  test('and all else that scouting keeps of athletes is what a rebuild from the beginning makes', async () => {
    await world.settled();
    await world.upkeep();
    const kept = async () =>
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
    const pool = openDatabase({ url: world.database.ownerUrl, name: 'test-rebuild', poolSize: 1 });
    try {
      const before = await kept();
      expect(before).toContain(scorers[0]);
      await pool.query(
        sql`/* test.empty */ truncate scouting.prospect, scouting.prospect_metric, scouting.cohort, scouting.cohort_due`,
      );
      await pool.query(sql`/* test.ask */ insert into scouting.projection_sweep (name) values ('athletes')`);
      await world.upkeep();
      expect(await kept()).toBe(before);
    } finally {
      await pool.close();
    }
  });
});
