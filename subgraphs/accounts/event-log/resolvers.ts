/** Resolvers of the event log, for administrators and members. */
import { sportNames } from '../../../schema/sports.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { forAdministrators, requireAdministratorOrMember } from '../access.ts';
import type { AccountReads } from '../accounts/reads.ts';
import { areaNames } from '../area-names.ts';
import { createEventReads } from '../events/reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createEventLogReads } from './reads.ts';

const forReaders = requireAdministratorOrMember('events:read', 'events:read');

/** The events of all accounts for administrators; for members those that name their account. */
export function eventLogResolvers(services: AreaServices, accounts: AccountReads) {
  const reads = createEventLogReads(services);
  const events = createEventReads(services);
  return {
    Query: {
      eventLog: forReaders((args, context) => reads.list(context, args)),
      event: forReaders(async ({ id }, context) => (await events.byIds(context, [id]))[0] ?? null),
    },
    EventLogEntry: {
      timestamp: ({ at }) => at,
      area: ({ area }) => areaNames[area],
      resource: ({ resourceType, resourceId, version }) => ({ type: resourceType, id: resourceId, version }),
      sports: ({ sports }) => sportNames.filter((sport) => sports.includes(sport)),
      account: forAdministrators((_, context, { accountId }) =>
        accountId === null ? null : context.load(accounts.byId, accountId),
      ),
    },
  } satisfies Resolvers;
}
