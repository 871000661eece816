/** Details of athletes that tell more, or other, than they should. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';
import { bornFor, createAthlete } from './people.ts';

let world: World;
let owner: Client;
let moderator: Client;
beforeAll(async () => {
  world = await openWorld();
  owner = await world.account({ account: 'Owner' });
  moderator = await world.account({ account: 'Moderation', scopes: ['moderation:write'] });
});
afterAll(() => world.close());

const adult = { dateOfBirth: bornFor(25, 3), status: 'ACTIVE' };
const club = async (status: string): Promise<string> =>
  (await owner.post('/organizations', { type: 'CLUB', name: 'Club', country: 'DE', sports: ['FOOTBALL'], status })).body.id;
const join = async (personId: string, organizationId: string, more: object = {}) => {
  const made = await owner.post('/organizations/memberships', {
    personType: 'ATHLETE',
    personId,
    organizationId,
    role: 'PLAYER',
    ...more,
  });
  expect(made.body).toMatchObject({ status: 'ACTIVE' });
  await world.settled();
};
const found = async (client: Client, organizationId: string) =>
  (await client.get(`/athletes?organizationId=${organizationId}`)).body.data.map((each: { id: string }) => each.id);
const organizationOf = async (client: Client, id: string) =>
  (await client.graphql('query ($id: ID!) { athlete(id: $id) { organization { id } } }', { id })).body.data.athlete.organization;

test('numbers of a minor are stored nowhere, whatever is asked of them', async () => {
  const { id: athleteId } = await createAthlete(owner, { dateOfBirth: bornFor(15, 3) });
  const numbers = { scope: 'CAREER', sport: 'FOOTBALL', source: 'PROVIDER', metrics: [{ key: 'goals', value: 3 }] };
  const { body: row } = await owner.post('/athletes/statistics', { athleteId, ...numbers });
  for (const path of [
    '/athletes/statistics?fields=metrics&',
    '/athletes/statistics?',
    `/athletes/statistics/${row.id}?`,
    `/athletes/statistics/${row.id}?fields=metrics&`,
  ]) {
    const answer = await owner.get(`${path}${path.includes(row.id) ? '' : `athleteId=${athleteId}`}`);
    expect({ path, status: answer.status, cache: answer.headers.get('cache-control') }).toEqual({
      path,
      status: 200,
      cache: 'private, no-store',
    });
  }
});

test('a filter by a hidden organization answers like an unknown id, and a profile names none', async () => {
  const { id } = await createAthlete(owner, adult);
  const draft = await club('DRAFT');
  await join(id, draft);
  expect(await found(world.anonymous, draft)).toEqual([]);
  expect(await found(moderator, draft)).toEqual([]);
  expect(await found(owner, draft)).toEqual([id]);
  expect(await organizationOf(world.anonymous, id)).toBeNull();
});

test('nor by one that was suspended meanwhile', async () => {
  const { id } = await createAthlete(owner, adult);
  const organizationId = await club('ACTIVE');
  await join(id, organizationId);
  expect(await found(world.anonymous, organizationId)).toEqual([id]);
  expect(await organizationOf(world.anonymous, id)).toEqual({ id: organizationId });
  await moderator.post(`/organizations/${organizationId}/suspend`, { reason: 'Test' });
  await world.settled();
  expect(await found(world.anonymous, organizationId)).toEqual([]);
  expect(await organizationOf(world.anonymous, id)).toBeNull();
});

test('a membership that has not begun makes nobody a member yet', async () => {
  const { id } = await createAthlete(owner, adult);
  const organizationId = await club('ACTIVE');
  await join(id, organizationId, { startDate: '2090-01-01' });
  expect(await found(world.anonymous, organizationId)).toEqual([]);
  expect(await organizationOf(world.anonymous, id)).toBeNull();
});

test('a draft that numbers refer to is not deleted', async () => {
  const { id: athleteId } = await createAthlete(owner, { dateOfBirth: bornFor(25, 3) });
  const numbers = { scope: 'CAREER', sport: 'FOOTBALL', source: 'PROVIDER', metrics: [{ key: 'goals', value: 3 }] };
  expect((await owner.post('/athletes/statistics', { athleteId, ...numbers })).status).toBe(201);
  expect((await owner.delete(`/athletes/${athleteId}`, { 'if-match': '*' })).body.code).toBe('in_use');
});

test('a weight is kept as it is given, or refused', async () => {
  const { id } = await createAthlete(owner, adult);
  const weigh = async (weightKg: number) => (await owner.patch(`/athletes/${id}`, { weightKg }, { 'if-match': '*' })).body;
  expect(await weigh(70.25)).toMatchObject({ status: 422, errors: [{ pointer: '/weightKg' }] });
  for (const weight of [70.2, 10.1, 70, 400, 64.3]) expect(await weigh(weight)).toMatchObject({ weightKg: weight });
});

test('an institution is one that the owner may know of, and media are shown over https', async () => {
  const { id } = await createAthlete(owner, adult);
  const study = (institutionId: string) => owner.patch(`/athletes/${id}`, { education: { institutionId } }, { 'if-match': '*' });
  const stranger = await world.account({ account: 'Stranger' });
  const university = { type: 'UNIVERSITY', name: 'Hidden', country: 'DE', sports: ['FOOTBALL'], status: 'DRAFT' };
  const hidden: string = (await stranger.post('/organizations', university)).body.id;
  const refused = { status: 422, errors: [{ pointer: '/education/institutionId', code: 'unknown_organization' }] };
  expect((await study('00000000-0000-4000-8000-000000000000')).body).toMatchObject(refused);
  expect((await study(hidden)).body).toMatchObject(refused);
  expect((await study(await club('DRAFT'))).status).toBe(200);
  const media = [{ kind: 'VIDEO', url: 'http://example.org/v.mp4' }];
  const shown = await owner.patch(`/athletes/${id}`, { media }, { 'if-match': '*' });
  expect(shown.body).toMatchObject({ status: 422, errors: [{ pointer: '/media/0/url', code: 'not_https' }] });
});
