/** Resolvers of the fields that other areas read. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import { findRemovedAthletes } from '../athletes/removed-athletes.ts';
import { removedStates } from '../athletes/rules.ts';
import { canProfile } from '../athletes/visibility.ts';
import type { Reads } from '../reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createPublishedFacts, publishedAthlete } from './published-athlete.ts';
import { readUnreadableSubjects } from './unreadable-subjects.ts';
import { createVisibleAthletes } from './visible-athletes.ts';

export function internalResolvers(services: AreaServices, { athletes }: Reads): Resolvers {
  const published = createPublishedFacts(services);
  const visibleAthletes = createVisibleAthletes(services);

  return {
    Query: {
      athletesById: async (_, { ids }) =>
        (await athletes.read(ids)).filter(({ status }) => !removedStates.includes(status)).map(publishedAthlete),
      publicAthleteIds: (_, { after }) => published.publicIds(after ?? null),
      profiledAthletes: async (_, { ids }, context) => {
        const visible = await Promise.all(ids.map((id) => context.load(athletes.byId, id)));
        const profiled = visible.filter((row) => row !== null).filter((row) => canProfile(context.viewer, row));
        return [...new Map(profiled.map((row) => [row.id, row])).values()];
      },
      visibleAthletes: (_, { ids }, context) => visibleAthletes(context, ids),
      removedAthletes: (_, { ids }) => findRemovedAthletes(services.database, ids),
      unreadableSubjects: (_, { ids, part }, context) => readUnreadableSubjects(services, context, ids, part),
      athleteRedirect: (_, { id }, context) => athletes.redirectTarget(context, id),
    },
    AthleteFacts: {
      seasons: ({ id }, _, context) => context.load(published.seasons, id),
    },
  };
}
