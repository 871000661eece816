/** Resolvers of the competitions area, put together from those of its parts. */
import type { AreaServices } from '../runtime/subgraph.ts';
import { countingResolvers } from './resolvers/counting.ts';
import { competitionResolvers } from './resolvers/competition.ts';
import { exportResolvers } from './resolvers/export.ts';
import { matchResolvers } from './resolvers/match.ts';
import { rankingResolvers } from './resolvers/ranking.ts';
import { replayResolvers } from './resolvers/replay.ts';
import { resultResolvers } from './resolvers/result.ts';
import { seasonPartResolvers } from './resolvers/season-part.ts';
import { createStores, type Stores } from './stores.ts';
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
