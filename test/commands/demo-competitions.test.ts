/** Demo competitions in a database: both APIs return tables and brackets, and stored rankings equal a rebuild. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { seedDemoData } from '../../commands/demo/load.ts';
import { openDatabase, sql, type Database } from '../../platform/database/database.ts';
import { areaRole } from '../../platform/database/roles.ts';
import { createWriter } from '../../platform/writes/write.ts';
import { areas, type Area } from '../../schema/areas.ts';
import { SYSTEM } from '../../schema/viewer.ts';
import type { RankingChange } from '../../subgraphs/competitions/season-rankings/rows.ts';
import { refreshRankings } from '../../subgraphs/competitions/season-rankings/writes.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { testConsistency } from './demo-consistency.ts';

const today = '2026-11-21';

let platform: TestPlatform;
let database: Database;
beforeAll(async () => {
  platform = await openTestPlatform();
  const areaUrls = Object.fromEntries(areas.map((area) => [area, platform.database.urlAs(areaRole(area))])) as Record<
    Area,
    string
  >;
  await seedDemoData({ areaUrls, ownerUrl: platform.database.ownerUrl, athletes: 900, today });
  // the matches are counted, and prospects are created
  await platform.settled();
  await platform.maintain();
  database = openDatabase({ url: areaUrls.competitions, name: 'test-demo', poolSize: 2 });
});
afterAll(async () => {
  await database.close();
  await platform.close();
});

/** The items of a list for an anonymous caller. */
async function list(path: string): Promise<Record<string, unknown>[]> {
  const { status, body } = await platform.anonymous.get(path);
  expect({ path, status }).toEqual({ path, status: 200 });
  return body.data;
}

/** The season in progress of a competition. */
async function seasonOf(code: string): Promise<string> {
  const [competition] = await list(`/competitions?externalId=DEMO:${code}`);
  const [season] = await list(`/competitions/seasons?competitionId=${String(competition?.['id'])}&status=IN_PROGRESS`);
  return String(season?.['id']);
}

const codes = [
  ['FOOTBALL', 'INT-FOML'],
  ['BASKETBALL', 'INT-BAML'],
  ['VOLLEYBALL', 'INT-VOWL'],
  ['RUGBY', 'INT-RUML'],
  ['HANDBALL', 'INT-HAWL'],
  ['COMBAT', 'INT-COMC'],
  ['TENNIS', 'INT-TEMT'],
  ['ATHLETICS', 'INT-ATOC'],
  ['SWIMMING', 'INT-SWOC'],
  ['CYCLING', 'INT-CYMS'],
] as const;

test.each(codes)('%s has a season in progress with a ranking, results and matches to come', async (sport, code) => {
  const seasonId = await seasonOf(code);
  const ranking = await list(`/competitions/rankings?seasonId=${seasonId}&limit=100`);
  expect(ranking.length).toBeGreaterThan(3);
  expect(ranking[0]).toMatchObject({ position: 1, participant: { id: expect.any(String) } });
  const results = await list(`/competitions/results?seasonId=${seasonId}`);
  expect(results.length).toBeGreaterThan(3);
  const matches = await list(`/competitions/matches?seasonId=${seasonId}&status=TIMED`);
  expect(matches.map((match) => match['sport'])).toContain(sport);
});

