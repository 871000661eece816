/** Resolvers of the audit log. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import { forAdministrators } from '../access.ts';
import { areaNames } from '../area-names.ts';
import type { AdministratorReads } from '../administrators/reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { PortalUserReads } from '../portal-users/reads.ts';
import { createAuditReads } from './reads.ts';

/** The audit log of all areas, and the history of keys and accounts. */
export function auditResolvers(services: AreaServices, administrators: AdministratorReads, users: PortalUserReads) {
  const audit = createAuditReads(services);
  return {
    Query: { auditEntries: forAdministrators((args, context) => audit.list(context, args)) },
    AuditEntry: {
      area: ({ area }) => areaNames[area],
      changes: ({ changes }) => [...changes],
    },
    AuditActor: {
      user: ({ userId }, _, context) => (userId === null ? null : context.load(users.byId, userId)),
      administrator: ({ administratorId }, _, context) =>
        administratorId === null ? null : context.load(administrators.byId, administratorId),
    },
    ApiKey: {
      history: forAdministrators(({ first, after }, context, { id }) => context.load(audit.ofKeys, { owner: id, first, after })),
    },
    Account: {
      history: forAdministrators(({ first, after }, context, { id }) =>
        context.load(audit.ofAccounts, { owner: id, first, after }),
      ),
    },
  } satisfies Resolvers;
}
