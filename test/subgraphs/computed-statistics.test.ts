/** Statistics counted from matches: whatever happens to matches in whatever order, they are what a rebuild makes of them. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openDatabase, sql, type Database } from '../../platform/database.ts';
import { areaRole } from '../../platform/roles.ts';
import { createWriter } from '../../platform/write.ts';
import { metric } from '../../schema/metrics.ts';
import type { Sport } from '../../schema/sports.ts';
import type { MatchFacts, Participation } from '../../subgraphs/athletes/match-counting.ts';
import { countMatches } from '../../subgraphs/athletes/store/computed-statistics.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';
import { athletes, did, id, match, nobody, participation, valuesOf } from './participations.ts';

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
    expect(await apply()).toEqual(['athletes.mergedInto', 'statistics.computedOfMatches']);
    await counting.close();
  });
});
