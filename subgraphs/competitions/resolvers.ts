/** Resolvers of the competitions area, put together from those of its parts. */
import type { AreaServices } from '../runtime/subgraph.ts';
import { countingResolvers } from './participations/resolvers.ts';
import { competitionResolvers } from './competitions/resolvers.ts';
import { exportResolvers } from './athlete-exports/resolvers.ts';
import { matchResolvers } from './matches/resolvers.ts';
import { rankingResolvers } from './season-rankings/resolvers.ts';
import { replayResolvers } from './replays/resolvers.ts';
import { resultResolvers } from './results/resolvers.ts';
import { seasonPartResolvers } from './season-parts/resolvers.ts';
import { createStores, type Stores } from './reads.ts';
import type { Resolvers } from './resolvers.generated.ts';

type Part = (services: AreaServices, stores: Stores) => Resolvers;

const parts: readonly Part[] = [
  competitionResolvers,
  seasonPartResolvers,
  matchResolvers,
  replayResolvers,
  resultResolvers,
  rankingResolvers,
  countingResolvers,
  exportResolvers,
];

/** One map of type → field → resolver; parts may each add fields to the same type. */
export function areaResolvers(services: AreaServices): Readonly<Record<string, object>> {
  const stores = createStores(services);
  const merged: Record<string, object> = {};
  for (const part of parts) {
    for (const [type, fields] of Object.entries(part(services, stores))) Object.assign((merged[type] ??= {}), fields);
  }
  return merged;
}
