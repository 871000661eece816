/** Details of athletes that must not leak or misstate data. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createTeam } from '../organizations/clubs.ts';
import { bornFor, createAthlete } from './people.ts';

let platform: TestPlatform;
let owner: Client;
let moderator: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Owner' });
  moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
});
afterAll(() => platform.close());

const adult = { dateOfBirth: bornFor(25, 3), status: 'ACTIVE' };
const club = async (status: string): Promise<string> =>
  (await owner.post('/organizations', { type: 'CLUB', name: 'Club', country: 'DE', sports: ['FOOTBALL'], status })).body.id;
const join = async (personId: string, organizationId: string, more: object = {}) => {
  const created = await owner.post('/organizations/memberships', {
    personType: 'ATHLETE',
    personId,
    organizationId,
    role: 'PLAYER',
    ...more,
  });
  expect(created.body).toMatchObject({ status: 'ACTIVE' });
  await platform.settled();
};
const found = async (client: Client, organizationId: string) =>
  (await client.get(`/athletes?organizationId=${organizationId}`)).body.data.map((each: { id: string }) => each.id);
const organizationOf = async (client: Client, id: string) =>
  (await client.graphql('query ($id: ID!) { athlete(id: $id) { organization { id } } }', { id })).body.data.athlete.organization;

test('the years of experience in a sport can be written and read', async () => {
  const sports = [{ sport: 'FOOTBALL', positions: ['LB'], yearsExperience: 7 }];
  const { id } = await createAthlete(owner, { ...adult, sports });
  expect((await platform.anonymous.get(`/athletes/${id}`)).body.sports).toMatchObject(sports);
});

test('statistics of a minor are not cached, whatever fields are requested', async () => {
  const { id: athleteId } = await createAthlete(owner, { dateOfBirth: bornFor(15, 3) });
  const numbers = { scope: 'CAREER', sport: 'FOOTBALL', source: 'PROVIDER', metrics: [{ key: 'goals', value: 3 }] };
  const { body: row } = await owner.post('/athletes/statistics', { athleteId, ...numbers });
  for (const path of [
    '/athletes/statistics?fields=metrics&',
    '/athletes/statistics?',
    `/athletes/statistics/${row.id}?`,
    `/athletes/statistics/${row.id}?fields=metrics&`,
  ]) {
    const response = await owner.get(`${path}${path.includes(row.id) ? '' : `athleteId=${athleteId}`}`);
    expect({ path, status: response.status, cache: response.headers.get('cache-control') }).toEqual({
      path,
      status: 200,
      cache: 'private, no-store',
    });
  }
});

test('a hidden organization matches no filter and appears in no profile', async () => {
  const { id } = await createAthlete(owner, adult);
  const draft = await club('DRAFT');
  await join(id, draft);
  expect(await found(platform.anonymous, draft)).toEqual([]);
  expect(await found(moderator, draft)).toEqual([]);
  expect(await found(owner, draft)).toEqual([id]);
  expect(await organizationOf(platform.anonymous, id)).toBeNull();
});

test('an organization that was suspended later matches no filter either', async () => {
  const { id } = await createAthlete(owner, adult);
  const organizationId = await club('ACTIVE');
  await join(id, organizationId);
  expect(await found(platform.anonymous, organizationId)).toEqual([id]);
  expect(await organizationOf(platform.anonymous, id)).toEqual({ id: organizationId });
  await moderator.post(`/organizations/${organizationId}/suspend`, { reason: 'Test' });
  await platform.settled();
  expect(await found(platform.anonymous, organizationId)).toEqual([]);
  expect(await organizationOf(platform.anonymous, id)).toBeNull();
});

test('lists and leaderboards of statistics do not reveal a team of a hidden organization', async () => {
  const { id: athleteId } = await createAthlete(owner, adult);
  const organizationId = await club('ACTIVE');
  const { id: teamId } = await createTeam(owner, organizationId);
  const numbers = { scope: 'CAREER', sport: 'FOOTBALL', source: 'PROVIDER', metrics: [{ key: 'goals', value: 3 }] };
  expect((await owner.post('/athletes/statistics', { athleteId, teamId, ...numbers })).status).toBe(201);
  const lists = ['', '&metric=goals&sort=best', '&updatedSince=2020-01-01T00:00:00Z'];
  const resultCounts = (client: Client, id: string) =>
    Promise.all(lists.map(async (more) => (await client.get(`/athletes/statistics?teamId=${id}${more}`)).body.data.length));
  await platform.settled();
  expect(await resultCounts(platform.anonymous, teamId)).toEqual([1, 1, 1]);
  await moderator.post(`/organizations/${organizationId}/suspend`, { reason: 'Test' });
  expect(await resultCounts(platform.anonymous, teamId)).toEqual(await resultCounts(platform.anonymous, crypto.randomUUID()));
  expect(await resultCounts(owner, teamId)).toEqual([1, 1, 1]);
});

test('a membership that starts in the future does not count yet', async () => {
  const { id } = await createAthlete(owner, adult);
  const organizationId = await club('ACTIVE');
  await join(id, organizationId, { startDate: '2090-01-01' });
  expect(await found(platform.anonymous, organizationId)).toEqual([]);
  expect(await organizationOf(platform.anonymous, id)).toBeNull();
});

test('a draft with statistics cannot be deleted', async () => {
  const { id: athleteId } = await createAthlete(owner, { dateOfBirth: bornFor(25, 3) });
  const numbers = { scope: 'CAREER', sport: 'FOOTBALL', source: 'PROVIDER', metrics: [{ key: 'goals', value: 3 }] };
  expect((await owner.post('/athletes/statistics', { athleteId, ...numbers })).status).toBe(201);
  expect((await owner.delete(`/athletes/${athleteId}`, { 'if-match': '*' })).body.code).toBe('in_use');
});

test('a weight is stored exactly or rejected', async () => {
  const { id } = await createAthlete(owner, adult);
  const weigh = async (weightKg: number) => (await owner.patch(`/athletes/${id}`, { weightKg }, { 'if-match': '*' })).body;
  expect(await weigh(70.25)).toMatchObject({ status: 422, errors: [{ pointer: '/weightKg' }] });
  for (const weight of [70.2, 10.1, 70, 400, 64.3]) expect(await weigh(weight)).toMatchObject({ weightKg: weight });
});

test('a report can refer only to visible seasons, competitions and teams; hidden ids are reported as unknown', async () => {
  const { id: athleteId } = await createAthlete(owner, adult);
  const otherAccount = await platform.account({ account: 'Stranger' });
  const createResource = async (path: string, body: object): Promise<string> => {
    const created = await otherAccount.post(path, body);
    expect({ status: created.status, body: created.body }).toMatchObject({ status: 201 });
    return created.body.id;
  };
  const competitionId = await createResource('/competitions', {
    name: 'Secret',
    sport: 'FOOTBALL',
    type: 'LEAGUE',
    status: 'DRAFT',
  });
  const edition = { competitionId, name: 'One', startDate: '2026-01-01', endDate: '2026-05-01' };
  const seasonId = await createResource('/competitions/seasons', edition);
  const draft = { type: 'CLUB', name: 'Secret', country: 'DE', sports: ['FOOTBALL'], status: 'DRAFT' };
  const { id: teamId } = await createTeam(otherAccount, await createResource('/organizations', draft), { sport: 'FOOTBALL' });
  const report = async (more: object) => {
    const numbers = { source: 'PROVIDER', metrics: [{ key: 'aces', value: 3 }], sport: 'TENNIS' };
    const { status, body } = await owner.post('/athletes/statistics', { athleteId, ...numbers, ...more });
    return [status, body.errors];
  };
  const unknown = crypto.randomUUID();
  for (const [named, code, id] of [
    ['seasonId', 'unknown_season', seasonId],
    ['competitionId', 'unknown_competition', competitionId],
    ['teamId', 'unknown_team', teamId],
  ] as const) {
    const scope = named === 'seasonId' ? 'SEASON' : 'CAREER';
    expect(await report({ scope, [named]: id })).toMatchObject([422, [{ pointer: `/${named}`, code }]]);
    expect(await report({ scope, [named]: id })).toEqual(await report({ scope, [named]: unknown }));
  }
  expect((await otherAccount.post(`/competitions/${competitionId}/publish`)).status).toBe(200);
  const contradicts = [422, [{ pointer: '/sport', code: 'contradicts' }]];
  expect(await report({ scope: 'SEASON', seasonId })).toMatchObject(contradicts);
  expect(await report({ scope: 'CAREER', competitionId })).toMatchObject(contradicts);
  const { id: ownTeamId } = await createTeam(owner, await club('DRAFT'));
  expect(await report({ scope: 'CAREER', teamId: ownTeamId })).toMatchObject([
    422,
    [{ pointer: '/teamId', code: 'foreign_sport' }],
  ]);
});

test('an institution must be visible to the owner, and media URLs must use https', async () => {
  const { id } = await createAthlete(owner, adult);
  const study = (institutionId: string) => owner.patch(`/athletes/${id}`, { education: { institutionId } }, { 'if-match': '*' });
  const otherAccount = await platform.account({ account: 'Stranger' });
  const university = { type: 'UNIVERSITY', name: 'Hidden', country: 'DE', sports: ['FOOTBALL'], status: 'DRAFT' };
  const hidden: string = (await otherAccount.post('/organizations', university)).body.id;
  const rejected = { status: 422, errors: [{ pointer: '/education/institutionId', code: 'unknown_organization' }] };
  expect((await study('00000000-0000-4000-8000-000000000000')).body).toMatchObject(rejected);
  expect((await study(hidden)).body).toMatchObject(rejected);
  expect((await study(await club('DRAFT'))).status).toBe(200);
  const media = [{ kind: 'VIDEO', url: 'http://example.org/v.mp4' }];
  const visible = await owner.patch(`/athletes/${id}`, { media }, { 'if-match': '*' });
  expect(visible.body).toMatchObject({ status: 422, errors: [{ pointer: '/media/0/url', code: 'not_https' }] });
});
