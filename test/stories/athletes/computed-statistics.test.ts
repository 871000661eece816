/** Computed statistics over the public API: computed from results, corrected, withdrawn, and listed before reported ones. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiResponse, Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult, createClub, createTeam } from '../organizations/clubs.ts';

let platform: TestPlatform;
let owner: Client;
let other: Client;
/** Athletes of the organizer: a striker, a substitute and a goalkeeper. Of another account: a rival. */
let striker: string;
let substitute: string;
let keeper: string;
let rival: string;
let swimmer: string;
let teams: string[];
let competitionId: string;
let seasonId: string;
let sides: string[];

async function bodyOf(response: Promise<ApiResponse>): Promise<ApiResponse['body']> {
  const { status, body } = await response;
  expect({ status, body }).toMatchObject({ status: 201 });
  return body;
}

const edition = { name: '2026/27', startDate: '2026-08-01', endDate: '2027-05-30', status: 'IN_PROGRESS' };

beforeAll(async () => {
  platform = await openTestPlatform();
  [owner, other] = await Promise.all([platform.account({ account: 'League' }), platform.account({ account: 'Rivals' })]);
  const club = await createClub(owner);
  const people = [owner, owner, owner, other, owner].map((account) => createAdult(account));
  [striker = '', substitute = '', keeper = '', rival = '', swimmer = ''] = (await Promise.all(people)).map(({ id }) => id);
  teams = (await Promise.all(['Rot', 'Blau'].map((name) => createTeam(owner, club.id, { name })))).map(({ id }) => id);
  const league = { name: 'Landesliga', sport: 'FOOTBALL', type: 'LEAGUE', category: 'WOMEN' };
  competitionId = (await bodyOf(owner.post('/competitions', league))).id;
  seasonId = (await bodyOf(owner.post('/competitions/seasons', { ...edition, competitionId }))).id;
  sides = [];
  for (const teamId of teams) {
    const participant = await bodyOf(owner.post(`/competitions/seasons/${seasonId}/participants`, { type: 'TEAM', teamId }));
    sides.push(participant.id);
  }
});
afterAll(() => platform.close());

const scores = (home: number, away: number) => ({
  participants: [
    { participantId: sides[0], score: home },
    { participantId: sides[1], score: away },
  ],
});

/** A finished match: the striker scores twice in the first half and is substituted after an hour. */
const play = (
  date: string,
  [home, away]: readonly [number, number],
  actions: readonly object[] = [],
): Promise<ApiResponse['body']> =>
  bodyOf(
    owner.post('/competitions/matches', {
      seasonId,
      date,
      status: 'FINISHED',
      participants: [
        {
          participantId: sides[0],
          side: 'HOME',
          lineup: [
            { athleteId: striker, position: 'ST', starter: true },
            { athleteId: keeper, position: 'GK', starter: true },
            { athleteId: substitute, starter: false },
          ],
        },
        { participantId: sides[1], side: 'AWAY', lineup: [{ athleteId: rival, starter: true }] },
      ],
      actions,
      result: { status: 'OFFICIAL', ...scores(home, away) },
    }),
  );
const goal = (minute: number) => ({ type: 'GOAL', minute, participantId: sides[0], athleteId: striker, assistId: keeper });
const substitution = () => ({
  type: 'SUBSTITUTION',
  minute: 60,
  participantId: sides[0],
  athleteId: substitute,
  assistId: striker,
});

interface Row {
  readonly id: string;
  readonly scope: string;
  readonly source: string;
  readonly matchId: string | null;
  readonly matchesPlayed: number;
  readonly minutesPlayed: number | null;
  readonly matchesTimed: number | null;
  readonly metrics: readonly { key: string; value: number }[];
}
async function rowsOf(athleteId: string, filter = ''): Promise<Row[]> {
  await platform.settled();
  const { status, body } = await platform.anonymous.get(
    `/athletes/statistics?athleteId=${athleteId}&source=COMPUTED&limit=100${filter}`,
  );
  expect(status).toBe(200);
  return body.data;
}
const summaryOf = (row: Row | undefined) =>
  row && [row.matchesPlayed, row.minutesPlayed, Object.fromEntries(row.metrics.map(({ key, value }) => [key, value]))];
const seasonOf = async (athleteId: string) => summaryOf((await rowsOf(athleteId, `&scope=SEASON&seasonId=${seasonId}`))[0]);

