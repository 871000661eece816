/** Resolvers of consents and of the access log of a minor. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Reads } from '../reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createConsentWrites } from './writes.ts';

/** The account of administrators' reads: the member is not nullable in this version of the API. */
const platformAccount = '00000000-0000-0000-0000-000000000000';

export function consentResolvers(services: AreaServices, { athletes, consents }: Reads): Resolvers {
  const writes = createConsentWrites(services, consents);

  return {
    Query: {
      athleteConsents: async (_, args, context) =>
        (await consents.list(context, args)) ?? athletes.redirectTo(context, args.athleteId),
      athleteConsent: async (_, { athleteId, id }, context) => {
        const consent = await context.load(consents.byId, id);
        return consent?.athleteId === athleteId ? consent : athletes.redirectTo(context, athleteId);
      },
      athleteAccessLog: async (_, args, context) =>
        (await consents.accessLog(context, args)) ?? athletes.redirectTo(context, args.athleteId),
    },
    Mutation: {
      giveConsent: (_, args, context) => writes.give(context, args),
      withdrawConsent: (_, args, context) => writes.withdraw(context, args),
    },
    MinorAccess: {
      accountId: ({ accountId }) => accountId ?? platformAccount,
    },
    Consent: {
      effective: async ({ athleteId, scopes, withdrawnAt }, _, context) => {
        const athlete = await athletes.byIdOfAnySport(context, athleteId);
        // the id of a duplicate returns another profile, to which this consent does not apply
        const effective = athlete?.id === athleteId ? athlete.consentScopes : [];
        return withdrawnAt === null && scopes.every((scope) => effective.includes(scope));
      },
    },
  };
}
