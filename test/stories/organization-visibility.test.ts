/** What belongs to an organization is seen where the organization is, and tells nothing of a hidden one. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';
import { createAdult, createClub, createMember, createTeam, idsOf, memberOf } from './clubs.ts';

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

const paths = ['/organizations', '/organizations/teams', '/organizations/memberships'] as const;

describe('who synchronizes', () => {
  const changesFor = async (client: Client, path: string, since: string, mine = false) => {
    const { body } = await client.get(`${path}?updatedSince=${since}&limit=100${mine ? '&mine=true' : ''}`);
    const ids = (rows: { id: string }[]) => rows.map((each) => each.id);
    return { shown: ids(body.data), gone: ids(body.tombstones) };
  };

  test('loses an organization with its teams and memberships when it is suspended, and has them back when it is reinstated', async () => {
    const club = await createClub(owner);
    const { id: teamId } = await createTeam(owner, club.id);
    const { id: personId } = await createAdult(owner);
    await world.settled();
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
      for (const client of [world.anonymous, moderator])
        expect(await changesFor(client, path, suspended)).toEqual({ shown: [], gone: [expected[index]] });
      expect((await changesFor(owner, path, suspended, true)).gone).toEqual([]);
    }
    const reinstated = await moderate('reinstate');
    for (const [index, path] of paths.entries())
      expect(await changesFor(world.anonymous, path, reinstated)).toEqual({ shown: [expected[index]], gone: [] });
    expect((await owner.get(`/organizations/memberships/${member}`)).body.version).toBe(1);
  });

  test('hears of a draft’s teams when it is activated, however long ago they were made', async () => {
    const club = await createClub(owner, { status: 'DRAFT' });
    const { id: teamId } = await createTeam(owner, club.id);
    const since = new Date().toISOString();
    expect((await changesFor(world.anonymous, '/organizations/teams', since)).shown).toEqual([]);
    await owner.post(`/organizations/${club.id}/activate`);
    expect((await changesFor(world.anonymous, '/organizations/teams', since)).shown).toEqual([teamId]);
  });

  test('hears nothing of a draft’s team that is deleted', async () => {
    const club = await createClub(owner, { status: 'DRAFT' });
    const since = new Date().toISOString();
    const { id } = await createTeam(owner, club.id);
    expect((await owner.delete(`/organizations/teams/${id}`, { 'if-match': '*' })).status).toBe(200);
    expect(await changesFor(world.anonymous, '/organizations/teams', since)).toEqual({ shown: [], gone: [] });
  });
});

describe('a team of another account’s draft', () => {
  test('is answered like one that does not exist, whatever is done with it', async () => {
    const draft = await createClub(owner, { status: 'DRAFT' });
    const hidden = (await createTeam(owner, draft.id)).id;
    const unknown = '00000000-0000-7000-8000-000000000000';
    const club = await createClub(other);
    const { id: personId } = await createAdult(other);
    const answers = async (teamId: string) => {
      const answer = [
        await other.get(`/organizations/teams/${teamId}`),
        await other.patch(`/organizations/teams/${teamId}`, { name: 'Mine' }, { 'if-match': '*' }),
        await other.delete(`/organizations/teams/${teamId}`, { 'if-match': '*' }),
        await other.post('/organizations/memberships', memberOf(club.id, personId, { teamId })),
        await other.post('/organizations/memberships/batch', {
          items: [memberOf(club.id, personId, { teamId, externalIds: [{ scheme: 'A', value: 'b' }] })],
        }),
      ];
      const texts = answer.map(({ status, body }) => JSON.stringify({ status, ...body, instance: null, requestId: null }));
      return texts.map((text) => text.replaceAll(teamId, 'ID').replace(/"(duration|traceId)\w*":[^,}]*/g, ''));
    };
    expect(await answers(hidden)).toEqual(await answers(unknown));
    expect(idsOf(await other.get(`/organizations/teams?organizationId=${draft.id}`))).toEqual([]);
  });
});
