/** Assembles the resolvers of the athletes area from those of its resources. */
import { mergeResolvers } from '../runtime/merge-resolvers.ts';
import type { AreaServices } from '../runtime/subgraph.ts';
import { absenceResolvers } from './absences/resolvers.ts';
import { athleteResolvers } from './athletes/resolvers.ts';
import { consentResolvers } from './consents/resolvers.ts';
import { discoveryResolvers } from './discovery/resolvers.ts';
import { exportResolvers } from './export/resolvers.ts';
import { internalResolvers } from './internal/resolvers.ts';
import { milestoneResolvers } from './milestones/resolvers.ts';
import { createReads } from './reads.ts';
import { statisticsResolvers } from './statistics/resolvers.ts';

export function areaResolvers(services: AreaServices): Readonly<Record<string, object>> {
  const reads = createReads(services);
  return mergeResolvers([
    athleteResolvers(services, reads),
    discoveryResolvers(services, reads),
    absenceResolvers(services, reads),
    consentResolvers(services, reads),
    exportResolvers(services, reads),
    milestoneResolvers(reads),
    statisticsResolvers(services, reads),
    internalResolvers(services, reads),
  ]);
}
