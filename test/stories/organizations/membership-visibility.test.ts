/** A membership of a hidden athlete is visible to its parties only, and is published with the profile. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createAdult, createClub, createMember, createTeam, idsOf } from './clubs.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';

let platform: TestPlatform;
let club: Client;
let agent: Client;
let outsiders: readonly Client[];
beforeAll(async () => {
  platform = await openTestPlatform();
  [club, agent] = await Promise.all([platform.account({ account: 'Club' }), platform.account({ account: 'Agent' })]);
  outsiders = [
    await platform.account({ account: 'Stranger' }),
    await platform.account({ account: 'Moderation', scopes: ['moderation:write', 'minors:read', 'organizations:write'] }),
    platform.anonymous,
  ];
});
afterAll(() => platform.close());

const nested = /* GraphQL */ `
  query ($id: ID!, $membership: ID!) {
    membership(id: $membership) {
      role
    }
    organization(id: $id) {
      members {
        nodes {
          id
        }
      }
      teams {
        nodes {
          members {
            nodes {
              id
            }
          }
        }
      }
    }
  }
`;

/** An athlete of the agent in the club, agreed by both parties, with external ids of the club. */
async function agree(personId: string, value: string) {
  const { id: organizationId } = await createClub(club);
  const { id: teamId } = await createTeam(club, organizationId);
  const { id } = await createMember(agent, organizationId, personId, { teamId, shirtNumber: 77, startDate: '2026-02-03' });
  expect((await club.post(`/organizations/memberships/${id}/confirm`)).body).toMatchObject({ status: 'ACTIVE' });
  await club.patch(`/organizations/memberships/${id}`, { externalIds: [{ scheme: 'CRM', value }] }, { 'if-match': '*' });
  await platform.settled();
  return { id, organizationId, teamId, value };
}

type Member = Awaited<ReturnType<typeof agree>>;

const lists = ({ organizationId, teamId, value }: Member) => [
  `/organizations/${organizationId}/members`,
  `/organizations/${organizationId}/members?asOf=2026-03-01`,
  `/organizations/${organizationId}/members?teamId=${teamId}&role=PLAYER`,
  `/organizations/memberships?organizationId=${organizationId}`,
  `/organizations/memberships?teamId=${teamId}&status=ACTIVE&role=PLAYER`,
  `/organizations/memberships?externalId=CRM:${value}`,
  `/organizations/memberships?organizationId=${organizationId}&updatedSince=2020-01-01T00:00:00Z`,
];

/** Whether each path returns the membership to a client. */
async function visibleTo(client: Client, member: Member) {
  const { id, organizationId } = member;
  const { data } = (await client.graphql(nested, { id: organizationId, membership: id })).body;
  const paths: Record<string, boolean> = {
    one: (await client.get(`/organizations/memberships/${id}`)).status === 200,
    graphql: data.membership !== null,
    'organization.members': JSON.stringify(data.organization.members).includes(id),
    'team.members': JSON.stringify(data.organization.teams).includes(id),
  };
  // the agent does not find it by the club's external ids
  for (const path of lists(member))
    if (client !== agent || !path.includes('externalId')) paths[path] = idsOf(await client.get(path)).includes(id);
  return [...new Set(Object.values(paths))].length === 1 ? (paths['one'] ?? null) : paths;
}

async function expectHidden(member: Member): Promise<void> {
  for (const side of [club, agent]) expect(await visibleTo(side, member)).toBe(true);
  for (const outsider of outsiders) {
    expect(await visibleTo(outsider, member)).toBe(false);
    const lock = await outsider.post(`/organizations/memberships/${member.id}/end`);
    expect([401, 403, 404]).toContain(lock.status);
    if (lock.status === 403) expect(lock.body.code).not.toBe('not_owner');
  }
}

describe('the membership', () => {
  test.each([
    ['a minor', { dateOfBirth: bornFor(16, 100) }],
    ['an athlete of unknown age', {}],
    ['a private profile', { dateOfBirth: bornFor(22, 50), status: 'ACTIVE', visibility: 'PRIVATE' }],
    ['a profile for organizations', { dateOfBirth: bornFor(22, 50), status: 'ACTIVE', visibility: 'ORGANIZATIONS' }],
    ['a draft', { dateOfBirth: bornFor(22, 50) }],
  ])('of %s is visible to the two parties only, on every path', async (name, profile) => {
    const { id } = await createAthlete(agent, profile);
    await expectHidden(await agree(id, `hidden ${name}`.replaceAll(' ', '-')));
  });

  test('of a public athlete or of staff is public', async () => {
    const { id } = await createAdult(agent);
    const member = await agree(id, 'public');
    for (const client of [club, agent, ...outsiders]) expect(await visibleTo(client, member)).toBe(true);
    const staff = { personType: 'STAFF', personName: 'Kim', organizationId: member.organizationId, role: 'COACH' };
    const { body } = await club.post('/organizations/memberships', staff);
    expect((await platform.anonymous.get(`/organizations/memberships/${body.id}`)).body).toMatchObject({ personName: 'Kim' });
  });
});

describe('synchronization', () => {
  const changesFor = async (client: Client, since: string) => {
    const { body } = await client.get(`/organizations/memberships?updatedSince=${since}&limit=100`);
    return {
      updated: body.data.map((each: { id: string }) => each.id),
      deleted: body.tombstones.map((each: { id: string }) => each.id),
    };
  };

  test('returns a tombstone when the profile is hidden, and the membership when it is public again; the parties keep it', async () => {
    const { id: personId } = await createAdult(agent);
    const { id } = await agree(personId, 'changing');
    const change = async (visibility: string): Promise<string> => {
      const since = new Date().toISOString();
      const { status } = await agent.patch(`/athletes/${personId}`, { visibility }, { 'if-match': '*' });
      expect(status).toBe(200);
      await platform.settled();
      return since;
    };
    const hidden = await change('PRIVATE');
    for (const outsider of outsiders) expect(await changesFor(outsider, hidden)).toEqual({ updated: [], deleted: [id] });
    for (const side of [club, agent]) {
      expect((await changesFor(side, hidden)).deleted).toEqual([]);
      const mine = await side.get(`/organizations/memberships?mine=true&updatedSince=${hidden}`);
      expect(mine.body.tombstones).toEqual([]);
    }
    const visible = await change('PUBLIC');
    for (const client of [...outsiders, club, agent])
      expect(await changesFor(client, visible)).toEqual({ updated: [id], deleted: [] });
    expect(await changesFor(platform.anonymous, hidden)).toEqual({ updated: [id], deleted: [] });
  });

  test('returns nothing about a minor’s membership', async () => {
    const since = new Date().toISOString();
    const { id: personId } = await createAthlete(agent, { dateOfBirth: bornFor(15, 9) });
    const { id } = await agree(personId, 'unheard');
    await club.post(`/organizations/memberships/${id}/end`);
    await platform.settled();
    for (const outsider of outsiders) expect(await changesFor(outsider, since)).toEqual({ updated: [], deleted: [] });
  });
});