describe('statistics of a league', () => {
  let first: { id: string; actions: { id: string; type: string }[] };
  let second: { id: string };

  test('are computed from official results of published seasons', async () => {
    first = await play('2026-08-08', [2, 0], [goal(10), goal(44), substitution()]);
    expect(await rowsOf(striker)).toEqual([]);
    await owner.post(`/competitions/${competitionId}/publish`);
    const rows = await rowsOf(striker);
    expect(rows.map(({ scope }) => scope).toSorted()).toEqual(['CAREER', 'MATCH', 'SEASON']);
    for (const row of rows) expect(summaryOf(row)).toEqual([1, 60, { goals: 2, assists: 0 }]);
    for (const row of rows) expect(row.matchesTimed).toBe(1);
    expect(rows.find(({ scope }) => scope === 'MATCH')).toMatchObject({
      sport: 'FOOTBALL',
      matchId: first.id,
      seasonId,
      competitionId,
      team: { id: teams[0] },
      eventCode: null,
      source: 'COMPUTED',
      asOf: '2026-08-08',
    });
    // The goals add up to the score and name their scorers, so the others scored none.
    expect(await seasonOf(substitute)).toEqual([1, 30, { goals: 0, assists: 0 }]);
    expect(await seasonOf(rival)).toEqual([1, 90, { goals: 0, assists: 0 }]);
    expect(await seasonOf(keeper)).toEqual([1, 90, { goals: 0, assists: 2, cleanSheets: 1, goalsConceded: 0 }]);
    // the rows belong to the athlete's account, not to the organizer's
    expect((await other.get(`/athletes/statistics?mine=true&matchId=${first.id}`)).body.data).toMatchObject([
      { athlete: { id: rival } },
    ]);
  });

  test('add up over a season and enter the leaderboard of a metric', async () => {
    second = await play('2026-08-15', [1, 3], [goal(80), substitution()]);
    expect(await seasonOf(striker)).toEqual([2, 120, { goals: 3 }]);
    expect(await seasonOf(keeper)).toEqual([2, 180, { assists: 3, cleanSheets: 1, goalsConceded: 3 }]);
    expect(await seasonOf(rival)).toEqual([2, 180, {}]);
    const board = `/athletes/statistics?metric=goals&scope=SEASON&seasonId=${seasonId}&sort=-value`;
    expect((await platform.anonymous.get(board)).body.data).toMatchObject([{ athlete: { id: striker }, matchesPlayed: 2 }]);
  });

  test('follow corrections of actions, team sheets and results', async () => {
    const [wrong] = first.actions;
    const path = `/competitions/matches/${first.id}`;
    expect((await owner.delete(`${path}/actions/${wrong?.id ?? ''}`, { 'if-match': '*' })).status).toBe(200);
    expect(await seasonOf(striker)).toEqual([2, 120, { goals: 2 }]);
    await owner.post(`${path}/result/correct`, { reason: 'A goal was taken back', ...scores(1, 1) });
    expect(await seasonOf(keeper)).toEqual([2, 180, { assists: 2, cleanSheets: 0, goalsConceded: 4 }]);
    const { body } = await owner.get(`/competitions/matches/${second.id}`);
    const sheet = `/competitions/matches/${second.id}/participants/${body.participants[1].entryId}/lineup`;
    const emptied = { method: 'PUT', headers: { 'content-type': 'application/json', 'if-match': '*' }, body: '{"players":[]}' };
    expect((await owner.send(sheet, emptied)).status).toBe(200);
    expect(await seasonOf(rival)).toEqual([1, 90, {}]);
  });

  test('are listed before reported ones and cannot be reported', async () => {
    const report = {
      athleteId: striker,
      scope: 'SEASON',
      sport: 'FOOTBALL',
      seasonId,
      source: 'SELF_REPORTED',
      metrics: [{ key: 'goals', value: 40 }],
    };
    await bodyOf(owner.post('/athletes/statistics', report));
    const visible = (await platform.anonymous.get(`/athletes/${striker}/statistics`)).body.data as Row[];
    const order = ['CAREER COMPUTED', 'SEASON COMPUTED', 'SEASON SELF_REPORTED', 'MATCH COMPUTED', 'MATCH COMPUTED'];
    expect(visible.map(({ scope, source }) => `${scope} ${source}`)).toEqual(order);
    const listed = (await platform.anonymous.get(`/athletes/statistics?athleteId=${striker}&sort=computedFirst`)).body.data;
    expect(listed).toEqual(visible);
    const nested = `{ athlete(id: "${striker}") { statistics(first: 3) { nodes { scope source } } } }`;
    const { nodes } = (await platform.anonymous.graphql(nested)).body.data.athlete.statistics;
    expect(nodes.map(({ scope, source }: Row) => `${scope} ${source}`)).toEqual(order.slice(0, 3));
    expect((await owner.post('/athletes/statistics', { ...report, source: 'COMPUTED' })).status).toBe(422);
    expect((await owner.post('/athletes/statistics', { ...report, scope: 'MATCH', matchId: first.id })).status).toBe(422);
  });

  test('are removed with an annulled result, and leave tombstones', async () => {
    const [row] = await rowsOf(striker, `&matchId=${second.id}`);
    const since = new Date(Date.now() - 60_000).toISOString();
    await owner.post(`/competitions/matches/${second.id}/result/annul`, { reason: 'Fielded a suspended player' });
    expect(await rowsOf(striker, `&matchId=${second.id}`)).toEqual([]);
    expect(await seasonOf(striker)).toEqual([1, 60, { goals: 1 }]);
    const changes = await platform.anonymous.get(`/athletes/statistics?athleteId=${striker}&updatedSince=${since}&limit=100`);
    expect(changes.body.tombstones).toContainEqual({ id: row?.id, deleted: true });
    await owner.post(`/competitions/matches/${first.id}/result/annul`, { reason: 'The season is void' });
    expect(await rowsOf(striker)).toEqual([]);
  });
});

