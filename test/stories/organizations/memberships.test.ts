/** The two parties of a membership: proposals, external ids and changes. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult, createClub, createMember, createTeam, idsOf, memberOf } from './clubs.ts';
import { createAthlete } from '../athletes/people.ts';

let platform: TestPlatform;
let club: Client;
let agent: Client;
let outsider: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  [club, agent, outsider] = await Promise.all([
    platform.account({ account: 'Club' }),
    platform.account({ account: 'Agent' }),
    platform.account({ account: 'Stranger' }),
  ]);
});
afterAll(() => platform.close());

const path = '/organizations/memberships';
const anyVersion = { 'if-match': '*' };

describe('a proposal', () => {
  test.each(['INVITED', 'ACTIVE', 'ENDED'])('cannot be repeated while it is %s', async (status) => {
    const { id: organizationId } = await createClub(club);
    const { id: teamId } = await createTeam(club, organizationId, { category: 'MEN' });
    const { id: personId } = await createAdult(agent);
    const proposal = memberOf(organizationId, personId, { teamId, startDate: '2026-01-01' });
    const { body: first } = await club.post(path, proposal);
    if (status !== 'INVITED') await agent.post(`${path}/${first.id}/confirm`);
    if (status === 'ENDED') await club.post(`${path}/${first.id}/end`, { endDate: '2026-02-01' });
    for (const client of [club, agent])
      expect(await client.post(path, proposal)).toMatchObject({
        status: 409,
        body: { code: 'conflict', existingId: first.id, detail: expect.stringContaining(status) },
      });
    const items = [{ ...proposal, externalIds: [{ scheme: 'CRM', value: `again-${status}` }] }];
    expect((await agent.post(`${path}/batch`, { items })).body.data).toMatchObject([
      { outcome: 'FAILED', error: { code: 'conflict', existingId: first.id } },
    ]);
  });

  test('that is made concurrently exists once', async () => {
    const { id: organizationId } = await createClub(club);
    const { id: personId } = await createAdult(agent);
    const responses = await Promise.all([1, 2, 3, 4].map(() => club.post(path, memberOf(organizationId, personId))));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  test('can be repeated after it was declined, and with another date or type', async () => {
    const { id: organizationId } = await createClub(club);
    const { id: personId } = await createAdult(agent);
    const { id } = await createMember(club, organizationId, personId);
    await createMember(club, organizationId, personId, { startDate: '2027-01-01' });
    await createMember(club, organizationId, personId, { type: 'TRIAL' });
    await agent.post(`${path}/${id}/decline`);
    await createMember(club, organizationId, personId);
  });
});

test('the athlete’s account sets its own external id and nothing else', async () => {
  const { id: organizationId } = await createClub(club);
  const { id: personId } = await createAdult(agent);
  const { id } = await createMember(club, organizationId, personId, { externalIds: [{ scheme: 'CRM', value: 'club-5' }] });
  const externalIds = [{ scheme: 'CRM', value: 'agent-5' }];
  expect(await agent.patch(`${path}/${id}`, { externalIds }, anyVersion)).toMatchObject({ status: 200, body: { externalIds } });
  expect((await club.get(`${path}/${id}`)).body.externalIds).toEqual([{ scheme: 'CRM', value: 'club-5' }]);
  for (const facts of [{ shirtNumber: 9 }, { externalIds: [], role: 'COACH' }])
    expect((await agent.patch(`${path}/${id}`, facts, anyVersion)).body.code).toBe('not_owner');
  const response = await agent.graphql(
    `mutation ($id: ID!) { updateMembership(id: $id, ifMatch: "*", input: { externalIds: [] }) { externalIds { value } } }`,
    { id },
  );
  expect(response.body.data.updateMembership.externalIds).toEqual([]);
});

test('lists by athlete return memberships of a hidden athlete to the athlete’s account only', async () => {
  const { id: organizationId } = await createClub(club);
  const { id: personId } = await createAdult(agent);
  const { id } = await createMember(club, organizationId, personId);
  await agent.post(`${path}/${id}/confirm`);
  const { id: draft } = await createAthlete(agent);
  const { id: hidden } = await createMember(agent, organizationId, draft);
  await club.post(`${path}/${hidden}/confirm`);
  await platform.settled();
  for (const client of [club, agent, outsider, platform.anonymous])
    expect(idsOf(await client.get(`${path}?athleteId=${personId}`))).toEqual([id]);
  expect(idsOf(await agent.get(`${path}?athleteId=${draft}`))).toEqual([hidden]);
  for (const client of [club, outsider, platform.anonymous])
    expect(idsOf(await client.get(`${path}?athleteId=${draft}`))).toEqual([]);
  expect(idsOf(await club.get(`${path}?athleteId=${draft}&mine=true`))).toEqual([]);
  const list = `query ($id: ID!) { memberships(filter: { athleteId: [$id] }) { nodes { id } } }`;
  expect((await outsider.graphql(list, { id: personId })).body.data.memberships.nodes).toEqual([{ id }]);
});

test('an end before the start is reported with its pointer in every write', async () => {
  const { id: organizationId } = await createClub(club);
  const { id: personId } = await createAdult(club);
  const early = { endDate: '2020-01-01' };
  const rejection = { status: 422, body: { errors: [{ pointer: '/endDate', code: 'before_start' }] } };
  const { id } = await createMember(club, organizationId, personId, { startDate: '2026-01-01' });
  expect(await club.post(`${path}/${id}/end`, early)).toMatchObject(rejection);
  expect(await club.patch(`${path}/${id}`, early, anyVersion)).toMatchObject(rejection);
  expect(await club.post(path, memberOf(organizationId, personId, { startDate: '2026-01-01', ...early }))).toMatchObject(
    rejection,
  );
  const transfer = { organizationId, startDate: '2025-01-01' };
  expect(await club.post(`${path}/${id}/transfer`, transfer)).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/startDate', code: 'before_start' }] },
  });
});

test('statistics return their team', async () => {
  const { id: organizationId } = await createClub(club, { name: 'SC Filter' });
  const { id: teamId } = await createTeam(club, organizationId, { name: 'First', category: 'MEN' });
  const { id: athleteId } = await createAdult(club);
  const row = {
    athleteId,
    sport: 'FOOTBALL',
    scope: 'CAREER',
    matchesPlayed: 3,
    metrics: [{ key: 'goals', value: 2 }],
    source: 'PROVIDER',
  };
  const team = { id: teamId, name: 'First' };
  expect(await club.post('/athletes/statistics', { ...row, teamId })).toMatchObject({ status: 201, body: { team } });
  expect((await club.get(`/athletes/statistics?teamId=${teamId}&fields=team`)).body.data).toEqual([
    { team: { ...team, imageUrl: null } },
  ]);
  expect((await club.post('/athletes/statistics', row)).body.team).toBeNull();
});

const batch = async (client: Client, ...items: object[]) =>
  (await client.post('/organizations/memberships/batch', { items })).body;
const idOf = (scheme: string, value: string) => ({ externalIds: [{ scheme, value }] });
const visibleIds = async (client: Client, id: string) =>
  (await client.get(`/organizations/memberships/${id}`)).body.externalIds.map((each: { value: string }) => each.value);

describe('the external ids of a membership', () => {
  test('belong to the party that set them: each reads its own, others those of the organization', async () => {
    const { id: organizationId } = await createClub(club);
    const { id: personId } = await createAdult(agent);
    const requested = memberOf(organizationId, personId, idOf('CRM', 'agent-1'));
    const first = await batch(agent, requested);
    expect(first.data).toMatchObject([{ outcome: 'CREATED' }]);
    const [{ id }] = first.data;
    expect((await batch(agent, requested)).data).toMatchObject([{ outcome: 'UNCHANGED', id }]);
    expect(await visibleIds(club, id)).toEqual([]);
    await club.post(`/organizations/memberships/${id}/confirm`);
    const patched = await club.patch(`/organizations/memberships/${id}`, idOf('CRM', 'club-1'), { 'if-match': '*' });
    expect(patched.body.externalIds).toEqual([{ scheme: 'CRM', value: 'club-1' }]);
    await platform.settled();
    expect(await visibleIds(agent, id)).toEqual(['agent-1']);
    for (const client of [club, outsider, platform.anonymous]) expect(await visibleIds(client, id)).toEqual(['club-1']);
    for (const [client, value, found] of [
      [agent, 'agent-1', [id]],
      [agent, 'club-1', []],
      [club, 'agent-1', []],
      [club, 'club-1', [id]],
      [outsider, 'agent-1', []],
      [platform.anonymous, 'agent-1', []],
      [platform.anonymous, 'club-1', [id]],
    ] as const)
      expect(idsOf(await client.get(`/organizations/memberships?externalId=CRM:${value}`))).toEqual(found);
  });

  test('do not block the other party: it can use the same ones, also of a registry', async () => {
    const { id: organizationId } = await createClub(club);
    for (const scheme of ['CRM', 'FIFA_ID']) {
      const [mine, theirs] = await Promise.all([createAdult(agent), createAdult(club)]);
      const value = `${scheme}-7`;
      const conflicting = await batch(agent, memberOf(organizationId, mine.id, { ...idOf(scheme, value), type: 'TRIAL' }));
      expect(conflicting.summary.created).toBe(1);
      const own = await batch(club, memberOf(organizationId, theirs.id, { ...idOf(scheme, value), type: 'TRIAL' }));
      expect(own.data).toMatchObject([{ outcome: 'CREATED' }]);
      expect(own.data[0].id).not.toBe(conflicting.data[0].id);
    }
  });
});

describe('the facts of a membership', () => {
  test('cannot be changed by a batch of the athlete’s account', async () => {
    const { id: organizationId } = await createClub(club);
    const { id: personId } = await createAdult(agent);
    const item = memberOf(organizationId, personId, { ...idOf('CRM', 'facts'), shirtNumber: 9, startDate: '2026-01-01' });
    const [{ id }] = (await batch(agent, item)).data;
    const change = async () => (await batch(agent, { ...item, shirtNumber: 10, role: 'COACH' })).data;
    expect(await change()).toMatchObject([{ outcome: 'FAILED', error: { code: 'not_owner' } }]);
    await club.post(`/organizations/memberships/${id}/confirm`);
    expect(await change()).toMatchObject([{ outcome: 'FAILED', error: { code: 'not_owner' } }]);
    expect((await batch(agent, item)).data).toMatchObject([{ outcome: 'UNCHANGED', id, version: 2 }]);
    expect((await club.get(`/organizations/memberships/${id}`)).body).toMatchObject({ shirtNumber: 9, role: 'PLAYER' });
  });

  test('can be changed by a batch of the organization, by its own external id', async () => {
    const { id: organizationId } = await createClub(club);
    const { id: personId } = await createAdult(club);
    const { id } = await createMember(club, organizationId, personId, idOf('CRM', 'own'));
    const repeated = memberOf(organizationId, personId, { ...idOf('CRM', 'own'), shirtNumber: 3 });
    expect((await batch(club, repeated)).data).toMatchObject([{ outcome: 'UPDATED', id, version: 2 }]);
    expect((await batch(club, repeated)).data).toMatchObject([{ outcome: 'UNCHANGED', id, version: 2 }]);
  });
});
