/** Resolvers of the platform's health. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import { forAdministrators } from '../access.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { readHealth } from './health.ts';

/** The health of the platform, for administrators. */
export function overviewResolvers(services: AreaServices) {
  return {
    Query: { health: forAdministrators((_, context) => readHealth(services, context.graph)) },
  } satisfies Resolvers;
}
