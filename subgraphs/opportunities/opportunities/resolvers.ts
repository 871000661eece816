/** Resolvers of opportunities. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createOpportunityBatch } from './batch.ts';
import { statusAt } from './lifecycle.ts';
import type { OpportunityReads } from './reads.ts';
import { createOpportunityWrites } from './writes.ts';

export function opportunityResolvers(services: AreaServices, opportunities: OpportunityReads) {
  const writes = createOpportunityWrites(services, opportunities);
  const upsert = createOpportunityBatch(services);

  return {
    Query: {
      opportunities: (_, args, context) => opportunities.list(context, args),
      opportunitiesByName: (_, args, context) => opportunities.byName(context, args),
      opportunity: (_, { id }, context) => context.load(opportunities.byId, id),
      openOpportunities: async (_, { ids }, context) => {
        const rows = await Promise.all([...new Set(ids)].map((id) => context.load(opportunities.byId, id)));
        return rows.flatMap((row) => (row?.organizationPublic && statusAt(row) === 'PUBLISHED' ? [row] : []));
      },
      openOpportunityIds: (_, { after }) => opportunities.openIds(after ?? null),
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
      upsertOpportunities: (_, args, context) => upsert(context, args),
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
  } satisfies Resolvers;
}
