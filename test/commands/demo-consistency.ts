/** The demo world as a reader of the public API sees it: what one endpoint shows, the others count. */
import { beforeAll, expect, test } from '@jest/globals';
import type { TestPlatform } from '../test-platform.ts';

/** A row of a list, untyped for assertions. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads what it expects
type Row = Record<string, any>;

interface Side {
  readonly participantId: string;
  readonly score: number | null;
}

const counted = ['OFFICIAL', 'CORRECTED'];

/** The metric of each sport that leaderboards lead with, and whether the season has the sum or the best of the matches. */
const mainMetrics = [
  ['FOOTBALL', 'goals', 'SUM'],
  ['BASKETBALL', 'points', 'SUM'],
  ['VOLLEYBALL', 'aces', 'SUM'],
  ['RUGBY', 'tries', 'SUM'],
  ['HANDBALL', 'goals', 'SUM'],
  ['COMBAT', 'wins', 'SUM'],
  ['TENNIS', 'matchesWon', 'SUM'],
  ['ATHLETICS', 'seasonBestMs', 'MIN'],
  ['SWIMMING', 'seasonBestMs', 'MIN'],
  ['CYCLING', 'stageWins', 'SUM'],
] as const;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const valueOf = (row: Row, key: string): number | null =>
  row['metrics'].find((each: { key: string }) => each.key === key)?.value ?? null;

/** The score of each side of a match with a result that counts. */
const sidesOf = (match: Row): Side[] =>
  counted.includes(match['result']?.status)
    ? match['result'].participants.map(({ participant, score }: Row) => ({ participantId: participant.id, score }))
    : [];

