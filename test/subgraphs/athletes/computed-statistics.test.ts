/** Computed statistics equal a rebuild after any sequence of events. */
import { createGraphCaller } from '../../../schema/entry-point.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openDatabase, sql, type Database } from '../../../platform/database/database.ts';
import { areaRole } from '../../../platform/database/roles.ts';
import { createWriter } from '../../../platform/writes/write.ts';
import { metric } from '../../../schema/metrics.ts';
import { sportNames, type Sport } from '../../../schema/sports.ts';
import type { MatchFacts, Participation } from '../../../subgraphs/athletes/statistics/match-counting.ts';
import { updateMatchStatistics } from '../../../subgraphs/athletes/statistics/computed-statistics.ts';
import { cloneDatabase, type ClonedDatabase } from '../../database.ts';
import { athletes, actionCount, id, match, inactiveAthlete, participation, valuesOf } from './participation-fixtures.ts';

const teamSports: readonly Sport[] = ['FOOTBALL', 'BASKETBALL', 'VOLLEYBALL', 'RUGBY', 'HANDBALL'];
/** Events of the sports that have them, and the units of their marks. */
const events: Partial<Record<Sport, Readonly<Record<string, string | null>>>> = {
  ATHLETICS: { '100M': 'ms', LONG_JUMP: 'mm', DECATHLON: 'points' },
  SWIMMING: { '50_FREE': 'ms', '100_FREE': 'ms' },
  CYCLING: { STAGE_RACE: 'ms' },
};
const actionTypes = [
  'GOAL',
  'PENALTY_GOAL',
  'YELLOW_CARD',
  'TRY',
  'TWO_POINTS',
  'THREE_POINTS',
  'FREE_THROW',
  'ACE',
  'SAVE',
  'OTHER',
];

const scoringKeys = ['goals', 'assists', 'points', 'fieldGoalsMade', 'threePointersMade'];

const anyParticipation = (sport: Sport, unit: string | null): fc.Arbitrary<Participation> =>
  fc
    .record({
      athleteId: fc.constantFrom(...athletes, inactiveAthlete),
      teamId: teamSports.includes(sport) ? fc.constantFrom(id(5, 1), id(5, 2)) : fc.constant(null),
      played: fc.constantFrom(true, true, true, false),
      minutes: fc.option(fc.integer({ min: 1, max: 90 })),
      outcome: fc.constantFrom('WIN' as const, 'LOSS' as const, 'DRAW' as const),
      method: fc.constantFrom('KO_TKO', 'SUBMISSION', null),
      position: fc.constantFrom('GK', 'ST', null),
      conceded: fc.option(fc.integer({ min: 0, max: 3 })),
      rank: fc.option(fc.integer({ min: 1, max: 3 })),
      mark: fc.option(fc.integer({ min: 9_000, max: 12_000 })),
      windMmPerS: fc.constantFrom(null, 1_900, 2_100),
      reactionTimeMs: fc.option(fc.integer({ min: 100, max: 300 })),
      goals: fc.integer({ min: 0, max: 3 }),
      assists: fc.integer({ min: 0, max: 2 }),
      deed: fc.constantFrom(...actionTypes),
    })
    .map(({ goals, assists, deed: actionType, ...one }) =>
      participation({
        ...one,
        inTeam: teamSports.includes(sport),
        unit: one.mark === null ? null : unit,
        actions: [actionCount(actionType, goals), actionCount('GOAL', assists, true)].filter(({ count }) => count > 0),
      }),
    );

const anyMatch = fc
  .constantFrom<Sport>(...sportNames)
  .chain((sport) => fc.tuple(fc.constant(sport), fc.constantFrom(...Object.entries(events[sport] ?? { '': null }))))
  .chain(([sport, [eventCode, unit]]) =>
    fc.record({
      id: fc.integer({ min: 1, max: 6 }).map((number) => id(2, number)),
      sport: fc.constant(sport),
      seasonId: fc.integer({ min: 1, max: 2 }).map((number) => id(3, number)),
      competitionId: fc.constant(id(4, 1)),
      eventCode: fc.constant(eventCode || null),
      published: fc.constantFrom(true, true, true, true, false),
      date: fc.constantFrom('2026-05-01', '2026-06-01', null),
      counts: fc.constantFrom(true, true, true, false),
      scorersKnown: fc.boolean(),
      assistsKnown: fc.boolean(),
      participations: fc.uniqueArray(anyParticipation(sport, unit), { maxLength: 4, selector: (one) => one.athleteId }),
    }),
  );

