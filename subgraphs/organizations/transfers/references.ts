/** Loads the athletes, organizations and teams that transfers refer to. */
import { isAthleteVisible, type AthleteFacts } from '../../clients/athlete-facts.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import type { Sport } from '../../../schema/sports.ts';
import type { Context } from '../../runtime/subgraph.ts';
import type { CreateTransferInput } from '../generated/resolvers.ts';
import { loadReferences, type MembershipReferences, type ReferenceReads } from '../memberships/references.ts';
import { isOrganizationVisible, isRowVisible } from '../organizations/visibility.ts';
import type { TransferSide } from './rules.ts';

export type TransferReferences = MembershipReferences;

/** One fetch and two statements for any number of transfers. */
export const loadTransferReferences = (
  context: Context,
  reads: ReferenceReads,
  items: readonly CreateTransferInput[],
): Promise<TransferReferences> =>
  loadReferences(
    context,
    reads,
    items.flatMap(({ athleteId, fromOrganizationId, fromTeamId, toOrganizationId, toTeamId }) => [
      { personId: athleteId, organizationId: fromOrganizationId, teamId: fromTeamId },
      { organizationId: toOrganizationId, teamId: toTeamId },
    ]),
  );

/** What a transfer refers to, as far as the viewer can read it. The sport defaults to that of a team or the athlete. */
export interface ResolvedTransfer {
  readonly athlete: AthleteFacts | undefined;
  readonly isAthleteVisible: boolean;
  readonly from: TransferSide;
  readonly to: TransferSide;
  readonly sport: Sport | null;
}

export function resolveTransfer(viewer: Viewer, input: CreateTransferInput, references: TransferReferences): ResolvedTransfer {
  const side = (organizationId: string | null | undefined, teamId: string | null | undefined): TransferSide => {
    const organization = organizationId ? references.organizations.get(organizationId) : undefined;
    const team = teamId ? references.teams.get(teamId) : undefined;
    return {
      organization: organization && isOrganizationVisible(viewer, organization) ? organization : undefined,
      team: team && isRowVisible(viewer, team) ? team : undefined,
    };
  };
  const athlete = references.athletes.get(input.athleteId);
  const from = side(input.fromOrganizationId, input.fromTeamId);
  const to = side(input.toOrganizationId, input.toTeamId);
  const primary = athlete?.sports.find((each) => each.primary)?.sport;
  return {
    athlete,
    isAthleteVisible: isAthleteVisible(athlete, viewer),
    from,
    to,
    sport: input.sport ?? to.team?.sport ?? from.team?.sport ?? primary ?? null,
  };
}
