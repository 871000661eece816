/** Results by the hundred: each for its match, by id or by the match's external id; what is open is finished, what is official stays. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, sql } from '../../platform/database.ts';
import type { Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';
import { playLeague, type League } from './leagues.ts';
import { scored, scoring } from './scores.ts';

let world: World;
let owner: Client;
let league: League;
let at: ReturnType<typeof scoring>;
beforeAll(async () => {
  world = await openWorld();
  owner = await world.account({ account: 'League' });
  league = await playLeague(owner, ['Rot', 'Blau', 'Grün', 'Gelb']);
  at = scoring(owner, league);
});
afterAll(() => world.close());

const post = (items: readonly object[]) => owner.post('/competitions/results/batch', { items });
const outcomesOf = ({ body }: Awaited<ReturnType<typeof post>>) => body.data.map(({ outcome }: { outcome: string }) => outcome);
const feed = (value: string) => ({ scheme: 'FEED', value });

async function historyOf(id: string): Promise<string[]> {
  const database = openDatabase({ url: world.database.ownerUrl, name: 'test-imports', poolSize: 1 });
  const rows = await database.query<{ action: string }>(
    sql`/* test.history */ select action from competitions.history where resource_id = ${id} order by id`,
  );
  await database.close();
  return rows.map(({ action }) => action);
}

test('an import finishes open matches, awards what was awarded, and repeats without a change', async () => {
  const [one, two, three] = [
    await at.fixture([0, 1], { externalIds: [feed('1')] }),
    await at.begun([2, 3]),
    await at.fixture([1, 2], { startTime: '2026-09-01T18:00:00Z', timeZone: 'UTC' }),
  ];
  const items = [
    { match: feed('1'), ...scored(one.sides, 2, 1) },
    { matchId: two.id, status: 'PROVISIONAL', ...scored(two.sides, 0, 0) },
    { matchId: three.id, endedBy: { method: 'AWARDED' }, ...scored(three.sides, 0, 3) },
  ];
  world.statements();
  expect(outcomesOf(await post(items))).toEqual(['CREATED', 'CREATED', 'CREATED']);
  const ran = world.statements();
  expect(ran.filter((name) => name === 'placeholders.holdTies')).toHaveLength(1);
  const states = [];
  for (const { id } of [one, two, three]) {
    const { body } = await world.anonymous.get(at.path(id));
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
  const [refused] = (await post([item('OFFICIAL', 2, 1)])).body.data;
  expect(refused).toMatchObject({
    outcome: 'FAILED',
    error: { code: 'invalid_transition', detail: expect.stringContaining('correct') },
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

test('an item that cannot be costs only itself, and leaves nothing', async () => {
  const [good, bad, cancelled] = [await at.fixture([0, 1]), await at.fixture([2, 3]), await at.fixture([0, 3])];
  await owner.post(`${at.path(cancelled.id)}/cancel`);
  const { body } = await post([
    { matchId: good.id, ...scored(good.sides, 1, 0) },
    { matchId: bad.id, ...scored([bad.sides[0] ?? '', league.participants[0] ?? ''], 1, 0) },
    { matchId: cancelled.id, ...scored(cancelled.sides, 1, 0) },
    { match: feed('nowhere'), ...scored(good.sides, 1, 0) },
    { matchId: good.id, match: feed('1'), ...scored(good.sides, 1, 0) },
    { matchId: crypto.randomUUID(), ...scored(good.sides, 1, 0) },
  ]);
  type Item = { outcome: string; error: { code: string; errors: { pointer: string; code: string }[] | null } | null };
  const told = (body.data as Item[]).map(({ outcome, error }) =>
    [outcome, error?.code, ...(error?.errors ?? []).map(({ pointer, code }) => `${pointer} ${code}`)].join(' ').trim(),
  );
  expect(told).toEqual([
    'CREATED',
    'FAILED validation_failed /participants/1/participantId not_in_match /participants required',
    'FAILED invalid_transition',
    'FAILED validation_failed /match unknown_match',
    'FAILED validation_failed /matchId one_of',
    'FAILED not_found',
  ]);
  expect((await owner.get(at.path(bad.id))).body).toMatchObject({ status: 'SCHEDULED', version: 1, result: null });
});

test('results are found by season, sides and state, in order of time or of change', async () => {
  const own = await playLeague(owner, ['Alt', 'Neu', 'Mitte']);
  const there = scoring(owner, own);
  const first = await there.played([0, 1], [1, 0], { date: '2026-08-10' });
  const second = await there.played([1, 2], [0, 0], { date: '2026-08-17' });
  const third = await there.begun([2, 0], { date: '2026-08-24' });
  await there.put(third.id, scored(third.sides, 2, 2));
  const found = async (query: string): Promise<string[]> => {
    const { status, body } = await world.anonymous.get(`/competitions/results?seasonId=${own.seasonId}&${query}`);
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