/** Written and deleted matches, and the events delivered afterwards, including repeated old ones. */
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

  /** Applies events of matches like the projection. */
  async function hand(facts: ReadonlyMap<string, MatchFacts>, ids: readonly string[]): Promise<void> {
    const graph = createGraphCaller((_, variables) =>
      Promise.resolve({ matchesById: (variables['ids'] as string[]).flatMap((each) => facts.get(each) ?? []) }),
    );
    const writer = createWriter(database, {}, () => undefined);
    await database.transaction((transaction) => updateMatchStatistics(transaction, writer, graph, [...new Set(ids)]));
  }

  interface Row {
    readonly scope: string;
    readonly matchId: string | null;
    readonly metrics: readonly { key: string; value: number }[];
    readonly alone: readonly { key: string; value: number }[];
    readonly matchesPlayed: number;
    readonly minutesPlayed: number | null;
    readonly matchesTimed: number | null;
    readonly group: string;
    readonly career: string;
  }
  const content = (): Promise<Row[]> =>
    database.query<Row>(sql`/* test.statistics */ select scope, match_id as "matchId", matches_played as "matchesPlayed", minutes_played as "minutesPlayed", matches_timed as "matchesTimed", metrics, as_of,
      concat_ws(' ', athlete_id, sport, season_id, competition_id, coalesce(team_id::text, '-'), event_code) as group, concat_ws(' ', athlete_id, sport, event_code) as career,
      (select coalesce(jsonb_agg(jsonb_build_object('key', key, 'value', value) order by key), '[]') from statistic_metric where statistics_id = s.id) as alone
      from statistics s order by scope, "group", match_id`);

  const byKey = <Each extends { key: string }>(list: readonly Each[]): Each[] =>
    list.toSorted((a, b) => (a.key < b.key ? -1 : 1));

  /** The sum or best of rows of matches per metric, as the registry defines, without ratios. */
  function sumOrBest(rows: readonly Row[]): Record<string, number> {
    const keys = new Set(rows.flatMap(({ metrics }) => metrics.map(({ key }) => key)));
    const pairs = [...keys].flatMap((key): [string, number][] => {
      const values = rows.flatMap(({ metrics }) => metrics.filter((each) => each.key === key).map(({ value }) => value));
      const how = metric(key)?.aggregation;
      const total = values.reduce((all, value) => all + value, 0);
      // a zero of goals needs a record of all matches
      if (scoringKeys.includes(key) && total === 0 && values.length < rows.length) return [];
      if (how === 'SUM') return [[key, total]];
      if (how === 'MIN') return [[key, Math.min(...values)]];
      return how === 'MAX' ? [[key, Math.max(...values)]] : [];
    });
    return Object.fromEntries(pairs);
  }

  /** Expects one row of a scope per group of matches, with their sums and bests. */
  function expectSums(found: readonly Row[], scope: string, groups: ReadonlyMap<string, Row[]>, nameOf: (row: Row) => string) {
    const rows = found.filter((row) => row.scope === scope);
    expect(rows.map(nameOf).toSorted()).toEqual([...groups.keys()].toSorted());
    for (const row of rows) {
      const of = groups.get(nameOf(row)) ?? [];
      const minutes = of.flatMap(({ minutesPlayed }) => minutesPlayed ?? []);
      const sum = minutes.length > 0 ? minutes.reduce((all, each) => all + each, 0) : null;
      expect([row.matchesPlayed, row.minutesPlayed, row.matchesTimed]).toEqual([of.length, sum, minutes.length]);
      const { winPct, ...numbers } = valuesOf(row);
      const expected = Object.entries(sumOrBest(of)).map(([key, value]) => [
        scope === 'CAREER' ? key.replace('seasonBest', 'personalBest') : key,
        value,
      ]);
      expect(numbers).toEqual(Object.fromEntries(expected));
      if (winPct !== undefined) expect(winPct).toBeCloseTo((100 * (numbers['matchesWon'] ?? 0)) / of.length);
    }
  }

  test('seasons and careers are the sums or bests of their matches and equal a rebuild, in every sport, after any sequence of events', async () => {
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
        const matches = found.filter(({ scope }) => scope === 'MATCH');
        expectSums(
          found,
          'SEASON',
          Map.groupBy(matches, ({ group }) => group),
          ({ group }) => group,
        );
        expectSums(
          found,
          'CAREER',
          Map.groupBy(matches, ({ career }) => career),
          ({ career }) => career,
        );
        await database.query(sql`/* test.clear */ delete from statistics`);
        await hand(facts, [...facts.keys()]);
        expect(await content()).toEqual(found);
      }),
      { numRuns: 40 },
    );
  });

  test('a batch of many matches needs a few statements, and the same batch again writes nothing', async () => {
    await database.query(sql`/* test.clear */ delete from statistics`);
    const many = Array.from({ length: 100 }, (_, index) =>
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
    const graph = createGraphCaller((_, variables) =>
      Promise.resolve({ matchesById: (variables['ids'] as string[]).flatMap((each) => facts.get(each) ?? []) }),
    );
    const apply = async (): Promise<string[]> => {
      ran.length = 0;
      const writer = createWriter(counting, {}, () => undefined);
      await counting.transaction((transaction) => updateMatchStatistics(transaction, writer, graph, [...facts.keys()]));
      return ran.filter((name) => name.includes('.'));
    };
    const first = await apply();
    expect(first.length).toBeLessThan(12);
    expect(await apply()).toEqual([
      'statistics.athletesOfMatches',
      'athletes.mergedInto',
      'athletes.lockCanonical',
      'statistics.computedOfMatches',
    ]);
    await counting.close();
  });
});
