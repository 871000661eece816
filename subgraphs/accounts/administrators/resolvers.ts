/** Resolvers of administrators. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import { forAdministrators, forScope } from '../access.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { AdministratorReads } from './reads.ts';
import type { SecondFactors } from '../sign-in/second-factors.ts';
import { administratorPasskeys, administratorSessions } from './population.ts';
import { createAdministratorWrites } from './writes.ts';

const managed = forScope('administrators:write');

/** Administrators and their sessions: visible to all administrators, managed by owners. */
export function administratorResolvers(services: AreaServices, administrators: AdministratorReads, factors: SecondFactors) {
  const writes = createAdministratorWrites(services, factors);
  const sessionsOf = administratorSessions.ofPersons(services.database);
  const haveRegistered = administratorPasskeys.areRegistered(services.database);
  return {
    Query: {
      administrators: forAdministrators((args) => administrators.list(args)),
      administrator: forAdministrators(({ id }, context) => context.load(administrators.byId, id)),
    },
    Mutation: {
      inviteAdministrator: managed(({ input }, context) => writes.invite(context, input)),
      resetAdministrator: managed(({ id }, context) => writes.reset(context, id)),
      updateAdministrator: managed(({ id, input, ifMatch }, context) => writes.update(context, id, input, ifMatch)),
      disableAdministrator: managed(({ id, reason }, context) => writes.disable(context, id, reason)),
      enableAdministrator: managed(({ id }, context) => writes.enable(context, id)),
      eraseAdministrator: managed(({ id }, context) => writes.erase(context, id)),
      removeAdministratorSecondFactor: managed(({ id }, context) => writes.removeSecondFactor(context, id)),
      endAdministratorSessions: managed(({ id }, context) => writes.endSessions(context, id)),
      endAdministratorSession: managed(({ id }, context) => writes.endSession(context, id)),
    },
    Administrator: {
      hasSecondFactor: ({ id }, _, context) => context.load(factors.areEnrolled, id),
      hasPasskeys: ({ id }, _, context) => context.load(haveRegistered, id),
      sessions({ id }, _, context) {
        const { administrator } = context.viewer;
        const canRead = administrator === undefined || administrator.id === id || administrator.role === 'OWNER';
        return canRead ? context.load(sessionsOf, id) : null;
      },
    },
    AdministratorSession: {
      current: ({ id }, _, { viewer }) => viewer.administrator?.sessionId === id,
    },
  } satisfies Resolvers;
}
