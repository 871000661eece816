/** What the opportunities area makes of the others: a hidden organization hides its opportunities, applications follow their athletes; and what time alone brings. */
import { idsOf, type Consumer } from '../../../platform/events/relay.ts';
import { fetchOrganizationOwners } from '../../clients/organization-owners.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { expireOffers, followRemovedAthletes, followRecentApplicants } from './removed-athletes.ts';
import { closeExpired } from '../opportunities/deadlines.ts';
import { syncVisibility, projectOrganizations } from './organizations.ts';

/** The projections of this area. Facts are read as they are now, so events that come twice or late change nothing. */
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
        await writer.writeWithin(transaction, (writing) => syncVisibility(writing, [...owners.keys()]));
      },
      catchUp: () => closeExpired(database, writer),
    },
    {
      name: 'athletes',
      source: 'athletes',
      database,
      async apply(events, transaction, graph) {
        const ids = idsOf(events, 'athlete');
        if (ids.length === 0) return;
        const deleted = events.filter(({ type }) => type === 'athlete.deleted').map(({ resourceId }) => resourceId);
        await followRemovedAthletes(transaction, writer, graph, ids, deleted);
      },
      async refresh(graph) {
        await followRecentApplicants(database, writer, graph);
        return false;
      },
      catchUp: () => expireOffers(database, writer),
    },
  ];
}
