/** What the opportunities area makes of the others: a hidden organization hides its opportunities, applications follow their athletes; and what time alone brings. */
import { idsOf, type Consumer } from '../../platform/events/relay.ts';
import { fetchOrganizationOwners } from '../clients/organization-owners.ts';
import type { AreaServices } from '../runtime/subgraph.ts';
import { expireOffers, followDeparted, followLate } from './store/application-ends.ts';
import { closeOverdue } from './store/opportunity-deadlines.ts';
import { follow, project } from './store/organization.ts';

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
        await project(transaction, [...owners.values()]);
        await writer.writeWithin(transaction, (writing) => follow(writing, [...owners.keys()]));
      },
      catchUp: () => closeOverdue(database, writer),
    },
    {
      name: 'athletes',
      source: 'athletes',
      database,
      async apply(events, transaction, graph) {
        const ids = idsOf(events, 'athlete');
        if (ids.length === 0) return;
        const deleted = events.filter(({ type }) => type === 'athlete.deleted').map(({ resourceId }) => resourceId);
        await followDeparted(transaction, writer, graph, ids, deleted);
      },
      async refresh(graph) {
        await followLate(database, writer, graph);
        return false;
      },
      catchUp: () => expireOffers(database, writer),
    },
  ];
}
