/** Resolvers of applications. */
import { exportOf } from '../../clients/athlete-facts.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { OpportunityReads } from '../opportunities/reads.ts';
import type { ApplicationActor, Resolvers } from '../generated/resolvers.ts';
import { visibleAnswers } from './answers.ts';
import { applicationTransitions, statusAt } from './lifecycle.ts';
import { createApplicationReads } from './reads.ts';
import { actorsOf, applicantOf } from './visibility.ts';
import { createApplicationWrites, type ApplicationWrites } from './writes.ts';

const sideOf = { OWNER: 'APPLICANT', COUNTERPART: 'OPPORTUNITY' } as const;
const transitions = new Map(Object.entries(applicationTransitions));

/** The actor of an action in the history. Actions outside the transition table are performed by the platform. */
function actorOf(action: string): ApplicationActor {
  const [actor] = transitions.get(action)?.actors ?? [];
  if (!actor) return 'PLATFORM';
  return actor === 'TIMER' ? actor : sideOf[actor];
}

const applicationMutations = (writes: ApplicationWrites) =>
  ({
    createApplication: (_, { input, idempotencyKey }, context) => writes.create(context, input, idempotencyKey),
    updateApplication: (_, { id, input, ifMatch }, context) => writes.update(context, id, input, ifMatch),
    deleteApplication: async (_, { id, ifMatch }, context) => {
      await writes.remove(context, id, ifMatch);
      return { id, deleted: true };
    },
    submitApplication: (_, args, context) => writes.transition(context, 'submit', args),
    withdrawApplication: (_, args, context) => writes.transition(context, 'withdraw', args),
    acceptApplication: (_, args, context) => writes.transition(context, 'accept', args),
    declineApplication: (_, args, context) => writes.transition(context, 'decline', args),
    reviewApplication: (_, args, context) => writes.transition(context, 'review', args),
    shortlistApplication: (_, args, context) => writes.transition(context, 'shortlist', args),
    inviteApplication: (_, args, context) => writes.transition(context, 'invite', args),
    waitlistApplication: (_, args, context) => writes.transition(context, 'waitlist', args),
    offerApplication: (_, args, context) => writes.transition(context, 'offer', args),
    rescindApplication: (_, args, context) => writes.transition(context, 'rescind', args),
    rejectApplication: (_, args, context) => writes.transition(context, 'reject', args),
    enrollApplication: (_, args, context) => writes.transition(context, 'enroll', args),
  }) satisfies NonNullable<Resolvers['Mutation']>;

export function applicationResolvers(services: AreaServices, opportunities: OpportunityReads) {
  const applications = createApplicationReads(services);
  const writes = createApplicationWrites(services, applications, opportunities);

  return {
    Query: {
      applications: (_, args, context) => applications.list(context, args),
      application: (_, { id }, context) => context.load(applications.byId, id),
      opportunityApplications: async (_, { opportunityId, status, first, after }, context) => {
        const opportunity = await context.load(opportunities.byId, opportunityId);
        return opportunity && applications.list(context, { first, after, filter: { opportunityId: [opportunityId], status } });
      },
    },
    Mutation: applicationMutations(writes),
    Opportunity: {
      applications: ({ id }, { first, after }, context) =>
        context.load(applications.pagesOfOpportunities, { owner: id, first, after }),
    },
    Application: {
      __resolveReference: ({ id }, context) => context.load(applications.byId, id),
      status: (row) => statusAt(row),
      sides: (row, _, { viewer }) =>
        actorsOf(viewer, row).flatMap((actor) => (actor === 'OWNER' || actor === 'COUNTERPART' ? [sideOf[actor]] : [])),
      opportunity: ({ opportunityId }, _, context) => context.load(opportunities.byId, opportunityId),
      athlete: async (row, _, context) => {
        const opportunity = await context.load(opportunities.byId, row.opportunityId);
        return applicantOf(context.viewer, row, opportunity?.organizationPublic === true);
      },
      answers: (row, _, context) => visibleAnswers(context, row),
      offer: ({ offeredAt, offerExpiresAt }) => (offeredAt === null ? null : { offeredAt, expiresAt: offerExpiresAt }),
      history: ({ id }, _, context) => context.load(applications.histories, id),
      externalIds: ({ id }, _, context) => context.load(applications.externalIds, id),
    },
    ApplicationStep: {
      by: ({ action }) => actorOf(action),
    },
    AthleteExport: {
      __resolveReference: (reference, context) => exportOf(context, reference),
      applications: ({ id }, { first, after }, context) =>
        context.load(applications.pagesOfAthletes, { owner: id, first, after }),
    },
  } satisfies Resolvers;
}
