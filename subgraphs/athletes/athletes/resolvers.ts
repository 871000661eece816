/** Resolvers of athletes. */
import { hasFullAccess } from '../../../schema/viewer.ts';
import { emptyPage } from '../../../platform/lists/page.ts';
import { decisionInForce, visibleVerification } from '../../../platform/writes/moderation-reason.ts';
import { ageOn } from '../../runtime/age.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import type { Reads } from '../reads.ts';
import type { AthleteResolvers, Resolvers } from '../generated/resolvers.ts';
import { ageGroupOf } from './age.ts';
import { createAthleteBatch } from './batch.ts';
import { countForReview } from './review-counts.ts';
import { createAthleteMerge } from './merge.ts';
import { isFieldVisible } from './restriction.ts';
import type { AthleteView } from './rows.ts';
import { selectedColumns } from './selected-columns.ts';
import { createAthleteTransitions } from './transitions.ts';
import { createAthleteWrites } from './writes.ts';

const reference = (id: string | null | undefined) => (id ? { id } : null);

export function athleteResolvers(services: AreaServices, reads: Reads): Resolvers {
  const { athletes } = reads;
  const writes = createAthleteWrites(services, athletes);
  const { transition, decide, erase } = createAthleteTransitions(services, athletes);
  const merge = createAthleteMerge(services, athletes);
  const upsert = createAthleteBatch(services);

  return {
    Query: {
      athletes: (_, args, context, info) => athletes.list(context, args, selectedColumns.ofNodes(info, context.viewer)),
      athlete: (_, { id }, context) => athletes.get(context, id),
      athleteReviewCounts: (_, _args, { viewer }) => (hasFullAccess(viewer) ? countForReview(services, viewer) : null),
    },
    Mutation: {
      createAthlete: (_, { input, idempotencyKey }, context) => writes.create(context, input, idempotencyKey),
      updateAthlete: (_, { id, input, ifMatch }, context) => writes.update(context, id, input, ifMatch),
      deleteAthlete: async (_, { id, ifMatch }, context) => ({
        id: (await writes.remove(context, id, ifMatch)).id,
        deleted: true,
      }),
      setAthleteImage: (_, args, context) => writes.setImage(context, args),
      removeAthleteImage: (_, args, context) => writes.setImage(context, { ...args, image: null }),
      activateAthlete: (_, args, context) => transition(context, 'activate', args),
      deactivateAthlete: (_, args, context) => transition(context, 'deactivate', args),
      suspendAthlete: (_, args, context) => transition(context, 'suspend', args),
      reinstateAthlete: (_, args, context) => transition(context, 'reinstate', args),
      verifyAthlete: (_, { method, ...args }, context) => decide(context, 'verify', { ...args, reason: method }),
      rejectAthlete: (_, args, context) => decide(context, 'reject', args),
      eraseAthlete: (_, args, context) => erase(context, args),
      mergeAthlete: (_, args, context) => merge(context, args),
      upsertAthletes: (_, { items, idempotencyKey }, context) => upsert(context, items, idempotencyKey),
    },
    Athlete: athleteFields(services, reads),
    Education: {
      institution: ({ institutionId }) => reference(institutionId),
    },
    Availability: {
      types: ({ types }) => types ?? [],
      relocation: ({ relocation }) => relocation ?? 'NONE',
    },
  };
}

function athleteFields({ images }: AreaServices, { athletes, statistics }: Reads): AthleteResolvers {
  const membershipOf = (row: AthleteView, context: Context) =>
    row.currentMembership === undefined ? context.load(athletes.currentMembership, row.id) : row.currentMembership;

  return {
    __resolveReference: (key, context) =>
      'applicant' in key
        ? context.load(key.lives ? athletes.applicants : athletes.byId, key.applicant)
        : context.load(athletes.byId, 'ref' in key ? key.ref : key.id),
    ref: ({ id }) => id,
    applicant: ({ id }) => id,
    lives: () => false,
    age: ({ dateOfBirth }) => (dateOfBirth === null ? null : ageOn(dateOfBirth)),
    ageGroup: (row) => row.ageGroup ?? ageGroupOf(row),
    restricted: (row) => !isFieldVisible(row, 'displayName'),
    verification: ({ accountId, verification }, _, { viewer }) => visibleVerification(viewer, accountId, verification),
    async moderationReason(row, _, context) {
      const decision = isFieldVisible(row, 'moderationReason') ? decisionInForce(context.viewer, row) : null;
      return decision && (await context.load(athletes.moderationReasons, row.id))[decision];
    },
    externalIds: (row, _, context) => {
      if (!isFieldVisible(row, 'externalIds')) return [];
      return row.externalIds ?? context.load(athletes.externalIds, row.id);
    },
    organization: async (row, _, context) =>
      isFieldVisible(row, 'organization') ? reference((await membershipOf(row, context))?.organizationId) : null,
    team: async (row, _, context) => (isFieldVisible(row, 'team') ? reference((await membershipOf(row, context))?.teamId) : null),
    imageUrl: (row) => (row.imageId !== null && isFieldVisible(row, 'imageUrl') ? images.urlOf(row.imageId) : null),
    statistics: (row, { first, after }, context) =>
      isFieldVisible(row, 'statistics')
        ? context.load(statistics.pagesOfAthletes, { owner: row.id, first, after })
        : emptyPage(after),
  };
}