/** @param opened the platform, with demo data whose matches have been counted */
export function testConsistency(opened: () => TestPlatform): void {
  /** All items of a list for an anonymous caller. */
  async function list(path: string): Promise<Row[]> {
    const rows: Row[] = [];
    for (let cursor = ''; ;) {
      const { status, body } = await opened().anonymous.get(`${path}${path.includes('?') ? '&' : '?'}limit=100${cursor}`);
      expect({ path, status }).toEqual({ path, status: 200 });
      rows.push(...body.data);
      if (!body.page.hasMore) return rows;
      cursor = `&cursor=${body.page.nextCursor}`;
    }
  }

  let seasons: Row[];
  let finished: Map<string, Row[]>;
  let statistics: Row[];
  beforeAll(async () => {
    seasons = await list('/competitions/seasons');
    finished = Map.groupBy(await list('/competitions/matches?status=FINISHED'), ({ season }) => season.id);
    statistics = await list('/athletes/statistics?scope=SEASON');
  });

  test('every season has matches and a ranking', async () => {
    expect(seasons.length).toBeGreaterThan(30);
    for (const { id, name, competition } of seasons) {
      const ranking = await list(`/competitions/rankings?seasonId=${id}`);
      const facts = { matches: (finished.get(id) ?? []).length > 0, ranked: ranking.length > 0 };
      expect({ name, of: competition.name, ...facts }).toEqual({ name, of: competition.name, matches: true, ranked: true });
    }
  });

  test('tables count the finished matches of each team, with the points of their rules', async () => {
    const leagues = seasons.filter(({ competition }) => competition.type === 'LEAGUE');
    expect(new Set(leagues.map(({ sport }) => sport)).size).toBe(5);
    for (const { id, sport, rankingRules } of leagues) {
      const sides = (finished.get(id) ?? []).map(sidesOf);
      for (const row of await list(`/competitions/rankings?seasonId=${id}`)) {
        const own = sides.filter((each) => each.some(({ participantId }) => participantId === row['participant'].id));
        expect([row['participant'].name, row['matchesPlayed']]).toEqual([row['participant'].name, own.length]);
        const { win, draw, loss } = rankingRules.points;
        // the points of a volleyball match depend on its sets
        if (win === undefined || sport === 'VOLLEYBALL') continue;
        const points = sum([row['won'] * win, row['draw'] * (draw ?? 0), row['lost'] * loss, row['bonusPoints'] ?? 0]);
        expect([row['participant'].name, row['points']]).toEqual([
          row['participant'].name,
          points - (row['pointsDeducted']?.value ?? 0),
        ]);
      }
    }
  });

  test('an athlete of a statistics row has at most as many matches as its team finished in the season', () => {
    expect(statistics.length).toBeGreaterThan(500);
    const names = new Map(seasons.map(({ id, competition }) => [id, competition.name]));
    const tooMany = statistics.filter(({ seasonId, team, matchesPlayed }) => {
      const matches = finished.get(seasonId) ?? [];
      const own = matches.filter(({ participants }) =>
        participants.some((each: Row) => team === null || each['participant']?.team?.id === team.id),
      );
      return own.length === 0 || matchesPlayed > own.length;
    });
    expect(tooMany.map(({ seasonId }) => names.get(seasonId) ?? seasonId)).toEqual([]);
  });

  test('a provided row of a season agrees with the row counted from its matches', () => {
    const keyOf = ({ athlete, seasonId, team, eventCode }: Row) => JSON.stringify([athlete.id, seasonId, team?.id, eventCode]);
    const computed = new Map(statistics.filter(({ source }) => source === 'COMPUTED').map((row) => [keyOf(row), row]));
    let compared = 0;
    for (const row of statistics.filter(({ source }) => source === 'PROVIDER')) {
      const other = computed.get(keyOf(row));
      if (!other) continue;
      expect(row['matchesPlayed']).toBe(other['matchesPlayed']);
      if (other['minutesPlayed'] !== null) expect(row['minutesPlayed']).toBe(other['minutesPlayed']);
      for (const { key, value } of other['metrics']) {
        const provided = valueOf(row, key);
        if (provided === null) continue;
        // percentages are provided with two decimals
        expect(Math.abs(provided - value)).toBeLessThan(0.01);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(500);
  });

  test.each(mainMetrics)('%s: %s of the matches are those of the season and its leaderboard', async (sport, key, by) => {
    const current = seasons.filter((each) => each['sport'] === sport && each['status'] === 'IN_PROGRESS');
    const leaders = await Promise.all(
      current.map(async ({ id }) => ({
        id,
        rows: await list(`/athletes/statistics?scope=SEASON&metric=${key}&sort=best&seasonId=${id}`),
      })),
    );
    const boards = leaders.filter(({ rows }) => rows.length > 0);
    expect(boards.length).toBeGreaterThan(0);
    for (const { id, rows } of boards) {
      const matches = await list(`/athletes/statistics?scope=MATCH&seasonId=${id}`);
      const byAthlete = Map.groupBy(matches, ({ athlete, team, eventCode }) => JSON.stringify([athlete.id, team?.id, eventCode]));
      for (const row of rows.filter(({ source }) => source === 'COMPUTED').slice(0, 20)) {
        const own = byAthlete.get(JSON.stringify([row['athlete'].id, row['team']?.id, row['eventCode']])) ?? [];
        const values = own.flatMap((each) => valueOf(each, key) ?? []);
        expect([row['athlete'].displayName, by === 'SUM' ? sum(values) : Math.min(...values), own.length]).toEqual([
          row['athlete'].displayName,
          valueOf(row, key),
          row['matchesPlayed'],
        ]);
      }
    }
  });

  test.each(['FOOTBALL', 'HANDBALL'])('%s: the goals of the athletes are at most those of their team', (sport) => {
    const leagues = seasons.filter((each) => each['sport'] === sport && each['competition'].type === 'LEAGUE');
    for (const { id } of leagues) {
      const scored = new Map<string, number>();
      for (const match of finished.get(id) ?? []) {
        const teams = new Map(match['participants'].map(({ participant }: Row) => [participant.id, participant.team.id]));
        for (const { participantId, score } of sidesOf(match)) {
          const team = String(teams.get(participantId));
          scored.set(team, (scored.get(team) ?? 0) + (score ?? 0));
        }
      }
      const provided = statistics.filter(({ seasonId, source }) => seasonId === id && source === 'PROVIDER');
      for (const [team, rows] of Map.groupBy(provided, (row) => String(row['team'].id)))
        expect(sum(rows.map((row) => valueOf(row, 'goals') ?? 0))).toBeLessThanOrEqual(scored.get(team) ?? 0);
    }
  });

  test('seasons have the facts of their status: a winner, or a current matchday with fixtures', async () => {
    for (const { id, name, status, competition } of seasons) {
      const { body: season } = await opened().anonymous.get(`/competitions/seasons/${id}`);
      const facts = { name, of: competition.name };
      const isLeague = competition.type === 'LEAGUE';
      if (status === 'FINISHED' && isLeague) {
        const [first] = await list(`/competitions/rankings?seasonId=${id}`);
        expect({ ...facts, winner: season.winner?.id }).toEqual({ ...facts, winner: first?.['participant'].id });
      }
      if (status !== 'IN_PROGRESS') continue;
      const scheduled = await list(`/competitions/matches?seasonId=${id}&status=TIMED,SCHEDULED`);
      expect({ ...facts, scheduled: scheduled.length > 0 }).toEqual({ ...facts, scheduled: true });
      if (isLeague) {
        const next = Math.min(...scheduled.map(({ matchday }) => matchday));
        expect({ ...facts, matchday: season.currentMatchday }).toEqual({ ...facts, matchday: next });
      }
    }
  });

  test.each(['INT-FOML', 'INT-BAML', 'INT-VOWL', 'INT-RUML', 'INT-HAWL'])('%s: the actions add up to the score', async (code) => {
    const [league] = await list(`/competitions?externalId=DEMO:${code}`);
    const matches = finished.get(league?.['currentSeason'].id) ?? [];
    expect(matches.length).toBeGreaterThan(20);
    for (const { id } of matches.slice(0, 10)) {
      const { body: match } = await opened().anonymous.get(`/competitions/matches/${id}`);
      const last = match.actions.findLast(({ scoreAfter }: Row) => scoreAfter !== null);
      expect(last?.scoreAfter ?? [0, 0]).toEqual(sidesOf(match).map(({ score }) => score));
    }
  });

  test('there are emerging athletes', async () => {
    expect((await list('/scouting/prospects?emerging=true')).length).toBeGreaterThan(3);
  });
}
