/** Counts where a minor is visible, for each router, for tests about withdrawn consent. */
import { createClient, type Client } from '../../client.ts';
import type { TestPlatform } from '../../test-platform.ts';
import { createMinor } from '../athletes/minors-fixture.ts';
import { createResource, createSeason } from '../competitions/season-fixtures.ts';

const query = /* GraphQL */ `
  query ($id: ID!, $match: ID!) {
    athlete(id: $id) {
      displayName
    }
    athletes(first: 100, filter: { sport: [HANDBALL] }) {
      nodes {
        id
      }
    }
    athleteStatistics(first: 100, filter: { athleteId: [$id] }) {
      nodes {
        id
      }
    }
    match(id: $match) {
      participants {
        lineup {
          athlete {
            displayName
          }
        }
      }
    }
  }
`;

/** Creates a minor with PROFILE and MEDIA consent in a match of the account. */
export async function createVisibleMinor(owner: Client) {
  const id = await createMinor(owner, ['MEDIA', 'PROFILE'], { sports: [{ sport: 'HANDBALL' }] });
  const statistics = { scope: 'CAREER', sport: 'HANDBALL', source: 'PROVIDER', metrics: [{ key: 'goals', value: 3 }] };
  await createResource(owner, '/athletes/statistics', { athleteId: id, ...statistics });
  const { path, season } = await createSeason(owner, { category: 'WOMEN' });
  const { id: teamId } = await createResource(owner, '/organizations/teams', {
    name: 'Team',
    sport: 'FOOTBALL',
    category: 'WOMEN',
    country: 'FR',
  });
  const { id: participantId } = await createResource(owner, `${path}/participants`, { type: 'TEAM', teamId });
  const entry = { participantId, lineup: [{ athleteId: id }] };
  const { id: matchId } = await createResource(owner, '/competitions/matches', { seasonId: season.id, participants: [entry] });
  return { id, matchId: matchId as string };
}

/** The number of responses that contain the minor, for each router, for a key or without one. */
export async function countAppearances(
  platform: TestPlatform,
  key: string | null,
  { id, matchId }: { id: string; matchId: string },
) {
  const counts: number[] = [];
  for (const graphqlUrl of platform.routerUrls) {
    const reader = createClient({ restUrl: platform.restUrl, graphqlUrl, key });
    const { data } = (await reader.graphql(query, { id, match: matchId })).body;
    const nodes: unknown[] = [...data.athletes.nodes, ...data.athleteStatistics.nodes];
    const named = [data.athlete, data.match.participants[0].lineup[0].athlete].filter(Boolean);
    const rest = await reader.get(`/athletes/${id}`);
    counts.push(nodes.length + named.length + (rest.status === 200 ? 1 : 0));
  }
  return counts;
}
