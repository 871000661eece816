/** Resources of an organization are visible where the organization is, and do not reveal a suspended one or a draft. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult, createClub, createMember, createTeam, idsOf, memberOf } from './clubs.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
});
afterAll(() => platform.close());

describe('resources of an organization', () => {
  let owner: Client;
  let other: Client;
  let moderator: Client;
  beforeAll(async () => {
    [owner, other, moderator] = await Promise.all([
      platform.account({ account: 'Club' }),
      platform.account({ account: 'Other' }),
      platform.account({ account: 'Moderation', scopes: ['moderation:write'] }),
    ]);
  });

  const paths = ['/organizations', '/organizations/teams', '/organizations/memberships'] as const;

  describe('synchronization', () => {
    const changesFor = async (client: Client, path: string, since: string, mine = false) => {
      // changes are complete up to the oldest transaction, which can be one of a projection
      await platform.settled();
      const { body } = await client.get(`${path}?updatedSince=${since}&limit=100${mine ? '&mine=true' : ''}`);
      const ids = (rows: { id: string }[]) => rows.map((each) => each.id);
      return { updated: ids(body.data), deleted: ids(body.tombstones) };
    };

    test('removes an organization with its teams and memberships on suspension, and returns them on reinstatement', async () => {
      const club = await createClub(owner);
      const { id: teamId } = await createTeam(owner, club.id);
      const { id: personId } = await createAdult(owner);
      await platform.settled();
      const { id: member } = await createMember(owner, club.id, personId, { teamId });
      const invited = await createMember(owner, club.id, (await createAdult(other)).id);
      expect(invited).toMatchObject({ status: 'INVITED' });
      const moderate = async (verb: string): Promise<string> => {
        const since = new Date().toISOString();
        expect((await moderator.post(`/organizations/${club.id}/${verb}`, {})).status).toBe(200);
        return since;
      };
      const expected = [club.id, teamId, member];
      const suspended = await moderate('suspend');
      for (const [index, path] of paths.entries()) {
        for (const client of [platform.anonymous, moderator])
          expect(await changesFor(client, path, suspended)).toEqual({ updated: [], deleted: [expected[index]] });
        expect((await changesFor(owner, path, suspended, true)).deleted).toEqual([]);
      }
      const reinstated = await moderate('reinstate');
      for (const [index, path] of paths.entries())
        expect(await changesFor(platform.anonymous, path, reinstated)).toEqual({ updated: [expected[index]], deleted: [] });
      expect((await owner.get(`/organizations/memberships/${member}`)).body.version).toBe(1);
    });

    test('returns the teams of a draft on its activation, whatever their age', async () => {
      const club = await createClub(owner, { status: 'DRAFT' });
      const { id: teamId } = await createTeam(owner, club.id);
      const since = new Date().toISOString();
      expect((await changesFor(platform.anonymous, '/organizations/teams', since)).updated).toEqual([]);
      await owner.post(`/organizations/${club.id}/activate`);
      expect((await changesFor(platform.anonymous, '/organizations/teams', since)).updated).toEqual([teamId]);
    });

    test('returns nothing about a deleted team of a draft', async () => {
      const club = await createClub(owner, { status: 'DRAFT' });
      const since = new Date().toISOString();
      const { id } = await createTeam(owner, club.id);
      expect((await owner.delete(`/organizations/teams/${id}`, { 'if-match': '*' })).status).toBe(200);
      expect(await changesFor(platform.anonymous, '/organizations/teams', since)).toEqual({ updated: [], deleted: [] });
    });
  });

  describe('a team of another account’s draft', () => {
    test('responds like an unknown team in every operation', async () => {
      const draft = await createClub(owner, { status: 'DRAFT' });
      const hidden = (await createTeam(owner, draft.id)).id;
      const unknown = '00000000-0000-7000-8000-000000000000';
      const club = await createClub(other);
      const { id: personId } = await createAdult(other);
      const responses = async (teamId: string) => {
        const response = [
          await other.get(`/organizations/teams/${teamId}`),
          await other.patch(`/organizations/teams/${teamId}`, { name: 'Mine' }, { 'if-match': '*' }),
          await other.delete(`/organizations/teams/${teamId}`, { 'if-match': '*' }),
          await other.post('/organizations/memberships', memberOf(club.id, personId, { teamId })),
          await other.post('/organizations/memberships/batch', {
            items: [memberOf(club.id, personId, { teamId, externalIds: [{ scheme: 'A', value: 'b' }] })],
          }),
        ];
        const texts = response.map(({ status, body }) => JSON.stringify({ status, ...body, instance: null, requestId: null }));
        return texts.map((text) => text.replaceAll(teamId, 'ID').replace(/"(duration|traceId)\w*":[^,}]*/g, ''));
      };
      expect(await responses(hidden)).toEqual(await responses(unknown));
      expect(idsOf(await other.get(`/organizations/teams?organizationId=${draft.id}`))).toEqual([]);
    });
  });
});

