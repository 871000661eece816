/** What happened in a match, told whole with the match: an import writes a match and its goals in one item. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, sql } from '../../platform/database.ts';
import type { Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';
import { playLeague, type League } from './leagues.ts';

let world: World;
let owner: Client;
let league: League;
beforeAll(async () => {
  world = await openWorld();
  owner = await world.account();
  league = await playLeague(owner, ['Rot', 'Blau']);
});
afterAll(() => world.close());

const home = () => league.participants[0];
const away = () => league.participants[1];
const goal = (minute: number, participantId = home()) => ({ type: 'GOAL', period: 1, minute, participantId });
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
  return body.data as { outcome: string; id: string; version: number; error: { errors: { pointer: string; code: string }[] } }[];
};
const actionsOf = async (id: string): Promise<{ id: string; minute: number }[]> =>
  (await world.anonymous.get(`/competitions/matches/${id}`)).body.actions;

test('actions come with their match, and telling them again changes nothing', async () => {
  const [made] = await batch(finished([goal(12), goal(40)]));
  expect(made).toMatchObject({ outcome: 'CREATED', version: 1 });
  const before = await actionsOf(made?.id ?? '');
  expect(before).toMatchObject([goal(12), goal(40)].map(({ type, minute }) => ({ type, minute, participant: { id: home() } })));
  expect(await batch(finished([goal(40), goal(12)]))).toMatchObject([{ outcome: 'UNCHANGED', version: 1 }]);
  expect(await actionsOf(made?.id ?? '')).toEqual(before);
});

test('another list takes their place: what says the same stays, and the match tells that it changed', async () => {
  const [made] = await batch(finished([goal(1), goal(2)], 'b'));
  const [first, second] = await actionsOf(made?.id ?? '');
  expect(await batch(finished([goal(1), goal(1), goal(3)], 'b'))).toMatchObject([{ outcome: 'UPDATED', version: 2 }]);
  const after = await actionsOf(made?.id ?? '');
  expect(after.map(({ minute }) => minute)).toEqual([1, 1, 3]);
  expect(after.map(({ id }) => id)).toContain(first?.id);
  expect(after.map(({ id }) => id)).not.toContain(second?.id);
  expect(await batch(finished([], 'b'))).toMatchObject([{ outcome: 'UPDATED', version: 3 }]);
  expect(await actionsOf(made?.id ?? '')).toEqual([]);
});

test('a match made alone may bring them too', async () => {
  const { externalIds: _, ...match } = finished([goal(7)]);
  const { status, body } = await owner.post('/competitions/matches', match);
  expect([status, body.actions]).toMatchObject([201, [{ minute: 7 }]]);
});

test('a list of actions is written by one statement, each with its event; a thousand are the most', async () => {
  const many = Array.from({ length: 300 }, (_, index) => goal((index % 120) + 1));
  world.statements();
  const [made] = await batch(finished(many, 'many'));
  expect(made).toMatchObject({ outcome: 'CREATED' });
  expect(world.statements().filter((name) => /action.*insert|insertAction/.test(name))).toEqual(['matches.insertActions']);
  expect(await actionsOf(made?.id ?? '')).toHaveLength(300);
  const owning = openDatabase({ url: world.database.ownerUrl, name: 'test-actions', poolSize: 1 });
  const told = await owning.query<{ type: string; count: number }>(sql`/* test.events */ select type, count(*)::int as count
    from competitions.outbox where type like 'match_action.%' and data ->> 'matchId' = ${made?.id ?? ''} group by 1`);
  expect(told).toEqual([{ type: 'match_action.created', count: 300 }]);
  await owning.query(sql`/* test.fill */ insert into competitions.match_action (account_id, published, match_id, type)
    select account_id, published, match_id, type from competitions.match_action, generate_series(1, 2) where match_id = ${made?.id ?? ''}`);
  await owning.query(sql`/* test.fillUp */ insert into competitions.match_action (account_id, published, match_id, type)
    select account_id, published, match_id, type from competitions.match_action where match_id = ${made?.id ?? ''} limit 99`);
  await owning.close();
  const add = () => owner.post(`/competitions/matches/${made?.id}/actions`, { type: 'FOUL' });
  expect((await add()).status).toBe(201);
  expect((await add()).body).toMatchObject({ status: 409, code: 'conflict' });
});

test('faults point into the list, and leave nothing', async () => {
  const stranger = { ...goal(3), participantId: league.seasonId, athleteId: league.seasonId };
  const open = { ...finished([goal(3)], 'd'), status: 'SCHEDULED', result: undefined };
  const [one, other] = await batch(finished([goal(2), stranger], 'c'), open);
  expect(one?.error.errors.map(({ pointer, code }) => [pointer, code])).toEqual([
    ['/actions/1/participantId', 'unknown_participant'],
    ['/actions/1/athleteId', 'unknown_athlete'],
  ]);
  expect(other?.error.errors.map(({ pointer, code }) => [pointer, code])).toEqual([['/actions', 'not_begun']]);
  const { body } = await owner.get('/competitions/matches?mine=true&externalId=TEST:c');
  expect(body.data).toEqual([]);
});
