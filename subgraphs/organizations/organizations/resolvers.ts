/** Resolvers of organizations. */
import { hasFullAccess } from '../../../schema/viewer.ts';
import { decisionInForce, visibleVerification } from '../../../platform/writes/moderation-reason.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Reads } from '../reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { selectedColumns } from './selected-columns.ts';
import { createOrganizationBatch } from './batch.ts';
import { createImageUrlOf } from './image-url.ts';
import { createOrganizationWrites } from './writes.ts';

export function organizationResolvers(services: AreaServices, { organizations, teams, memberships }: Reads): Resolvers {
  const writes = createOrganizationWrites(services, organizations);
  const upsert = createOrganizationBatch(services);
  const imageUrlOf = createImageUrlOf(services);

  return {
    Query: {
      organizations: (_, args, context) => organizations.list(context, args),
      organizationsByName: async (_, args, context) => {
        const found = await organizations.byName(context, args);
        return found.map((organization) => ({ ...organization, imageUrl: imageUrlOf(organization) }));
      },
      organization: (_, { id }, context) => context.load(organizations.byId, id),
      organizationReviewCount: (_, _args, { viewer }) => (hasFullAccess(viewer) ? organizations.countForReview() : null),
      organizationOwners: async (_, { ids }) =>
        (await organizations.read(ids)).map(({ id, version, accountId, status, verification, safeguarding }) => ({
          id,
          version,
          accountId,
          status,
          verified: status === 'ACTIVE' && verification.status === 'VERIFIED',
          safeguarded: !!safeguarding?.officerName,
        })),
    },
    Mutation: {
      createOrganization: (_, { input, idempotencyKey }, context) => writes.create(context, input, idempotencyKey),
      updateOrganization: (_, { id, input, ifMatch }, context) => writes.update(context, id, input, ifMatch),
      deleteOrganization: async (_, { id, ifMatch }, context) => {
        await writes.remove(context, id, ifMatch);
        return { id, deleted: true };
      },
      setOrganizationImage: (_, args, context) => writes.setImage(context, args),
      removeOrganizationImage: (_, args, context) => writes.setImage(context, { ...args, image: null }),
      activateOrganization: (_, args, context) => writes.transition(context, 'activate', args),
      closeOrganization: (_, args, context) => writes.transition(context, 'close', args),
      suspendOrganization: (_, args, context) => writes.transition(context, 'suspend', args),
      reinstateOrganization: (_, args, context) => writes.transition(context, 'reinstate', args),
      verifyOrganization: (_, { method, ...args }, context) => writes.decide(context, 'verify', { ...args, reason: method }),
      rejectOrganization: (_, args, context) => writes.decide(context, 'reject', args),
      upsertOrganizations: (_, { items, idempotencyKey }, context) => upsert(context, items, idempotencyKey),
    },
    Organization: {
      __resolveReference: ({ id }, context, info) =>
        context.load(organizations.byIdWith(selectedColumns.ofEntity(info, 'Organization')), id),
      sports: ({ sports }, _, { viewer }) => sports.filter((each) => viewer.sport === null || each === viewer.sport),
      parentOrganization: ({ parentOrganizationId }, _, context) =>
        parentOrganizationId === null ? null : context.load(organizations.byId, parentOrganizationId),
      imageUrl: (row) => imageUrlOf(row),
      verification: ({ accountId, verification }, _, { viewer }) => visibleVerification(viewer, accountId, verification),
      async moderationReason(row, _, context) {
        const decision = decisionInForce(context.viewer, row);
        return decision && (await context.load(organizations.moderationReasons, row.id))[decision];
      },
      externalIds: ({ id }, _, context) => context.load(organizations.externalIds, id),
      teams: ({ id }, { first, after }, context) => context.load(teams.pagesOfOrganizations, { owner: id, first, after }),
      members: ({ id }, { first, after }, context) => context.load(memberships.pagesOfOrganizations, { owner: id, first, after }),
    },
  };
}