describe('through the API', () => {
  test('a table is sorted by points and explains its ties', async () => {
    const rows = await list(`/competitions/rankings?seasonId=${await seasonOf('INT-FOML')}`);
    const points = rows.map((row) => Number(row['points']));
    expect(points).toEqual([...points].sort((one, other) => other - one));
    for (const [index, row] of rows.entries()) {
      const level = points.filter((each) => each === points[index]).length > 1;
      expect({ index, explained: row['tieBreak'] !== null }).toEqual({ index, explained: level });
    }
    expect(rows.filter((row) => row['pointsDeducted'] !== null)).toHaveLength(1);
    expect(rows[0]).toMatchObject({ zone: 'CHAMPION', form: expect.any(Array) });
  });

  test('a corrected result retains its previous version, and a provisional one counts in live tables only', async () => {
    const seasonId = await seasonOf('INT-FOML');
    const [corrected] = await list(`/competitions/results?seasonId=${seasonId}&status=CORRECTED`);
    const versions = await list(`/competitions/matches/${(corrected?.['match'] as { id: string }).id}/result/versions`);
    expect(versions.map(({ version, status }) => [version, status])).toEqual([
      [2, 'CORRECTED'],
      [1, 'OFFICIAL'],
    ]);
    const playedIn = async (live: boolean) =>
      (await list(`/competitions/rankings?seasonId=${seasonId}&live=${live}`)).reduce(
        (sum, row) => sum + Number(row['matchesPlayed']),
        0,
      );
    expect((await playedIn(true)) - (await playedIn(false))).toBe(2);
  });

  test('a cup has a bracket whose final waits for a semi-final', async () => {
    const { body } = await platform.anonymous.get(`/competitions/seasons/${await seasonOf('INT-FOMC')}/bracket`);
    expect(body.rounds.map(({ name }: { name: string }) => name)).toEqual(['Semi-final', 'Final']);
    const [semiFinals, finals] = body.rounds;
    expect(semiFinals.ties.map(({ advanced }: { advanced: unknown }) => advanced !== null)).toEqual([true, false]);
    expect(finals.ties.map(({ kind }: { kind: string }) => kind)).toEqual(['MAIN', 'THIRD_PLACE']);
    expect(finals.ties[0].slots[1]).toMatchObject({ participant: null, sourceTieId: semiFinals.ties[1].tieId });
    expect(body.champion).toBeNull();
  });

  test('a tournament of the tour has a champion, and the tour a ranking over 52 weeks', async () => {
    const seasonId = await seasonOf('INT-TEMT');
    const [first] = await list(`/competitions/seasons/${seasonId}/contests`);
    const { body } = await platform.anonymous.get(`/competitions/seasons/${seasonId}/bracket?contestId=${String(first?.['id'])}`);
    expect(body.champion).toMatchObject({ athlete: { displayName: expect.any(String) } });
    const [competition] = await list('/competitions?externalId=DEMO:INT-TEMT');
    const [leader] = await list(`/competitions/rankings?competitionId=${String(competition?.['id'])}`);
    expect(leader).toMatchObject({ method: 'ROLLING_52W', position: 1, points: expect.any(Number) });
  });

  test('individuals are ranked by event over all seasons, and all of them are visible', async () => {
    for (const of of [
      'sport=ATHLETICS&eventCode=100M&category=MEN',
      'sport=SWIMMING&eventCode=100_FREE&category=MEN&course=LONG_COURSE',
    ]) {
      const rows = await list(`/competitions/rankings?${of}&limit=100`);
      expect(rows.length).toBeGreaterThan(4);
      for (const row of rows)
        expect(row).toMatchObject({ participant: { athlete: { displayName: expect.any(String) } }, windAssisted: false });
    }
  });

  test('a stage race has five classifications', async () => {
    const rows = await list(`/competitions/rankings?seasonId=${await seasonOf('INT-CYMS')}&limit=100`);
    const classifications = new Set(rows.map(({ classification }) => classification));
    expect([...classifications]).toEqual(expect.arrayContaining(['GC', 'POINTS', 'MOUNTAINS', 'YOUTH']));
  });

  test('replays are public and name only public athletes', async () => {
    const replays = await list('/competitions/replays?limit=50');
    expect(replays.length).toBeGreaterThan(5);
    const tags = replays.flatMap((replay) => replay['tags'] as { athlete: unknown }[]);
    expect(tags.length).toBeGreaterThan(5);
    expect(tags.filter(({ athlete }) => athlete === null)).toEqual([]);
  });
});

describe('what one endpoint shows, the others count:', () => {
  testConsistency(() => platform);
});

describe('stored rankings', () => {
  const stored = async () => ({
    rankings:
      await database.query(sql`select id, version, season_id, contest_id, stage_id, group_name, type, classification, method, ordinal, rows
      from ranking order by id`),
    marks:
      await database.query(sql`select athlete_id, sport, event_code, category, course, value, direction, unit, wind_mm_per_s, match_id,
      participant_id, held_on from best_mark order by 1, 2, 3, 4, 5`),
  });
  const rebuild = async () => {
    const seasons = await database.query<{ seasonId: string }>(sql`select id as "seasonId" from season`);
    const scopes = seasons.map(({ seasonId }) => ({ seasonId, contestId: null, stageId: null, groupName: null }));
    const writer = createWriter(database, {}, () => undefined);
    const changes: RankingChange[] = [];
    await writer.write({ viewer: SYSTEM, notes: {} }, async (transaction) => {
      changes.push(...(await refreshRankings(transaction, scopes)));
      return { id: SYSTEM.accountId ?? '' };
    });
    return changes;
  };

  test('equal a rebuild, which changes nothing and restores deleted rows', async () => {
    const before = await stored();
    expect(before.rankings.length).toBeGreaterThan(50);
    expect(before.marks.length).toBeGreaterThan(20);
    expect(await rebuild()).toEqual([]);
    expect(await stored()).toEqual(before);
    await database.query(sql`delete from ranking`);
    await database.query(sql`delete from best_mark`);
    await rebuild();
    expect(await stored()).toEqual(before);
  });

  test('have all versions of each result, and the last one in each entry', async () => {
    const wrong = await database.query(sql`select r.id from result r
      where (select count(*) from result_version v where v.result_id = r.id) <> r.version
      or (select participants from result_version v where v.result_id = r.id and v.version = r.version)
        is distinct from (select jsonb_agg(e.result order by e.ordinal) from match_participant e where e.match_id = r.match_id and e.result is not null)`);
    expect(wrong).toEqual([]);
  });
});
