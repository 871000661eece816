/** Teams that a caller may reference, read from the organizations area. */
import type { Violation } from '../../schema/errors.ts';
import { hasFullAccess, owns, type Viewer } from '../../schema/viewer.ts';
import type { Context } from '../runtime/subgraph.ts';
import { factsById } from './facts-by-id.ts';
import type { TeamFactsQuery } from './generated/graphql.ts';
import { graphql } from './graphql.ts';

/** A team. `organizationId` is null for a national team, `country` for other teams; `public`: the team is visible to everyone. */
export type TeamFacts = NonNullable<TeamFactsQuery['teamsById']>[number];

export type TeamsById = ReadonlyMap<string, TeamFacts>;

const query = graphql(`
  query teamFacts($ids: [ID!]!) {
    teamsById(ids: $ids) {
      id
      accountId
      name
      sport
      organizationId
      country
      public
    }
  }
`);

/** Teams by id. Absent ids are ignored; unknown ids are missing. One fetch for up to 1,000 ids. */
export function teamsById({ graph }: Pick<Context, 'graph'>, ids: readonly (string | null | undefined)[]): Promise<TeamsById> {
  return factsById(graph, query, 'teamsById', ids);
}

/** Whether a team is visible to a viewer; false for an unknown team. */
export function isTeamVisible(team: TeamFacts | undefined, viewer: Viewer): team is TeamFacts {
  return team !== undefined && (team.public || owns(viewer, team.accountId) || hasFullAccess(viewer));
}

/** The teams of a filter that are visible to the viewer; null without a filter. Hidden teams match nothing, like unknown ids. */
export async function visibleTeamIds(
  context: Pick<Context, 'graph' | 'viewer'>,
  ids: readonly string[] | null | undefined,
): Promise<string[] | null> {
  if (!ids) return null;
  if (hasFullAccess(context.viewer)) return [...ids];
  const teams = await teamsById(context, ids);
  return ids.filter((id) => isTeamVisible(teams.get(id), context.viewer));
}

/** The violation for an unknown team; hidden teams return the same. */
export function unknownTeamViolation(pointer: string): Violation {
  return { pointer, code: 'unknown_team', detail: 'There is no team with this ID.' };
}
