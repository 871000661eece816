/** Statistics counted from matches: whatever happens to matches in whatever order, they are what a rebuild makes of them. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openDatabase, sql, type Database } from '../../platform/database.ts';
import { areaRole } from '../../platform/roles.ts';
import { createWriter } from '../../platform/write.ts';
import { metric } from '../../schema/metrics.ts';
import type { Sport } from '../../schema/sports.ts';
import type { MatchFacts, Participation } from '../../subgraphs/athletes/match-counting.ts';
import { matchRows, sumRows } from '../../subgraphs/athletes/match-statistics.ts';
import { countMatches } from '../../subgraphs/athletes/store/computed-statistics.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';

const id = (kind: number, number: number): string => `00000000-0000-4000-800${kind}-${String(number).padStart(12, '0')}`;
const athletes = [1, 2, 3].map((number) => id(1, number));
const nobody = id(1, 9);

const participation = (more: Partial<Participation> = {}): Participation => ({
  athleteId: athletes[0] ?? '',
  teamId: null,
  inTeam: false,
  played: true,
  minutes: null,
  outcome: null,
  rank: null,
  mark: null,
  unit: null,
  reactionTimeMs: null,
  method: null,
  actions: [],
  ...more,
});

const match = (sport: Sport, participations: readonly Participation[], more: Partial<MatchFacts> = {}): MatchFacts => ({
  id: id(2, 1),
  sport,
  seasonId: id(3, 1),
  competitionId: id(4, 1),
  eventCode: null,
  published: true,
  date: '2026-05-01',
  counts: true,
  participations,
  ...more,
});

const did = (type: string, count: number, assist = false) => ({ type, assist, count });
const valuesOf = (row: { metrics: readonly { key: string; value: number }[] } | undefined) =>
  Object.fromEntries(row?.metrics.map(({ key, value }) => [key, value]) ?? []);
const counted = (sport: Sport, more: Partial<Participation>, of: Partial<MatchFacts> = {}) =>
  valuesOf(matchRows(match(sport, [participation(more)], of))[0]);

describe('what a match says of an athlete', () => {
  test('is counted in the metrics of the sport, as far as its facts tell', () => {
    const team = { inTeam: true, teamId: id(5, 1) };
    const actions = [
      did('GOAL', 2),
      did('PENALTY_GOAL', 1),
      did('OWN_GOAL', 1),
      did('GOAL', 3, true),
      did('SECOND_YELLOW_CARD', 1),
    ];
    expect(counted('FOOTBALL', { ...team, actions })).toEqual({ goals: 3, assists: 3, yellowCards: 1, redCards: 1 });
    expect(counted('FOOTBALL', { ...team, minutes: 90 })).toEqual({});
    expect(counted('HANDBALL', { ...team, actions: [...actions, did('SAVE', 4)] })).toMatchObject({
      goals: 3,
      sevenMetreGoals: 1,
      saves: 4,
    });
    const baskets = [did('TWO_POINTS', 3), did('THREE_POINTS', 2), did('FREE_THROW', 1), did('TWO_POINTS', 1, true)];
    expect(counted('BASKETBALL', { ...team, actions: baskets })).toEqual({
      points: 13,
      assists: 1,
      fieldGoalsMade: 5,
      threePointersMade: 2,
    });
    expect(counted('RUGBY', { ...team, actions: [did('TRY', 2), did('RED_CARD', 1)] })).toEqual({ tries: 2, redCards: 1 });
    expect(counted('TENNIS', { outcome: 'WIN', actions: [did('ACE', 7)] })).toEqual({ matchesWon: 1, winPct: 100, aces: 7 });
    expect(counted('COMBAT', { outcome: 'WIN', method: 'KO_TKO' })).toEqual({
      wins: 1,
      losses: 0,
      draws: 0,
      noContests: 0,
      knockouts: 1,
      submissions: 0,
    });
    expect(counted('COMBAT', { outcome: 'LOSS', method: 'SUBMISSION' })).toMatchObject({
      losses: 1,
      knockouts: 0,
      submissions: 0,
    });
    const mark = { mark: 10_010, unit: 'ms', reactionTimeMs: 150 };
    expect(counted('ATHLETICS', mark, { eventCode: '100M' })).toEqual({ seasonBestMs: 10_010, reactionTimeMs: 150 });
    expect(counted('SWIMMING', { ...mark, inTeam: true }, { eventCode: '4X100_FREE' })).toEqual({});
    expect(counted('CYCLING', { rank: 1 }, { eventCode: 'STAGE_RACE' })).toEqual({ stageWins: 1 });
    expect(counted('CYCLING', { rank: 1 }, { eventCode: 'ROAD_RACE' })).toEqual({});
  });

  test('is nothing without a result that counts, in public, and of who did not play', () => {
    expect(matchRows(match('FOOTBALL', [participation()], { counts: false }))).toEqual([]);
    expect(matchRows(match('FOOTBALL', [participation()], { published: false }))).toEqual([]);
    expect(matchRows(match('FOOTBALL', [participation({ played: false })]))).toEqual([]);
    expect(matchRows(match('FOOTBALL', [participation({ minutes: 12 })]))).toMatchObject([
      { matchesPlayed: 1, minutesPlayed: 12 },
    ]);
  });

  test('becomes seasons of each team and event, and careers of each sport and event', () => {
    const of = (number: number, more: Partial<MatchFacts>, who: Partial<Participation>) =>
      matchRows(match('ATHLETICS', [participation({ unit: 'ms', ...who })], { id: id(2, number), eventCode: '100M', ...more }));
    const rows = sumRows([
      ...of(1, {}, { mark: 10_100 }),
      ...of(2, { date: '2026-06-01' }, { mark: 10_050 }),
      ...of(3, { seasonId: id(3, 2), date: '2027-06-01' }, { mark: 10_200 }),
      ...of(4, { eventCode: '200M' }, { mark: 20_500 }),
      ...matchRows(match('TENNIS', [participation({ outcome: 'LOSS' })], { id: id(2, 5) })),
    ]);
    const told = rows.map((row) => [
      row.scope,
      row.sport,
      row.eventCode,
      row.seasonId,
      row.matchesPlayed,
      row.asOf,
      valuesOf(row),
    ]);
    expect(told).toEqual([
      ['SEASON', 'ATHLETICS', '100M', id(3, 1), 2, '2026-06-01', { seasonBestMs: 10_050 }],
      ['SEASON', 'ATHLETICS', '100M', id(3, 2), 1, '2027-06-01', { seasonBestMs: 10_200 }],
      ['SEASON', 'ATHLETICS', '200M', id(3, 1), 1, '2026-05-01', { seasonBestMs: 20_500 }],
      ['SEASON', 'TENNIS', null, id(3, 1), 1, '2026-05-01', { matchesWon: 0, winPct: 0 }],
      ['CAREER', 'ATHLETICS', '100M', null, 3, '2027-06-01', { personalBestMs: 10_050 }],
      ['CAREER', 'ATHLETICS', '200M', null, 1, '2026-05-01', { personalBestMs: 20_500 }],
      ['CAREER', 'TENNIS', null, null, 1, '2026-05-01', { matchesWon: 0, winPct: 0 }],
    ]);
  });
});

const anyParticipation = (sport: Sport): fc.Arbitrary<Participation> =>
  fc
    .record({
      athleteId: fc.constantFrom(...athletes, nobody),
      teamId: sport === 'FOOTBALL' ? fc.constantFrom(id(5, 1), id(5, 2)) : fc.constant(null),
      played: fc.constantFrom(true, true, true, false),
      minutes: fc.option(fc.integer({ min: 1, max: 90 })),
      outcome: fc.constantFrom('WIN' as const, 'LOSS' as const, 'DRAW' as const),
      mark: fc.option(fc.integer({ min: 9_000, max: 12_000 })),
      goals: fc.integer({ min: 0, max: 3 }),
      assists: fc.integer({ min: 0, max: 2 }),
    })
    .map(({ goals, assists, ...one }) =>
      participation({
        ...one,
        inTeam: sport === 'FOOTBALL',
        unit: one.mark === null ? null : 'ms',
        actions: [did('GOAL', goals), did('GOAL', assists, true)].filter(({ count }) => count > 0),
      }),
    );

const anyMatch = fc.constantFrom<Sport>('FOOTBALL', 'TENNIS', 'SWIMMING').chain((sport) =>
  fc.record({
    id: fc.integer({ min: 1, max: 6 }).map((number) => id(2, number)),
    sport: fc.constant(sport),
    seasonId: fc.integer({ min: 1, max: 2 }).map((number) => id(3, number)),
    competitionId: fc.constant(id(4, 1)),
    eventCode: sport === 'SWIMMING' ? fc.constantFrom('50_FREE', '100_FREE') : fc.constant(null),
    published: fc.constantFrom(true, true, true, true, false),
    date: fc.constantFrom('2026-05-01', '2026-06-01', null),
    counts: fc.constantFrom(true, true, true, false),
    participations: fc.uniqueArray(anyParticipation(sport), { maxLength: 4, selector: (one) => one.athleteId }),
  }),
);

/** Matches that are written or deleted, and events that are handed over afterwards, with others of long ago among them. */
const anyStep = fc.record({
  written: fc.array(anyMatch, { maxLength: 3 }),
  deleted: fc.option(fc.integer({ min: 1, max: 6 }).map((number) => id(2, number))),
  repeated: fc.array(
    fc.integer({ min: 1, max: 8 }).map((number) => id(2, number)),
    { maxLength: 3 },
  ),
});

