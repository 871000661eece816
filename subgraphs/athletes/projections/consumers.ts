/** The projections of the athletes area: organizations, matches, and its own events for discovery and erasure. */
import type { Consumer } from '../../../platform/events/consumer.ts';
import { athleteIdsOf } from '../../clients/athlete-facts.ts';
import { latestToday } from '../../runtime/age.ts';
import { unusedImages } from '../../runtime/image-writes.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { erasureConsumer } from '../athletes/erasure.ts';
import { aggregateFacetChanges } from '../discovery/facets.ts';
import { deleteOldRises, updateRises } from '../discovery/rising-athletes.ts';
import { createCohortRenewal } from '../percentiles/cohorts.ts';
import { updateMatchStatistics } from '../statistics/computed-statistics.ts';
import { findChangedMatches } from './changed-matches.ts';
import { applyOrganizationEvents } from './organizations.ts';

export function athleteConsumers({ database, images, writer }: AreaServices): readonly Consumer[] {
  return [
    {
      name: 'organizations',
      source: 'organizations',
      database,
      apply: (events, transaction, graph) => applyOrganizationEvents(events, transaction, graph, writer),
    },
    {
      name: 'athletes',
      source: 'athletes',
      database,
      async apply(events, transaction) {
        await updateRises(transaction, athleteIdsOf(events));
        while (await aggregateFacetChanges(transaction));
      },
      async refresh() {
        await deleteOldRises(database, latestToday());
        return aggregateFacetChanges(database);
      },
    },
    {
      name: 'competitions',
      source: 'competitions',
      database,
      async apply(events, transaction, graph) {
        await updateMatchStatistics(transaction, writer, graph, await findChangedMatches(events, graph));
      },
      refresh: createCohortRenewal(database),
    },
    erasureConsumer(database, writer),
    unusedImages('athletes', { database, images }),
  ];
}
