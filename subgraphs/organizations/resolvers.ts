/** Assembles the resolvers of the organizations area from those of its resources. */
import { mergeResolvers } from '../runtime/merge-resolvers.ts';
import type { AreaServices } from '../runtime/subgraph.ts';
import { membershipResolvers } from './memberships/resolvers.ts';
import { organizationResolvers } from './organizations/resolvers.ts';
import { createReads } from './reads.ts';
import { teamResolvers } from './teams/resolvers.ts';
import { transferResolvers } from './transfers/resolvers.ts';

export function areaResolvers(services: AreaServices): Readonly<Record<string, object>> {
  const reads = createReads(services);
  return mergeResolvers([
    organizationResolvers(services, reads),
    teamResolvers(services, reads),
    membershipResolvers(services, reads),
    transferResolvers(services, reads),
  ]);
}
