/** Resolvers of the audit log: one line a field. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Area, Resolvers } from '../resolvers.generated.ts';
import { requireAdministrator } from '../rules.ts';
import type { createAdministratorStore } from '../administrators/reads.ts';
import { createAudit } from './reads.ts';

/** The part of the area's resolvers that is about what was done. */
export function auditResolvers(services: AreaServices, administrators: ReturnType<typeof createAdministratorStore>) {
  const audit = createAudit(services);
  return {
    Query: {
      auditEntries(_, args, context) {
        requireAdministrator(context.viewer);
        return audit.list(context, args);
      },
    },
    AuditEntry: {
      area: ({ area }) => area.toUpperCase() as Area,
      changes: ({ changes }) => [...changes],
    },
    AuditActor: {
      administrator: ({ administratorId }, _, context) =>
        administratorId === null ? null : context.load(administrators.byId, administratorId),
    },
    ApiKey: {
      history({ id }, { first, after }, context) {
        requireAdministrator(context.viewer);
        return context.load(audit.ofKeys, { owner: id, first, after });
      },
    },
    Account: {
      history({ id }, { first, after }, context) {
        requireAdministrator(context.viewer);
        return context.load(audit.ofAccounts, { owner: id, first, after });
      },
    },
  } satisfies Resolvers;
}
