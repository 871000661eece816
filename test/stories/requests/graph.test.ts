/** One query across areas: from an organization to its teams, members, athletes, and back. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, wirings, type TestPlatform } from '../../test-platform.ts';

const journey = /* GraphQL */ `
  query journey($id: ID!) {
    organization(id: $id) {
      name
      teams {
        nodes {
          name
          members {
            nodes {
              role
              shirtNumber
              athlete {
                displayName
                organization {
                  name
                }
              }
            }
          }
        }
      }
    }
  }
`;

async function signPlayers(club: Client, count: number): Promise<{ organizationId: string; athleteIds: string[] }> {
  const organization = await club.post('/organizations', {
    type: 'CLUB',
    name: 'FC Journey',
    country: 'DE',
    sports: ['FOOTBALL'],
    status: 'ACTIVE',
  });
  const organizationId: string = organization.body.id;
  const team = await club.post('/organizations/teams', { name: 'First', sport: 'FOOTBALL', category: 'WOMEN', organizationId });
  const items = Array.from({ length: count }, (_, index) => ({
    displayName: `Player ${index}`,
    dateOfBirth: '1999-04-01',
    sex: 'FEMALE',
    nationalities: ['DE'],
    sports: [{ sport: 'FOOTBALL', positions: ['MF'] }],
    status: 'ACTIVE',
    externalIds: [{ scheme: 'TEST', value: `player-${index}` }],
  }));
  const athletes = await club.post('/athletes/batch', { items });
  expect(athletes.body.summary).toEqual({ created: count, updated: 0, unchanged: 0, failed: 0 });
  const athleteIds: string[] = athletes.body.data.map((item: { id: string }) => item.id);
  const memberships = await club.post('/organizations/memberships/batch', {
    items: athleteIds.map((personId, index) => ({
      personType: 'ATHLETE',
      personId,
      organizationId,
      teamId: team.body.id,
      role: 'PLAYER',
      shirtNumber: index + 1,
      startDate: '2026-07-01',
      externalIds: [{ scheme: 'TEST', value: `membership-${index}` }],
    })),
  });
  expect(memberships.body.summary).toEqual({ created: count, updated: 0, unchanged: 0, failed: 0 });
  return { organizationId, athleteIds };
}

describe.each(wirings)('in %s', (wiring) => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await openTestPlatform({ wiring });
  });
  afterAll(() => platform.close());

  test('organization → teams → members → athletes → organization returns all data', async () => {
    const club = await platform.account({ account: `Club in ${wiring}` });
    const { organizationId, athleteIds } = await signPlayers(club, 15);
    await platform.settled();
    await eventually(async () => {
      const { body } = await platform.anonymous.get(`/athletes?organizationId=${organizationId}`);
      expect(body.data).toHaveLength(15);
    });
    platform.statements();
    const response = await platform.anonymous.graphql(journey, { id: organizationId });
    expect(response.body.errors).toBeUndefined();
    const [team] = response.body.data.organization.teams.nodes;
    expect(team.members.nodes).toHaveLength(15);
    expect(team.members.nodes).toContainEqual({
      role: 'PLAYER',
      shirtNumber: 3,
      athlete: { displayName: 'Player 2', organization: { name: 'FC Journey' } },
    });
    if (wiring === 'one process') {
      // one statement per step, for any number of players: no N+1
      expect(platform.statements().sort()).toEqual([
        'athletes.byIds',
        'athletes.currentMemberships',
        'memberships.by_team_id',
        'organizations.byIds',
        'organizations.byIds',
        'teams.ofOrganizations',
      ]);
    }
    const rest = await platform.anonymous.get(
      `/athletes/${athleteIds[0] ?? ''}?include=organization&fields=displayName,organization`,
    );
    expect(rest.body).toEqual({
      displayName: 'Player 0',
      organization: { id: organizationId, name: 'FC Journey', imageUrl: null, type: 'CLUB', country: 'DE' },
    });
  });
});
