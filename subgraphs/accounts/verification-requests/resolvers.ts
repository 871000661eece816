/** Resolvers of verification requests. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import { forMemberScope, forScope } from '../access.ts';
import type { AccountReads } from '../accounts/reads.ts';
import type { AdministratorReads } from '../administrators/reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { ActorNames } from '../portal-users/actor-names.ts';
import { createVerificationRequestReads } from './reads.ts';
import { createVerificationRequestWrites } from './writes.ts';

const decided = forScope('moderation:write');
const requested = forMemberScope('requests:write');

interface Reads {
  readonly accounts: AccountReads;
  readonly administrators: AdministratorReads;
  readonly names: ActorNames;
}

/** Requests for a verification: of members, decided by moderators. */
export function verificationRequestResolvers(services: AreaServices, { accounts, administrators, names }: Reads) {
  const requests = createVerificationRequestReads(services);
  const writes = createVerificationRequestWrites(services, requests);
  return {
    Query: {
      verificationRequests: (_, args, context) => requests.list(context, args),
      verificationRequest: (_, { id }, context) => context.load(requests.byId, id),
    },
    Mutation: {
      createVerificationRequest: requested((args, context, member) => writes.create(context, member, args)),
      withdrawVerificationRequest: requested(({ id }, context) => writes.withdraw(context, id)),
      grantVerificationRequest: decided((args, context) => writes.grant(context, args)),
      declineVerificationRequest: decided((args, context) => writes.decline(context, args)),
    },
    VerificationRequest: {
      async account({ accountId }, _, context) {
        const account = await context.load(accounts.byId, accountId);
        if (account === null) throw new Error('The account of a verification request does not exist');
        return account;
      },
      organization: ({ organizationId }) => ({ id: organizationId }),
      requestedBy: ({ requestedBy }, _, context) => names.nameOf(requestedBy, context),
      decidedBy: ({ decidedBy }, _, context) => (decidedBy === null ? null : context.load(administrators.byId, decidedBy)),
    },
  } satisfies Resolvers;
}
