/** Where an athlete was and is a member, and how a transfer makes both. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';
import { createAdult, createClub, createMember, idsOf } from './clubs.ts';
import { bornFor, createAthlete } from './people.ts';

let world: World;
let owner: Client;
let other: Client;
let moderator: Client;
beforeAll(async () => {
  world = await openWorld();
  [owner, other, moderator] = await Promise.all([
    world.account({ account: 'Club' }),
    world.account({ account: 'Other' }),
    world.account({ account: 'Moderation', scopes: ['moderation:write'] }),
  ]);
});
afterAll(() => world.close());

const historyOf = (id: string, query = ''): string => `/athletes/${id}/memberships${query}`;

test('a transfer ends one membership the day before the next begins: history, days and events say so', async () => {
  const [{ id: athlete }, { id: old }, { id: next }] = [
    await createAdult(owner),
    await createClub(owner),
    await createClub(owner),
  ];
  const first = await createMember(owner, old, athlete, { startDate: '2020-07-01' });
  await world.settled();
  const moved = await owner.post(`/organizations/memberships/${first.id}/transfer`, {
    organizationId: next,
    startDate: '2023-07-01',
  });
  expect(moved.body).toMatchObject({ status: 'ACTIVE', organization: { id: next }, startDate: '2023-07-01', endDate: null });
  await world.settled();
  for (const reader of [owner, other, world.anonymous]) {
    const { body } = await reader.get(historyOf(athlete));
    expect(body.data).toMatchObject([
      { id: moved.body.id, status: 'ACTIVE', startDate: '2023-07-01' },
      { id: first.id, status: 'ENDED', organization: { id: old }, endDate: '2023-06-30' },
    ]);
  }
  const page = await world.anonymous.get(historyOf(athlete, '?limit=1'));
  expect(idsOf(page)).toEqual([moved.body.id]);
  expect(idsOf(await world.anonymous.get(historyOf(athlete, `?limit=1&cursor=${page.body.page.nextCursor}`)))).toEqual([
    first.id,
  ]);
  expect(idsOf(await world.anonymous.get(historyOf(athlete, '?asOf=2023-06-30')))).toEqual([first.id]);
  expect(idsOf(await world.anonymous.get(historyOf(athlete, '?asOf=2023-07-01')))).toEqual([moved.body.id]);
  expect(idsOf(await world.anonymous.get(historyOf(athlete, '?asOf=2019-01-01')))).toEqual([]);
  const graph = 'query ($id: ID!) { athlete(id: $id) { memberships(asOf: "2022-01-01") { nodes { organization { id } } } } }';
  const answer = await world.anonymous.graphql(graph, { id: athlete });
  expect(answer.body).toEqual({ data: { athlete: { memberships: { nodes: [{ organization: { id: old } }] } } } });
  const database = new pg.Client({ connectionString: world.database.ownerUrl });
  await database.connect();
  const { rows } = await database.query(
    'select type, resource_id as id from organizations.outbox where resource_id = any($1::uuid[]) order by position',
    [[first.id, moved.body.id]],
  );
  await database.end();
  expect(rows).toEqual([
    { type: 'membership.created', id: first.id },
    { type: 'membership.transferred', id: first.id },
    { type: 'membership.created', id: moved.body.id },
  ]);
});

test('shows neither a hidden athlete, nor a hidden organization, nor what is not agreed', async () => {
  const [{ id: minor }, { id: adult }, { id: club }] = [
    await createAthlete(owner, { dateOfBirth: bornFor(15, 50) }),
    await createAdult(other),
    await createClub(owner),
  ];
  const { id: membership } = await createMember(owner, club, minor);
  const invited = await createMember(owner, club, adult);
  expect(invited.status).toBe('INVITED');
  await world.settled();
  expect(idsOf(await owner.get(historyOf(minor)))).toEqual([membership]);
  for (const reader of [other, moderator, world.anonymous]) {
    expect((await reader.get(historyOf(minor))).body).toMatchObject({ status: 404, code: 'not_found' });
    expect(idsOf(await reader.get(historyOf(adult)))).toEqual([]);
  }
  expect((await other.post(`/organizations/memberships/${invited.id}/confirm`)).status).toBe(200);
  expect(idsOf(await world.anonymous.get(historyOf(adult)))).toEqual([invited.id]);
  expect((await moderator.post(`/organizations/${club}/suspend`, { reason: 'Reported' })).status).toBe(200);
  expect(idsOf(await world.anonymous.get(historyOf(adult)))).toEqual([]);
  expect(idsOf(await other.get(historyOf(adult)))).toEqual([invited.id]);
});

test('a moderator finds who awaits another look', async () => {
  const { id } = await createAdult(owner, { displayName: 'Vera Fied' });
  expect((await moderator.post(`/athletes/${id}/verify`, { method: 'PASSPORT' })).status).toBe(200);
  const queue = '/athletes?verification=PENDING&limit=100';
  expect(idsOf(await moderator.get(queue))).toEqual([]);
  expect((await owner.patch(`/athletes/${id}`, { displayName: 'Vera Other' }, { 'if-match': '*' })).status).toBe(200);
  expect(idsOf(await moderator.get(queue))).toEqual([id]);
  expect((await moderator.post(`/athletes/${id}/reject`, { reason: 'Another name' })).status).toBe(200);
  expect(idsOf(await moderator.get(queue))).toEqual([]);
  expect(idsOf(await moderator.get('/athletes?verification=REJECTED'))).toEqual([id]);
});
