/** Resolvers of the opportunities area: one line a field. */
import type { AreaServices } from '../subgraph.ts';
import { statusAt } from './lifecycle.ts';
import type { Resolvers } from './resolvers.generated.ts';
import { createOpportunityStore } from './store/opportunity.ts';
import { createOpportunityWrites } from './store/opportunity-writes.ts';

export function opportunityResolvers(services: AreaServices): Resolvers {
  const opportunities = createOpportunityStore(services);
  const writes = createOpportunityWrites(services, opportunities);

  return {
    Query: {
      opportunities: (_, args, context) => opportunities.list(context, args),
      opportunity: (_, { id }, context) => context.load(opportunities.byId, id),
    },
    Mutation: {
      createOpportunity: (_, { input, idempotencyKey }, context) => writes.create(context, input, idempotencyKey),
      updateOpportunity: (_, { id, input, ifMatch }, context) => writes.update(context, id, input, ifMatch),
      deleteOpportunity: async (_, { id, ifMatch }, context) => {
        await writes.remove(context, id, ifMatch);
        return { id, deleted: true };
      },
      publishOpportunity: (_, args, context) => writes.transition(context, 'publish', args),
      pauseOpportunity: (_, args, context) => writes.transition(context, 'pause', args),
      resumeOpportunity: (_, args, context) => writes.transition(context, 'resume', args),
      closeOpportunity: (_, args, context) => writes.transition(context, 'close', args),
      reopenOpportunity: (_, args, context) => writes.transition(context, 'reopen', args),
      cancelOpportunity: (_, args, context) => writes.transition(context, 'cancel', args),
      archiveOpportunity: (_, args, context) => writes.transition(context, 'archive', args),
      upsertOpportunities: (_, { items, idempotencyKey }, context) => writes.upsert(context, items, idempotencyKey),
    },
    Opportunity: {
      __resolveReference: ({ id }, context) => context.load(opportunities.byId, id),
      status: (row) => statusAt(row),
      organization: ({ organizationId }) => ({ id: organizationId }),
      attendingOrganizations: ({ attendingOrganizationIds }) => attendingOrganizationIds.map((id) => ({ id })),
      externalIds: ({ id }, _, context) => context.load(opportunities.externalIds, id),
    },
    Organization: {
      opportunities: ({ id }, { first, after }, context) =>
        context.load(opportunities.pagesOfOrganizations, { owner: id, first, after }),
    },
  };
}