describe('stored', () => {
  let clone: ClonedDatabase;
  let database: Database;
  beforeAll(async () => {
    clone = await cloneDatabase();
    database = openDatabase({ url: clone.urlAs(areaRole('athletes')), name: 'test-statistics', poolSize: 2 });
    await database.query(sql`/* test.athletes */ insert into athlete (id, account_id, status, display_name, sex, nationalities, sports, sport_codes, availability,
        visibility, verification, search)
      select id, gen_random_uuid(), 'ACTIVE', 'A', 'FEMALE', '{}', '[]', '{}', '{}', 'PUBLIC', '{}', '' from unnest(${athletes}::uuid[]) id`);
  });
  afterAll(async () => {
    await database.close();
    await clone.drop();
  });

  /** Applies events about matches as the projection does. */
  async function hand(facts: ReadonlyMap<string, MatchFacts>, ids: readonly string[]): Promise<void> {
    const graph = (_: string, variables?: Record<string, unknown>) =>
      Promise.resolve({ matchesById: (variables?.['ids'] as string[]).flatMap((each) => facts.get(each) ?? []) });
    const writer = createWriter(database, {}, () => undefined);
    await database.transaction((transaction) => countMatches(transaction, writer, graph, [...new Set(ids)]));
  }

  interface Row {
    readonly scope: string;
    readonly matchId: string | null;
    readonly metrics: readonly { key: string; value: number }[];
    readonly alone: readonly { key: string; value: number }[];
    readonly matchesPlayed: number;
    readonly minutesPlayed: number | null;
    readonly group: string;
  }
  const content = (): Promise<Row[]> =>
    database.query<Row>(sql`/* test.statistics */ select scope, match_id as "matchId", matches_played as "matchesPlayed", minutes_played as "minutesPlayed", metrics, as_of,
      concat_ws(' ', athlete_id, sport, season_id, competition_id, coalesce(team_id::text, '-'), event_code) as group,
      (select coalesce(jsonb_agg(jsonb_build_object('key', key, 'value', value) order by key), '[]') from statistic_metric where statistics_id = s.id) as alone
      from statistics s order by scope, "group", match_id`);

  const byKey = <Each extends { key: string }>(list: readonly Each[]): Each[] =>
    list.toSorted((a, b) => (a.key < b.key ? -1 : 1));

  /** The sum or best of rows of matches, key by key, as the registry says: ratios apart. */
  function together(rows: readonly Row[]): Record<string, number> {
    const keys = new Set(rows.flatMap(({ metrics }) => metrics.map(({ key }) => key)));
    const pairs = [...keys].flatMap((key): [string, number][] => {
      const values = rows.flatMap(({ metrics }) => metrics.filter((each) => each.key === key).map(({ value }) => value));
      const how = metric(key)?.aggregation;
      if (how === 'SUM') return [[key, values.reduce((all, value) => all + value, 0)]];
      return how === 'MIN' ? [[key, Math.min(...values)]] : [];
    });
    return Object.fromEntries(pairs);
  }

  test('a season is the sum or best of its matches, and all of it what a rebuild makes, after any sequence of events', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 6 }), async (steps) => {
        const facts = new Map<string, MatchFacts>();
        await database.query(sql`/* test.clear */ delete from statistics`);
        for (const { written, deleted, repeated } of steps) {
          for (const each of written) facts.set(each.id, each);
          if (deleted !== null) facts.delete(deleted);
          await hand(facts, [...written.map((each) => each.id), ...(deleted === null ? [] : [deleted]), ...repeated]);
        }
        const found = await content();
        for (const row of found) expect(byKey(row.metrics)).toEqual(row.alone);
        const matches = Map.groupBy(
          found.filter(({ scope }) => scope === 'MATCH'),
          ({ group }) => group,
        );
        const seasons = found.filter(({ scope }) => scope === 'SEASON');
        expect(seasons.map(({ group }) => group).toSorted()).toEqual([...matches.keys()].toSorted());
        for (const season of seasons) {
          const of = matches.get(season.group) ?? [];
          const minutes = of.flatMap(({ minutesPlayed }) => minutesPlayed ?? []);
          expect([season.matchesPlayed, season.minutesPlayed]).toEqual([
            of.length,
            minutes.length > 0 ? minutes.reduce((all, each) => all + each, 0) : null,
          ]);
          const { winPct, ...numbers } = valuesOf(season);
          expect(numbers).toEqual(together(of));
          if (winPct !== undefined) expect(winPct).toBeCloseTo((100 * (numbers['matchesWon'] ?? 0)) / of.length);
        }
        await database.query(sql`/* test.clear */ delete from statistics`);
        await hand(facts, [...facts.keys()]);
        expect(await content()).toEqual(found);
      }),
      { numRuns: 40 },
    );
  });

  test('a batch of many matches is written in a few statements, and the same again in none', async () => {
    await database.query(sql`/* test.clear */ delete from statistics`);
    const many = Array.from({ length: 150 }, (_, index) =>
      match('TENNIS', [participation({ outcome: 'WIN' }), participation({ athleteId: athletes[1] ?? '', outcome: 'LOSS' })], {
        id: id(2, 100 + index),
      }),
    );
    const facts = new Map(many.map((each) => [each.id, each]));
    const ran: string[] = [];
    const counting = openDatabase({
      url: clone.urlAs(areaRole('athletes')),
      name: 'test-counting',
      poolSize: 1,
      onStatement: (text) => void ran.push(/\/\* (.+?) \*\//.exec(text)?.[1] ?? text),
    });
    const graph = (_: string, variables?: Record<string, unknown>) =>
      Promise.resolve({ matchesById: (variables?.['ids'] as string[]).flatMap((each) => facts.get(each) ?? []) });
    const apply = async (): Promise<string[]> => {
      ran.length = 0;
      const writer = createWriter(counting, {}, () => undefined);
      await counting.transaction((transaction) => countMatches(transaction, writer, graph, [...facts.keys()]));
      return ran.filter((name) => name.includes('.'));
    };
    const first = await apply();
    expect(first.length).toBeLessThan(12);
    expect(await apply()).toEqual(['statistics.computedOfMatches']);
    await counting.close();
  });
});
