/** Resolvers of the public status and of incidents. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import { forScope } from '../access.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createStatusReads } from './reads.ts';
import { createStatusWrites } from './writes.ts';

const administered = forScope('administration:write');

/** The status requires no key. Administrators write incidents. */
export function statusResolvers(services: AreaServices) {
  const reads = createStatusReads(services);
  const writes = createStatusWrites(services, reads);
  return {
    Query: {
      platformStatus: (_, __, context) => reads.platformStatus(context),
      incidents: (_, args) => reads.list(args),
      incident: (_, { id }, context) => context.load(reads.byId, id),
    },
    Mutation: {
      createIncident: administered((args, context) => writes.create(context, args)),
      addIncidentUpdate: administered((args, context) => writes.addUpdate(context, args)),
      updateIncident: administered((args, context) => writes.update(context, args)),
    },
  } satisfies Resolvers;
}
