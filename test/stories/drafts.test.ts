/** A draft is its owner's: nobody else learns of it, or of what belongs to it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';

let world: World;
let owner: Client;
let other: Client;
beforeAll(async () => {
  world = await openWorld();
  [owner, other] = await Promise.all([world.account({ account: 'Owner' }), world.account({ account: 'Other' })]);
});
afterAll(() => world.close());

const club = { type: 'CLUB', name: 'Drafts FC', country: 'DE', sports: ['FOOTBALL'] };
const player = {
  displayName: 'Dora',
  dateOfBirth: '1999-04-01',
  sex: 'FEMALE',
  nationalities: ['DE'],
  sports: [{ sport: 'FOOTBALL' }],
};

describe("another account's draft", () => {
  test('is not found: not by id, in lists, by external id, nor over GraphQL', async () => {
    const externalIds = [{ scheme: 'SECRET', value: 'draft-1' }];
    const { body: organization } = await owner.post('/organizations', { ...club, name: 'Zzyzx Draft', externalIds });
    const { body: athlete } = await owner.post('/athletes', { ...player, displayName: 'Zzyzx Draft', externalIds });
    for (const [path, { id }] of [
      ['/organizations', organization],
      ['/athletes', athlete],
    ] as const) {
      for (const stranger of [other, world.anonymous]) {
        expect((await stranger.get(`${path}/${id}`)).body).toMatchObject({ status: 404, code: 'not_found' });
        expect((await stranger.get(`${path}?q=zzyzx`)).body.data).toEqual([]);
        expect((await stranger.get(`${path}?externalId=SECRET:draft-1`)).body.data).toEqual([]);
      }
      expect((await owner.get(`${path}/${id}`)).status).toBe(200);
      expect((await owner.get(`${path}?mine=true&q=zzyzx`)).body.data).toHaveLength(1);
    }
    const query = 'query ($o: ID!, $a: ID!) { organization(id: $o) { name } athlete(id: $a) { displayName } }';
    const graph = await other.graphql(query, { o: organization.id, a: athlete.id });
    expect(graph.body.data).toEqual({ organization: null, athlete: null });
  });

  test('hides what belongs to it: its teams, its members', async () => {
    const { body: organization } = await owner.post('/organizations', { ...club, name: 'Qwyjibo Draft', createTeam: true });
    const { id } = organization;
    const coach = { personType: 'STAFF', personName: 'Secret Coach', organizationId: id, role: 'COACH' };
    const { body: membership } = await owner.post('/organizations/memberships', coach);
    expect(membership.status).toBe('ACTIVE');
    const { body: mine } = await owner.get('/organizations/teams?mine=true&q=qwyjibo');
    expect(mine.data).toHaveLength(1);
    const teamId = mine.data[0].id;
    const lists = [
      '/organizations/teams?q=qwyjibo',
      `/organizations/teams?organizationId=${id}`,
      `/organizations/memberships?organizationId=${id}`,
      `/organizations/memberships?teamId=${teamId}`,
      `/organizations/${id}/members`,
    ];
    for (const stranger of [other, world.anonymous]) {
      for (const path of lists) {
        const { status, body } = await stranger.get(path);
        expect({ path, status, data: body.data ?? [] }).toEqual({ path, status: expect.any(Number), data: [] });
      }
      expect((await stranger.get(`/organizations/teams/${teamId}`)).status).toBe(404);
      expect((await stranger.get(`/organizations/memberships/${membership.id}`)).status).toBe(404);
    }
    expect((await owner.get(`/organizations/teams/${teamId}`)).status).toBe(200);
    expect((await owner.get(`/organizations/${id}/members`)).body.data).toHaveLength(1);
    await owner.post(`/organizations/${id}/activate`);
    expect((await world.anonymous.get(`/organizations/teams/${teamId}`)).status).toBe(200);
    expect((await world.anonymous.get(`/organizations/${id}/members`)).body.data).toHaveLength(1);
  });

  test('takes no membership from outside', async () => {
    const { body: hidden } = await owner.post('/organizations', club);
    const { body: athlete } = await other.post('/athletes', { ...player, status: 'ACTIVE' });
    const asked = { personType: 'ATHLETE', personId: athlete.id, organizationId: hidden.id, role: 'PLAYER' };
    expect((await other.post('/organizations/memberships', asked)).body).toMatchObject({
      errors: [{ code: 'unknown_organization' }],
    });
    await owner.post(`/organizations/${hidden.id}/activate`);
    expect((await other.post('/organizations/memberships', asked)).body).toMatchObject({ status: 'REQUESTED' });
  });
});
