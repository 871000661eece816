/** Resolvers of meter events, for administrators. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import { forAdministrators, forScope } from '../access.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createMeterEventAdministration } from './administration.ts';

export function meterEventResolvers(services: AreaServices) {
  const administration = createMeterEventAdministration(services);
  return {
    Query: { meterEvents: forAdministrators((args) => administration.list(args)) },
    Mutation: { settleMeterEvent: forScope('administration:write')((args, context) => administration.settle(context, args)) },
  } satisfies Resolvers;
}
