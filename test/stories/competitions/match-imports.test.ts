/** Imports of played matches: matches with actions, and batches of results. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase, sql } from '../../../platform/database/database.ts';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { type League, playLeague } from './leagues.ts';
import { scored, scoring } from './scores.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

describe('matches with their actions', () => {
  let owner: Client;
  let league: League;
  beforeAll(async () => {
    owner = await platform.account();
    league = await playLeague(owner, ['Rot', 'Blau']);
  });

  const home = () => league.participants[0];
  const away = () => league.participants[1];
  const goal = (minute: number, participantId = home()) => ({ type: 'GOAL', period: minute > 45 ? 2 : 1, minute, participantId });
  const finished = (actions: object[], value = 'a') => ({
    seasonId: league.seasonId,
    participants: [{ participantId: home() }, { participantId: away() }],
    status: 'FINISHED',
    result: {
      status: 'OFFICIAL',
      participants: [
        { participantId: home(), score: 2 },
        { participantId: away(), score: 0 },
      ],
    },
    actions,
    externalIds: [{ scheme: 'TEST', value }],
  });
  const batch = async (...items: object[]) => {
    const { body } = await owner.post('/competitions/matches/batch', { items });
    return body.data as {
      outcome: string;
      id: string;
      version: number;
      error: { errors: { pointer: string; code: string }[] };
    }[];
  };
  const actionsOf = async (id: string): Promise<{ id: string; minute: number }[]> =>
    (await platform.anonymous.get(`/competitions/matches/${id}`)).body.actions;

  test('actions are imported with their match, and a second import changes nothing', async () => {
    const [created] = await batch(finished([goal(12), goal(40)]));
    expect(created).toMatchObject({ outcome: 'CREATED', version: 1 });
    const before = await actionsOf(created?.id ?? '');
    expect(before).toMatchObject([goal(12), goal(40)].map(({ type, minute }) => ({ type, minute, participant: { id: home() } })));
    expect(await batch(finished([goal(40), goal(12)]))).toMatchObject([{ outcome: 'UNCHANGED', version: 1 }]);
    expect(await actionsOf(created?.id ?? '')).toEqual(before);
  });

  test('another list replaces them: equal actions stay, and the version of the match increases', async () => {
    const [created] = await batch(finished([goal(1), goal(2)], 'b'));
    const [first, second] = await actionsOf(created?.id ?? '');
    expect(await batch(finished([goal(1), goal(1), goal(3)], 'b'))).toMatchObject([{ outcome: 'UPDATED', version: 2 }]);
    const after = await actionsOf(created?.id ?? '');
    expect(after.map(({ minute }) => minute)).toEqual([1, 1, 3]);
    expect(after.map(({ id }) => id)).toContain(first?.id);
    expect(after.map(({ id }) => id)).not.toContain(second?.id);
    expect(await batch(finished([], 'b'))).toMatchObject([{ outcome: 'UPDATED', version: 3 }]);
    expect(await actionsOf(created?.id ?? '')).toEqual([]);
  });

  test('a single match can be created with actions', async () => {
    const { externalIds: _, ...match } = finished([goal(7)]);
    const { status, body } = await owner.post('/competitions/matches', match);
    expect([status, body.actions]).toMatchObject([201, [{ minute: 7 }]]);
  });

  test('a list of actions is written by one statement, with one event each; the maximum is 1,000', async () => {
    const many = Array.from({ length: 300 }, (_, index) => ({ ...goal((index % 90) + 1), type: 'FOUL' }));
    platform.statements();
    const [created] = await batch(finished(many, 'many'));
    expect(created).toMatchObject({ outcome: 'CREATED' });
    expect(platform.statements().filter((name) => /action.*insert|insertAction/.test(name))).toEqual(['matches.insertActions']);
    expect(await actionsOf(created?.id ?? '')).toHaveLength(300);
    const owning = openDatabase({ url: platform.database.ownerUrl, name: 'test-actions', poolSize: 1 });
    const published = await owning.query<{
      type: string;
      count: number;
    }>(sql`/* test.events */ select type, count(*)::int as count
    from competitions.outbox where type like 'match_action.%' and data ->> 'matchId' = ${created?.id ?? ''} group by 1`);
    expect(published).toEqual([{ type: 'match_action.created', count: 300 }]);
    await owning.query(sql`/* test.fill */ insert into competitions.match_action (account_id, published, match_id, type)
    select account_id, published, match_id, type from competitions.match_action, generate_series(1, 2) where match_id = ${created?.id ?? ''}`);
    await owning.query(sql`/* test.fillUp */ insert into competitions.match_action (account_id, published, match_id, type)
    select account_id, published, match_id, type from competitions.match_action where match_id = ${created?.id ?? ''} limit 99`);
    await owning.close();
    const add = () => owner.post(`/competitions/matches/${created?.id}/actions`, { type: 'FOUL' });
    expect((await add()).status).toBe(201);
    expect((await add()).body).toMatchObject({ status: 409, code: 'conflict' });
  });

  test('violations point into the list, and nothing is written', async () => {
    const outsider = { ...goal(3), participantId: league.seasonId, athleteId: league.seasonId };
    const open = { ...finished([goal(3)], 'd'), status: 'SCHEDULED', result: undefined };
    const [one, other] = await batch(finished([goal(2), outsider], 'c'), open);
    expect(one?.error.errors.map(({ pointer, code }) => [pointer, code])).toEqual([
      ['/actions/1/participantId', 'unknown_participant'],
      ['/actions/1/athleteId', 'unknown_athlete'],
    ]);
    expect(other?.error.errors.map(({ pointer, code }) => [pointer, code])).toEqual([['/actions', 'not_begun']]);
    const { body } = await owner.get('/competitions/matches?mine=true&externalId=TEST:c');
    expect(body.data).toEqual([]);
  });
});

describe('results', () => {
  let owner: Client;
  let league: League;
  let at: ReturnType<typeof scoring>;
  beforeAll(async () => {
    owner = await platform.account({ account: 'League' });
    league = await playLeague(owner, ['Rot', 'Blau', 'Grün', 'Gelb']);
    at = scoring(owner, league);
  });

  const post = (items: readonly object[]) => owner.post('/competitions/results/batch', { items });
  const outcomesOf = ({ body }: Awaited<ReturnType<typeof post>>) => body.data.map(({ outcome }: { outcome: string }) => outcome);
  const feed = (value: string) => ({ scheme: 'FEED', value });

  async function historyOf(id: string): Promise<string[]> {
    const database = openDatabase({ url: platform.database.ownerUrl, name: 'test-imports', poolSize: 1 });
    const rows = await database.query<{ action: string }>(
      sql`/* test.history */ select action from competitions.history where resource_id = ${id} order by id`,
    );
    await database.close();
    return rows.map(({ action }) => action);
  }

  test('an import finishes or awards open matches, and a second import changes nothing', async () => {
    const [one, two, three] = [
      await at.fixture([0, 1], { externalIds: [feed('1')] }),
      await at.begun([2, 3]),
      await at.fixture([1, 2], { startTime: '2026-09-01T18:00:00Z', timeZone: 'UTC' }),
    ];
    const items = [
      { match: feed('1'), status: 'OFFICIAL', ...scored(one.sides, 2, 1) },
      { matchId: two.id, status: 'PROVISIONAL', ...scored(two.sides, 0, 0) },
      { matchId: three.id, status: 'OFFICIAL', endedBy: { method: 'AWARDED' }, ...scored(three.sides, 0, 3) },
    ];
    platform.statements();
    expect(outcomesOf(await post(items))).toEqual(['CREATED', 'CREATED', 'CREATED']);
    const ran = platform.statements();
    expect(ran.filter((name) => name === 'placeholders.lockTies')).toHaveLength(1);
    const states = [];
    for (const { id } of [one, two, three]) {
      const { body } = await platform.anonymous.get(at.path(id));
      states.push([body.status, body.result.status]);
    }
    expect(states).toEqual([
      ['FINISHED', 'OFFICIAL'],
      ['IN_PLAY', 'PROVISIONAL'],
      ['AWARDED', 'OFFICIAL'],
    ]);
    expect(await historyOf(one.id)).toEqual(['created', 'start', 'finish']);
    const { body } = await owner.get(`${at.path(one.id)}/result`);
    expect(await historyOf(body.id)).toEqual(['created', 'certify']);
    expect(body.certifiedAt).toEqual(expect.any(String));
    expect(outcomesOf(await post(items))).toEqual(['UNCHANGED', 'UNCHANGED', 'UNCHANGED']);
  });

  test('a provisional result is overwritten and becomes official; an official one is corrected, not imported', async () => {
    const match = await at.begun([0, 1]);
    const item = (status: string, ...scores: number[]) => ({ matchId: match.id, status, ...scored(match.sides, ...scores) });
    expect(outcomesOf(await post([item('PROVISIONAL', 1, 0)]))).toEqual(['CREATED']);
    expect(outcomesOf(await post([item('PROVISIONAL', 1, 1)]))).toEqual(['UPDATED']);
    expect(outcomesOf(await post([item('OFFICIAL', 1, 1)]))).toEqual(['UPDATED']);
    expect(outcomesOf(await post([item('PROVISIONAL', 1, 1)]))).toEqual(['UNCHANGED']);
    const [rejected] = (await post([item('OFFICIAL', 2, 1)])).body.data;
    expect(rejected).toMatchObject({
      outcome: 'FAILED',
      error: { code: 'invalid_transition', detail: expect.stringContaining('Correct') },
    });
    await at.step(match.id, 'correct', { reason: 'VAR', ...scored(match.sides, 2, 1) });
    expect(outcomesOf(await post([item('OFFICIAL', 2, 1)]))).toEqual(['UNCHANGED']);
    await at.step(match.id, 'annul', { reason: 'Replay' });
    expect(outcomesOf(await post([item('OFFICIAL', 2, 1)]))).toEqual(['FAILED']);
    const { body } = await owner.get(`${at.path(match.id)}/result/versions`);
    expect(body.data.map(({ status }: { status: string }) => status)).toEqual([
      'ANNULLED',
      'CORRECTED',
      'OFFICIAL',
      'PROVISIONAL',
      'PROVISIONAL',
    ]);
  });

  test('an invalid item fails alone and writes nothing', async () => {
    const [good, bad, cancelled] = [await at.fixture([0, 1]), await at.fixture([2, 3]), await at.fixture([0, 3])];
    await owner.post(`${at.path(cancelled.id)}/cancel`);
    const { body } = await post([
      { matchId: good.id, status: 'OFFICIAL', ...scored(good.sides, 1, 0) },
      { matchId: bad.id, status: 'OFFICIAL', ...scored([bad.sides[0] ?? '', league.participants[0] ?? ''], 1, 0) },
      { matchId: cancelled.id, status: 'OFFICIAL', ...scored(cancelled.sides, 1, 0) },
      { match: feed('nowhere'), ...scored(good.sides, 1, 0) },
      { matchId: good.id, match: feed('1'), ...scored(good.sides, 1, 0) },
      { matchId: crypto.randomUUID(), ...scored(good.sides, 1, 0) },
    ]);
    type Item = { outcome: string; error: { code: string; errors: { pointer: string; code: string }[] | null } | null };
    const outcomes = (body.data as Item[]).map(({ outcome, error }) =>
      [outcome, error?.code, ...(error?.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`)].join(' ').trim(),
    );
    expect(outcomes).toEqual([
      'CREATED',
      'FAILED validation_failed /participants/1/participantId not_in_match /participants required',
      'FAILED invalid_transition',
      'FAILED validation_failed /match unknown_match',
      'FAILED validation_failed /matchId one_of',
      'FAILED not_found',
    ]);
    expect((await owner.get(at.path(bad.id))).body).toMatchObject({ status: 'SCHEDULED', version: 1, result: null });
  });

  test('results can be found by season, sides and status, sorted by time or change', async () => {
    const own = await playLeague(owner, ['Alt', 'Neu', 'Mitte']);
    const there = scoring(owner, own);
    const first = await there.played([0, 1], [1, 0], { date: '2026-08-10' });
    const second = await there.played([1, 2], [0, 0], { date: '2026-08-17' });
    const third = await there.begun([2, 0], { date: '2026-08-24' });
    await there.put(third.id, scored(third.sides, 2, 2));
    const found = async (query: string): Promise<string[]> => {
      const { status, body } = await platform.anonymous.get(`/competitions/results?seasonId=${own.seasonId}&${query}`);
      expect([query, status]).toEqual([query, 200]);
      return body.data.map(({ match }: { match: { id: string } }) => match.id);
    };
    expect(await found('')).toEqual([third.id, second.id, first.id]);
    expect(await found('sort=startTime')).toEqual([first.id, second.id, third.id]);
    expect(await found('status=OFFICIAL')).toEqual([second.id, first.id]);
    expect(await found('status=PROVISIONAL,ANNULLED')).toEqual([third.id]);
    expect(await found(`participantId=${own.participants[1]}`)).toEqual([second.id, first.id]);
    expect(await found(`teamId=${crypto.randomUUID()}`)).toEqual([]);
    expect(await found(`athleteId=${crypto.randomUUID()}`)).toEqual([]);
    const { body } = await owner.get(`/competitions/results?seasonId=${own.seasonId}&limit=2`);
    const rest = await owner.get(`/competitions/results?seasonId=${own.seasonId}&limit=2&cursor=${body.page.nextCursor}`);
    expect([body.data.length, rest.body.data.map(({ match }: { match: { id: string } }) => match.id)]).toEqual([2, [first.id]]);
    await there.step(first.id, 'correct', { reason: 'x', ...scored(first.sides, 1, 1) });
    expect((await found('updatedSince=2026-01-01T00:00:00Z')).at(-1)).toBe(first.id);
  });
});
