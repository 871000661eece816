/** Resolvers of the event delivery, for administrators. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import { forAdministrators, forScope } from '../access.ts';
import { areaNames } from '../area-names.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createEventDeliveryReads } from './reads.ts';
import { createEventDeliveryWrites } from './writes.ts';

/** The consumers of all areas, their dead letters, and retries. */
export function eventDeliveryResolvers(services: AreaServices) {
  const reads = createEventDeliveryReads(services);
  const writes = createEventDeliveryWrites(services, reads);
  return {
    Query: {
      eventConsumers: forAdministrators((_, context) => reads.consumers(context)),
      deadLetters: forAdministrators((args, context) => reads.deadLetters(context, args)),
    },
    Mutation: {
      retryDeadLetters: forScope('administration:write')((args, context) => writes.retry(context, args)),
    },
    EventConsumer: {
      area: ({ area }) => areaNames[area],
      publishedBy: ({ publishedBy }) => areaNames[publishedBy],
    },
  } satisfies Resolvers;
}
