/** Organizations over the public API. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult, createClub, createMember, idsOf, memberOf } from './clubs.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

const arsenal = { type: 'CLUB', name: 'Arsenal FC', country: 'GB-ENG', city: 'London', sports: ['FOOTBALL'], status: 'ACTIVE' };

describe('a club', () => {
  test('is created, read over REST and GraphQL, updated by its owner, and closed', async () => {
    const owner = await platform.account();
    const created = await owner.post('/organizations', { ...arsenal, createTeam: true });
    expect(created.body).toMatchObject({ name: 'Arsenal FC', status: 'ACTIVE', version: 1 });
    expect(created.status).toBe(201);
    const { id } = created.body;
    expect(created.headers.get('location')).toContain(`/api/v1/organizations/${id}`);
    const read = await platform.anonymous.get(`/organizations/${id}?include=teams`);
    expect(read.body).toMatchObject({ name: 'Arsenal FC', teams: { nodes: [{ name: 'Arsenal FC', sport: 'FOOTBALL' }] } });
    const graph = await platform.anonymous.graphql(
      'query ($id: ID!) { organization(id: $id) { name teams { nodes { name organization { name } } } } }',
      { id },
    );
    expect(graph.body.data.organization.teams.nodes).toEqual([{ name: 'Arsenal FC', organization: { name: 'Arsenal FC' } }]);
  });
});

describe('the parent of an organization', () => {
  const setParent = async (owner: Client, id: string, parentOrganizationId: string | null) =>
    (await owner.patch(`/organizations/${id}`, { parentOrganizationId }, { 'if-match': '*' })).body;
  const cycle = { status: 422, errors: [{ pointer: '/parentOrganizationId', code: 'cycle' }] };

  test('cannot be itself or one of its descendants', async () => {
    const owner = await platform.account();
    const [top, middle, bottom] = [await createClub(owner), await createClub(owner), await createClub(owner)];
    expect(await setParent(owner, top.id, top.id)).toMatchObject(cycle);
    expect(await setParent(owner, middle.id, top.id)).toMatchObject({ parentOrganization: { id: top.id } });
    expect(await setParent(owner, bottom.id, middle.id)).toMatchObject({ version: 2 });
    for (const { id } of [middle, bottom]) expect(await setParent(owner, top.id, id)).toMatchObject(cycle);
    expect(await setParent(owner, bottom.id, top.id)).toMatchObject({ version: 3 });
  });

  test('cannot become its descendant by concurrent changes', async () => {
    const owner = await platform.account();
    const [a, b] = [await createClub(owner), await createClub(owner)];
    const responses = await Promise.all([setParent(owner, a.id, b.id), setParent(owner, b.id, a.id)]);
    expect(responses.filter((response) => response.code === 'validation_failed')).toMatchObject([cycle]);
  });
});

describe('members', () => {
  const notActive = { status: 422, errors: [{ pointer: '/organizationId', code: 'not_active' }] };
  const join = async (owner: Client, organizationId: string, personId: string, more: object = {}) =>
    (await owner.post('/organizations/memberships', memberOf(organizationId, personId, more))).body;

  test('join active organizations, own members also drafts; a closed one accepts past memberships only', async () => {
    const [owner, agent] = [await platform.account(), await platform.account({ account: 'Agent' })];
    const { id: personId } = await createAdult(owner);
    const { id: foreign } = await createAdult(agent);
    const club = await createClub(owner, { status: 'DRAFT' });
    expect(await join(owner, club.id, foreign)).toMatchObject(notActive);
    expect(await join(owner, club.id, personId, { type: 'TRIAL' })).toMatchObject({ status: 'ACTIVE' });
    await owner.post(`/organizations/${club.id}/activate`);
    await owner.post(`/organizations/${club.id}/close`);
    expect(await join(owner, club.id, personId)).toMatchObject(notActive);
    expect(await join(owner, club.id, personId, { endDate: '2999-01-01' })).toMatchObject(notActive);
    expect(await join(owner, club.id, personId, { startDate: '2019-07-01', endDate: '2020-06-30' })).toMatchObject({
      version: 1,
    });
  });

  test('cannot be confirmed after their organization was closed', async () => {
    const [owner, agent] = [await platform.account(), await platform.account({ account: 'Agent' })];
    const club = await createClub(owner);
    const { id } = await createMember(owner, club.id, (await createAdult(agent)).id);
    await owner.post(`/organizations/${club.id}/close`);
    const response = await agent.post(`/organizations/memberships/${id}/confirm`);
    expect(response.body).toMatchObject({ status: 409, code: 'invalid_transition' });
    expect((await agent.post(`/organizations/memberships/${id}/decline`)).body).toMatchObject({ status: 'DECLINED' });
  });
});

test('one or two letters match the start of a word, three match anywhere', async () => {
  const owner = await platform.account();
  const { id } = await createClub(owner, { name: 'Żółw Quxley Ångström' });
  const found = async (q: string): Promise<boolean> =>
    idsOf(await platform.anonymous.get(`/organizations?limit=100&q=${encodeURIComponent(q)}`)).includes(id);
  for (const q of ['zo', 'QU', 'å', 'an qu', 'uxl', 'zo uxl']) expect([q, await found(q)]).toEqual([q, true]);
  for (const q of ['ux', 'y', 'zo ux', '_', '%']) expect([q, await found(q)]).toEqual([q, false]);
});