test('season and personal bests come from official marks only', async () => {
  const meet = { name: 'Open', sport: 'SWIMMING', type: 'MEET', status: 'PUBLISHED' };
  const competition = await bodyOf(owner.post('/competitions', meet));
  const swim = async (name: string, times: readonly string[]) => {
    const season = await bodyOf(owner.post('/competitions/seasons', { ...edition, name, competitionId: competition.id }));
    const path = `/competitions/seasons/${season.id}`;
    const contest = await bodyOf(owner.post(`${path}/contests`, { name: '50 free', eventCode: '50_FREE' }));
    const stage = await bodyOf(owner.post(`${path}/stages`, { contestId: contest.id, name: 'Heats', type: 'HEATS' }));
    const entry = { type: 'ATHLETE', athleteId: swimmer, contestId: contest.id };
    const { id: participantId } = await bodyOf(owner.post(`${path}/participants`, entry));
    const heats = [];
    for (const [index, text] of times.entries()) {
      const result = { status: 'OFFICIAL', participants: [{ participantId, mark: { text }, reactionTimeMs: 650 + index }] };
      const heat = { seasonId: season.id, stageId: stage.id, round: `Heat ${index}`, status: 'FINISHED', date: '2026-09-01' };
      heats.push(await bodyOf(owner.post('/competitions/matches', { ...heat, participants: [{ participantId }], result })));
    }
    return { heats, participantId };
  };
  const early = await swim('Spring', ['24.50', '23.90']);
  await swim('Autumn', ['24.10']);
  const bests = async () =>
    (await rowsOf(swimmer))
      .filter(({ scope }) => scope !== 'MATCH')
      .map((row) => [row.scope, ...(summaryOf(row) ?? [])])
      .toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
  expect(await bests()).toEqual([
    ['CAREER', 3, null, { personalBestMs: 23_900, reactionTimeMs: 650 }],
    ['SEASON', 1, null, { seasonBestMs: 24_100, reactionTimeMs: 650 }],
    ['SEASON', 2, null, { seasonBestMs: 23_900, reactionTimeMs: 650 }],
  ]);
  const disqualified = { participants: [{ participantId: early.participantId, invalidResultMark: 'DSQ' }] };
  const correction = { reason: 'Turn', ...disqualified };
  expect((await owner.post(`/competitions/matches/${early.heats[1].id}/result/correct`, correction)).status).toBe(200);
  expect(await bests()).toMatchObject([
    ['CAREER', 3, null, { personalBestMs: 24_100 }],
    ['SEASON', 1, null, { seasonBestMs: 24_100 }],
    ['SEASON', 2, null, { seasonBestMs: 24_500 }],
  ]);
});
