/** The event consumers of the opportunities area, with its timers. */
import { idsOf, projectChanged, type Consumer } from '../../../platform/events/consumer.ts';
import { fetchOrganizationOwners } from '../../clients/organization-owners.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { expireOffers } from '../applications/expiry.ts';
import { closeExpired } from '../opportunities/deadlines.ts';
import { projectOrganizations, syncVisibility } from './organizations.ts';
import { followRecentApplicants, followRemovedAthletes } from './removed-athletes.ts';

/** Consumers read the current data of the other areas, so repeated and late events have no effect. */
export function opportunityConsumers({ database, writer }: AreaServices): readonly Consumer[] {
  return [
    {
      name: 'organizations',
      source: 'organizations',
      database,
      async apply(events, transaction, graph) {
        const owners = await fetchOrganizationOwners(graph, idsOf(events, 'organization'));
        if (owners.size === 0) return;
        await projectOrganizations(transaction, [...owners.values()]);
        await writer.writeWithin(transaction, (work) => syncVisibility(work, [...owners.keys()]));
      },
      catchUp: () => closeExpired(database, writer),
    },
    {
      name: 'athletes',
      source: 'athletes',
      database,
      apply: projectChanged('athlete', (ids, transaction, graph, events) => {
        const deleted = events.filter(({ type }) => type === 'athlete.deleted').map(({ resourceId }) => resourceId);
        return followRemovedAthletes(transaction, writer, graph, ids, deleted);
      }),
      async refresh(graph) {
        await followRecentApplicants(database, writer, graph);
        return false;
      },
      catchUp: () => expireOffers(database, writer),
    },
  ];
}
