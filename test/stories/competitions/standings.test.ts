/** League tables through the public APIs: their updates, their parameters, and their cost. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague, type League } from './leagues.ts';
import { scored, scoring, type Fixture } from './scores.ts';

let platform: TestPlatform;
let owner: Client;
let league: League;
let at: ReturnType<typeof scoring>;
let matches: Fixture[];
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'League' });
  league = await playLeague(owner, ['Rot', 'Blau', 'Grün', 'Gelb']);
  at = scoring(owner, league);
  matches = [
    await at.played([0, 1], [2, 0], { matchday: 1, date: '2026-08-08' }),
    await at.played([2, 3], [1, 1], { matchday: 1, date: '2026-08-09' }),
    await at.played([1, 2], [3, 0], { matchday: 2, date: '2026-08-15' }),
    await at.played([3, 0], [1, 0], { matchday: 2, date: '2026-08-16' }),
  ];
});
afterAll(() => platform.close());

async function run(statement: string): Promise<{ data: object }[]> {
  const database = new pg.Client({ connectionString: platform.database.ownerUrl });
  await database.connect();
  try {
    return (await database.query<{ data: object }>(statement)).rows;
  } finally {
    await database.end();
  }
}

interface Row {
  readonly position: number;
  readonly points: number;
  readonly participant: { readonly name: string };
}

const table = async (query = '', client: Client = platform.anonymous, of: League = league): Promise<Row[]> => {
  const { status, body } = await client.get(`/competitions/rankings?seasonId=${of.seasonId}${query}`);
  expect([status, body.detail]).toEqual([200, undefined]);
  return body.data as Row[];
};
const places = (rows: readonly Row[]): string =>
  rows.map(({ position, participant, points }) => `${position} ${participant.name} ${points}`).join(', ');

describe('a table', () => {
  test('follows from official results, with tie-breaks', async () => {
    const rows = await table();
    expect(places(rows)).toBe('1 Gelb 4, 2 Blau 3, 3 Rot 3, 4 Grün 1');
    expect(rows[1]).toMatchObject({
      method: 'TABLE',
      contest: { id: expect.any(String), name: '2026/27' },
      stage: { type: 'LEAGUE' },
      group: null,
      matchesPlayed: 2,
      scoreDifference: 1,
      form: ['LOSS', 'WIN'],
      previousPosition: 4,
      shared: false,
      vacated: false,
      tieBreak: {
        criterion: 'FOR',
        value: { value: 3, by: null },
        against: [{ participantId: league.participants[0], value: { value: 2, by: null } }],
      },
    });
    expect(rows[0]).toMatchObject({ tieBreak: null, previousPosition: 2, setsWon: null, mark: null });
  });

  test('of home matches and of away matches add up to the total', async () => {
    expect(places(await table('&type=HOME'))).toBe('1 Blau 3, 2 Rot 3, 3 Gelb 3, 4 Grün 1');
    expect((await table('&type=AWAY')).map(({ points }) => points)).toEqual([1, 0, 0, 0]);
  });

  test('is read with one statement each for the ranking, its participants and their teams', async () => {
    await table();
    platform.statements();
    await table('&limit=99');
    expect(platform.statements()).toEqual(['rankings.list', 'participants.byIds', 'teams.byIds']);
  });

  test('can be read for a date or matchday, and live', async () => {
    const first = '1 Rot 3, 2 Gelb 1, 2 Grün 1, 4 Blau 0';
    const sorted = (rows: readonly Row[]): string =>
      places(rows.toSorted((a, b) => a.position - b.position || (a.participant.name < b.participant.name ? -1 : 1)));
    expect(sorted(await table('&matchday=1'))).toBe(first);
    expect(sorted(await table('&asOf=2026-08-09'))).toBe(first);
    expect(sorted(await table('&asOf=2026-08-08'))).toBe('1 Rot 3, 2 Gelb 0, 2 Grün 0, 4 Blau 0');
    const open = await at.fixture([2, 0], { matchday: 3, date: '2026-08-22' });
    await owner.post(`${at.path(open.id)}/start`);
    await at.put(open.id, scored(open.sides, 8, 0));
    expect(places(await table('&live=true'))).toBe('1 Grün 4, 2 Gelb 4, 3 Blau 3, 4 Rot 3');
    expect(places(await table())).toBe('1 Gelb 4, 2 Blau 3, 3 Rot 3, 4 Grün 1');
  });

  test('is paginated by position, and a cursor is bound to its filter', async () => {
    const { body: first } = await platform.anonymous.get(`/competitions/rankings?seasonId=${league.seasonId}&limit=3`);
    expect(first.page.hasMore).toBe(true);
    const { body: rest } = await platform.anonymous.get(
      `/competitions/rankings?seasonId=${league.seasonId}&limit=3&cursor=${first.page.nextCursor}`,
    );
    expect([...first.data, ...rest.data]).toEqual(await table());
    expect(rest.page).toEqual({ nextCursor: null, hasMore: false });
    const live = await platform.anonymous.get(`/competitions/rankings?seasonId=${league.seasonId}&live=true&limit=2`);
    const more = await platform.anonymous.get(
      `/competitions/rankings?seasonId=${league.seasonId}&live=true&limit=2&cursor=${live.body.page.nextCursor}`,
    );
    expect([...live.body.data, ...more.body.data]).toEqual(await table('&live=true'));
    const foreign = await platform.anonymous.get(
      `/competitions/rankings?seasonId=${league.seasonId}&type=HOME&cursor=${first.page.nextCursor}`,
    );
    expect(foreign.body.code).toBe('cursor_invalid');
  });

  test('changes with a correction and an annulment, with one event for each changed ranking', async () => {
    const [first] = matches;
    if (!first) throw new Error('no match was played');
    const before = await table();
    const corrected = await at.step(first.id, 'correct', { reason: 'Own goal', ...scored(first.sides, 0, 2) });
    expect(corrected.status).toBe(200);
    expect(places(await table())).toBe('1 Blau 6, 2 Gelb 4, 3 Grün 1, 4 Rot 0');
    const [published] = await run(
      `select data from competitions.outbox where type = 'standings.updated' and data ->> 'type' = 'TOTAL' order by id desc limit 1`,
    );
    const [rot, blau, , gelb] = league.participants;
    expect(published?.data).toMatchObject({ seasonId: league.seasonId, group: null, type: 'TOTAL', changedCount: 4 });
    expect(published?.data).toMatchObject({
      changed: expect.arrayContaining([
        { participantId: rot, before: { position: 3, points: 3 }, after: { position: 4, points: 0 } },
        { participantId: blau, before: { position: 2, points: 3 }, after: { position: 1, points: 6 } },
        { participantId: gelb, before: { position: 1, points: 4 }, after: { position: 2, points: 4 } },
      ]),
    });
    await at.step(first.id, 'annul', { reason: 'Replay' });
    expect(places(await table())).toBe('1 Gelb 4, 2 Blau 3, 3 Grün 1, 4 Rot 0');
    await at.step(first.id, 'correct', { reason: 'Back', ...scored(first.sides, 2, 0) });
    expect(await table()).toEqual(before);
  });

  test('applies adjustments, and decisions where no criterion separates', async () => {
    const two = await playLeague(owner, ['Ost', 'West']);
    const of = scoring(owner, two);
    await of.played([0, 1], [1, 1]);
    expect((await table('', owner, two)).map(({ position }) => position)).toEqual([1, 1]);
    const [ost, west] = two.participants;
    const decision = { participantIds: [west, ost], criterion: 'DRAW_OF_LOTS', reason: 'Lots were drawn in Jena' };
    expect((await owner.post(`/competitions/seasons/${two.seasonId}/tie-break-decisions`, decision)).status).toBe(201);
    const [upper] = await table('', owner, two);
    expect(upper).toMatchObject({
      participant: { name: 'West' },
      tieBreak: { criterion: 'DRAW_OF_LOTS', value: { value: 1 }, reason: 'Lots were drawn in Jena' },
    });
    await owner.post(`/competitions/seasons/${two.seasonId}/adjustments`, { participantId: west, points: -3, reason: 'Licence' });
    const rows = await table('', owner, two);
    expect(places(rows)).toBe('1 Ost 1, 2 West -2');
    expect(rows[1]).toMatchObject({ pointsDeducted: { value: 3, reasons: ['Licence'] } });
  });

  test('of a draft is visible to its owner only', async () => {
    const draft = await playLeague(owner, ['Nord', 'Süd'], { status: 'DRAFT' });
    await scoring(owner, draft).played([0, 1], [1, 0]);
    expect(places(await table('', owner, draft))).toBe('1 Nord 3, 2 Süd 0');
    expect((await platform.anonymous.get(`/competitions/rankings?seasonId=${draft.seasonId}`)).status).toBe(404);
    expect((await platform.anonymous.get(`/competitions/rankings?seasonId=${draft.seasonId}&asOf=2026-09-01`)).status).toBe(404);
    expect((await platform.anonymous.get(`/competitions/rankings?seasonId=${crypto.randomUUID()}`)).status).toBe(404);
    await owner.post(`/competitions/${draft.competitionId}/publish`);
    expect(places(await table('', platform.anonymous, draft))).toBe('1 Nord 3, 2 Süd 0');
    const empty = await playLeague(owner, []);
    expect(await table('', platform.anonymous, empty)).toEqual([]);
  });
});

describe('concurrent results', () => {
  test('are all in the table', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `Team ${index}`);
    const of = await playLeague(owner, names);
    const verbs = scoring(owner, of);
    const fixtures = [];
    for (let index = 0; index < 8; index += 1) fixtures.push(await verbs.fixture([index, (index + 1) % 8]));
    for (const each of fixtures) await verbs.finish(each);
    await Promise.all(fixtures.map((each) => verbs.put(each.id, scored(each.sides, 1, 0))));
    const responses = await Promise.all(fixtures.map((each) => verbs.step(each.id, 'certify')));
    expect(responses.map(({ status }) => status)).toEqual(fixtures.map(() => 200));
    expect((await table('', owner, of)).map(({ points }) => points)).toEqual(names.map(() => 3));
  });
});

describe('a request', () => {
  const violationsOf = async (query: string) => {
    const { status, body } = await platform.anonymous.get(`/competitions/rankings?${query}`);
    return [
      status,
      body.code,
      ...(body.errors ?? []).map((each: { parameter: string; code: string }) => `${each.parameter} ${each.code}`),
    ];
  };

  test('must select exactly one kind of ranking', async () => {
    const { seasonId, competitionId } = league;
    expect(await violationsOf('')).toEqual([400, 'parameter_invalid', 'seasonId required']);
    expect(await violationsOf('group=A')).toEqual([400, 'parameter_invalid', 'seasonId required']);
    expect(await violationsOf(`seasonId=${seasonId}&competitionId=${competitionId}`)).toEqual([
      400,
      'parameter_invalid',
      'competitionId contradiction',
    ]);
    expect(await violationsOf(`seasonId=${seasonId}&sport=FOOTBALL&category=MEN`)).toEqual([
      400,
      'parameter_invalid',
      'sport contradiction',
      'category contradiction',
    ]);
    expect(await violationsOf(`seasonId=${seasonId}&asOf=2026-08-09&matchday=1`)).toEqual([
      400,
      'parameter_invalid',
      'matchday contradiction',
    ]);
    expect(await violationsOf('sport=ATHLETICS')).toEqual([400, 'parameter_invalid', 'eventCode required']);
    expect(await violationsOf('eventCode=100M')).toEqual([400, 'parameter_invalid', 'sport required']);
    expect(await violationsOf('sport=ATHLETICS&eventCode=100')).toEqual([400, 'parameter_invalid', 'eventCode unknown_event']);
    expect(await violationsOf('sport=ATHLETICS&eventCode=4X100M')).toEqual([400, 'parameter_invalid', 'eventCode no_marks']);
    expect(await violationsOf('sport=ATHLETICS&eventCode=100M&discipline=FIELD')).toEqual([
      400,
      'parameter_invalid',
      'discipline contradiction',
    ]);
    expect(await violationsOf('sport=ATHLETICS&eventCode=100M&live=true')).toEqual([
      400,
      'parameter_invalid',
      'live contradiction',
    ]);
    expect(await violationsOf(`competitionId=${competitionId}`)).toEqual([
      400,
      'parameter_invalid',
      'competitionId does_not_roll',
    ]);
    expect(await violationsOf(`competitionId=${crypto.randomUUID()}`)).toEqual([404, 'not_found']);
  });
});
