/** The reads of all resources of the organizations area. Resolvers of a resource may read other resources. */
import type { AreaServices } from '../runtime/subgraph.ts';
import { createMembershipReads, type MembershipReads } from './memberships/reads.ts';
import { createOrganizationReads, type OrganizationReads } from './organizations/reads.ts';
import { createTransferReads, type TransferReads } from './transfers/reads.ts';
import { createTeamReads, type TeamReads } from './teams/reads.ts';

export interface Reads {
  readonly organizations: OrganizationReads;
  readonly teams: TeamReads;
  readonly memberships: MembershipReads;
  readonly transfers: TransferReads;
}

export function createReads(services: AreaServices): Reads {
  return {
    organizations: createOrganizationReads(services),
    teams: createTeamReads(services),
    memberships: createMembershipReads(services),
    transfers: createTransferReads(services),
  };
}
