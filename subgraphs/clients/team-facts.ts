/** Which teams a caller may name, asked of the organizations area: for resources that refer to teams. */
import { owns, hasFullAccess, type Viewer } from '../../schema/viewer.ts';
import type { Violation } from '../../schema/errors.ts';
import type { Sport } from '../../schema/sports.ts';
import { factsById } from './facts-by-id.ts';
import type { Context } from '../runtime/subgraph.ts';

export interface TeamFacts {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly sport: Sport;
  /** Null for a national team. */
  readonly organizationId: string | null;
  /** Of a national team. */
  readonly country: string | null;
  /** Whether everybody sees it. */
  readonly public: boolean;
}

export type TeamsById = ReadonlyMap<string, TeamFacts>;

const query = /* GraphQL */ `
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
`;

/** Facts by team id; absent ids are passed over, unknown ones are missing. One fetch for up to 1000 teams. */
export function teamsById({ graph }: Pick<Context, 'graph'>, ids: readonly (string | null | undefined)[]): Promise<TeamsById> {
  return factsById(graph, query, 'teamsById', ids);
}

/** Whether a viewer may know of a team; undefined where there is none. */
export function isTeamVisible(team: TeamFacts | undefined, viewer: Viewer): team is TeamFacts {
  return team !== undefined && (team.public || owns(viewer, team.accountId) || hasFullAccess(viewer));
}

/** Whether a filter names a team that the viewer may not know of: it finds nothing, as one by an unknown id. */
export async function isHiddenTeam(context: Pick<Context, 'graph' | 'viewer'>, id: string | null | undefined): Promise<boolean> {
  if (!id || hasFullAccess(context.viewer)) return false;
  return !isTeamVisible((await teamsById(context, [id])).get(id), context.viewer);
}

/** The fault of a team that there is not, or that the viewer may not know of: both answer alike. */
export function unknownTeamViolation(pointer: string): Violation {
  return { pointer, code: 'unknown_team', detail: 'There is no team with this id.' };
}
