/** Resolvers of the audit log. */
import type { ResourceType } from '../../../schema/resource-names.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { forAdministrators } from '../access.ts';
import { areaNames } from '../area-names.ts';
import type { AdministratorReads } from '../administrators/reads.ts';
import type { ApiKeyReads } from '../api-keys/reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { PortalUserReads } from '../portal-users/reads.ts';
import { createAuditReads, type AuditEntryRow } from './reads.ts';
import { createResourceNames, hasName } from './resource-names.ts';

/** The changed resource if it has this type: the router fetches the rest from its area. */
const resourceOf =
  (type: ResourceType) =>
  ({ resourceType, resourceId }: AuditEntryRow): { readonly id: string } | null =>
    resourceType === type ? { id: resourceId } : null;

/** The audit log of all areas, and the history of keys and accounts. */
export function auditResolvers(
  services: AreaServices,
  administrators: AdministratorReads,
  users: PortalUserReads,
  keys: ApiKeyReads,
) {
  const audit = createAuditReads(services);
  const resourceNames = createResourceNames(services.database);
  return {
    Query: { auditEntries: forAdministrators((args, context) => audit.list(context, args)) },
    AuditEntry: {
      area: ({ area }) => areaNames[area],
      resourceName: ({ resourceType, resourceId }, _, context) =>
        hasName(resourceType) ? context.load(resourceNames, resourceId) : null,
      athlete: ({ resourceType, resourceId }) => (resourceType === 'athlete' ? { ref: resourceId } : null),
      competition: resourceOf('competition'),
      opportunity: resourceOf('opportunity'),
      organization: resourceOf('organization'),
      replay: resourceOf('replay'),
      team: resourceOf('team'),
      withheld: ({ isWithheld }) => isWithheld === true,
      changes: ({ changes }) => [...changes],
    },
    AuditActor: {
      user: ({ userId }, _, context) => (userId === null ? null : context.load(users.byId, userId)),
      administrator: ({ administratorId }, _, context) =>
        administratorId === null ? null : context.load(administrators.byId, administratorId),
      key: ({ keyId }, _, context) => (keyId === null ? null : context.load(keys.byPublicId, keyId)),
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
