/** Resolvers of the opportunities area: one line a field. */
import { exportOf } from '../clients/athlete-facts.ts';
import type { AreaServices } from '../runtime/subgraph.ts';
import { applicationTransitions, statusAt as applicationStatusAt } from './applications/lifecycle.ts';
import { statusAt } from './opportunities/lifecycle.ts';
import type { ApplicationActor, Resolvers } from './resolvers.generated.ts';
import { createApplicationReads } from './applications/reads.ts';
import { actorsOf, applicantOf } from './applications/rows.ts';
import { createApplicationWrites } from './applications/writes.ts';
import { createOpportunityReads } from './opportunities/reads.ts';
import { createOpportunityWrites } from './opportunities/writes.ts';

const sideOf = { OWNER: 'APPLICANT', COUNTERPART: 'OPPORTUNITY' } as const;
const steps = new Map(Object.entries(applicationTransitions));

/** Who takes a step; what is none of the table's is the platform's. */
function actorOf(action: string): ApplicationActor {
  const [actor] = steps.get(action)?.actors ?? [];
  if (!actor) return 'PLATFORM';
  return actor === 'TIMER' ? actor : sideOf[actor];
}

export function opportunityResolvers(services: AreaServices): Resolvers {
  const opportunities = createOpportunityReads(services);
  const writes = createOpportunityWrites(services, opportunities);
  const applications = createApplicationReads(services);
  const applicationWrites = createApplicationWrites(services, applications, opportunities);

  return {
    Query: {
      opportunities: (_, args, context) => opportunities.list(context, args),
      opportunity: (_, { id }, context) => context.load(opportunities.byId, id),
      applications: (_, args, context) => applications.list(context, args),
      application: (_, { id }, context) => context.load(applications.byId, id),
      opportunityApplications: async (_, { opportunityId, status, first, after }, context) => {
        const opportunity = await context.load(opportunities.byId, opportunityId);
        return opportunity && applications.list(context, { first, after, filter: { opportunityId, status } });
      },
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
      createApplication: (_, { input, idempotencyKey }, context) => applicationWrites.create(context, input, idempotencyKey),
      updateApplication: (_, { id, input, ifMatch }, context) => applicationWrites.update(context, id, input, ifMatch),
      deleteApplication: async (_, { id, ifMatch }, context) => {
        await applicationWrites.remove(context, id, ifMatch);
        return { id, deleted: true };
      },
      submitApplication: (_, args, context) => applicationWrites.transition(context, 'submit', args),
      withdrawApplication: (_, args, context) => applicationWrites.transition(context, 'withdraw', args),
      acceptApplication: (_, args, context) => applicationWrites.transition(context, 'accept', args),
      declineApplication: (_, args, context) => applicationWrites.transition(context, 'decline', args),
      reviewApplication: (_, args, context) => applicationWrites.transition(context, 'review', args),
      shortlistApplication: (_, args, context) => applicationWrites.transition(context, 'shortlist', args),
      inviteApplication: (_, args, context) => applicationWrites.transition(context, 'invite', args),
      waitlistApplication: (_, args, context) => applicationWrites.transition(context, 'waitlist', args),
      offerApplication: (_, args, context) => applicationWrites.transition(context, 'offer', args),
      rescindApplication: (_, args, context) => applicationWrites.transition(context, 'rescind', args),
      rejectApplication: (_, args, context) => applicationWrites.transition(context, 'reject', args),
      enrollApplication: (_, args, context) => applicationWrites.transition(context, 'enroll', args),
      upsertOpportunities: (_, { items, idempotencyKey }, context) => writes.upsert(context, items, idempotencyKey),
    },
    Opportunity: {
      __resolveReference: ({ id }, context) => context.load(opportunities.byId, id),
      status: (row) => statusAt(row),
      organization: ({ organizationId }) => ({ id: organizationId }),
      attendingOrganizations: ({ attendingOrganizationIds }) => attendingOrganizationIds.map((id) => ({ id })),
      externalIds: ({ id }, _, context) => context.load(opportunities.externalIds, id),
      applications: ({ id }, { first, after }, context) =>
        context.load(applications.pagesOfOpportunities, { owner: id, first, after }),
    },
    Application: {
      __resolveReference: ({ id }, context) => context.load(applications.byId, id),
      status: (row) => applicationStatusAt(row),
      sides: (row, _, { viewer }) =>
        actorsOf(viewer, row).flatMap((actor) => (actor === 'OWNER' || actor === 'COUNTERPART' ? [sideOf[actor]] : [])),
      opportunity: ({ opportunityId }, _, context) => context.load(opportunities.byId, opportunityId),
      athlete: async (row, _, context) => {
        const opportunity = await context.load(opportunities.byId, row.opportunityId);
        return applicantOf(context.viewer, row, opportunity?.organizationPublic === true);
      },
      answers: (row, _, context) => applications.answers(context, row),
      offer: ({ offeredAt, offerExpiresAt }) => (offeredAt === null ? null : { offeredAt, expiresAt: offerExpiresAt }),
      history: ({ id }, _, context) => context.load(applications.histories, id),
      externalIds: ({ id }, _, context) => context.load(applications.externalIds, id),
    },
    ApplicationStep: {
      by: ({ action }) => actorOf(action),
    },
    AthleteExport: {
      __resolveReference: (reference, context) => exportOf(context, reference),
      applications: ({ id }, { first, after }, context) => context.load(applications.exported, { owner: id, first, after }),
    },
    Organization: {
      opportunities: ({ id }, { first, after }, context) =>
        context.load(opportunities.pagesOfOrganizations, { owner: id, first, after }),
    },
  };
}