describe('a draft', () => {
  let owner: Client;
  let other: Client;
  beforeAll(async () => {
    [owner, other] = await Promise.all([platform.account({ account: 'Owner' }), platform.account({ account: 'Other' })]);
  });

  const club = { type: 'CLUB', name: 'Drafts FC', country: 'DE', sports: ['FOOTBALL'] };
  const player = {
    displayName: 'Dora',
    dateOfBirth: '1999-04-01',
    sex: 'FEMALE',
    nationalities: ['DE'],
    sports: [{ sport: 'FOOTBALL' }],
  };

  describe("another account's draft", () => {
    test('is not found by id, in lists, by external id, or over GraphQL', async () => {
      const externalIds = [{ scheme: 'SECRET', value: 'draft-1' }];
      const { body: organization } = await owner.post('/organizations', { ...club, name: 'Zzyzx Draft', externalIds });
      const { body: athlete } = await owner.post('/athletes', { ...player, displayName: 'Zzyzx Draft', externalIds });
      for (const [path, { id }] of [
        ['/organizations', organization],
        ['/athletes', athlete],
      ] as const) {
        for (const outsider of [other, platform.anonymous]) {
          expect((await outsider.get(`${path}/${id}`)).body).toMatchObject({ status: 404, code: 'not_found' });
          expect((await outsider.get(`${path}?q=zzyzx`)).body.data).toEqual([]);
          expect((await outsider.get(`${path}?externalId=SECRET:draft-1`)).body.data).toEqual([]);
        }
        expect((await owner.get(`${path}/${id}`)).status).toBe(200);
        expect((await owner.get(`${path}?mine=true&q=zzyzx`)).body.data).toHaveLength(1);
      }
      const query = 'query ($o: ID!, $a: ID!) { organization(id: $o) { name } athlete(id: $a) { displayName } }';
      const graph = await other.graphql(query, { o: organization.id, a: athlete.id });
      expect(graph.body.data).toEqual({ organization: null, athlete: null });
    });

    test('hides its teams and members', async () => {
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
      for (const outsider of [other, platform.anonymous]) {
        for (const path of lists) {
          const { status, body } = await outsider.get(path);
          expect({ path, status, data: body.data ?? [] }).toEqual({ path, status: expect.any(Number), data: [] });
        }
        expect((await outsider.get(`/organizations/teams/${teamId}`)).status).toBe(404);
        expect((await outsider.get(`/organizations/memberships/${membership.id}`)).status).toBe(404);
      }
      expect((await owner.get(`/organizations/teams/${teamId}`)).status).toBe(200);
      expect((await owner.get(`/organizations/${id}/members`)).body.data).toHaveLength(1);
      await owner.post(`/organizations/${id}/activate`);
      expect((await platform.anonymous.get(`/organizations/teams/${teamId}`)).status).toBe(200);
      expect((await platform.anonymous.get(`/organizations/${id}/members`)).body.data).toHaveLength(1);
    });

    test('accepts no members of other accounts', async () => {
      const { body: hidden } = await owner.post('/organizations', club);
      const { body: athlete } = await other.post('/athletes', { ...player, status: 'ACTIVE' });
      const requested = { personType: 'ATHLETE', personId: athlete.id, organizationId: hidden.id, role: 'PLAYER' };
      expect((await other.post('/organizations/memberships', requested)).body).toMatchObject({
        errors: [{ code: 'unknown_organization' }],
      });
      await owner.post(`/organizations/${hidden.id}/activate`);
      expect((await other.post('/organizations/memberships', requested)).body).toMatchObject({ status: 'REQUESTED' });
    });
  });
});
