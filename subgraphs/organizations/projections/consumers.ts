/** The projections of the organizations area: the visibility and the removal of athletes, for their memberships. */
import { projectChanged, type Consumer } from '../../../platform/events/consumer.ts';
import { graphql } from '../../clients/graphql.ts';
import { unusedImages } from '../../runtime/image-writes.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { hideAthletes, showAthletes } from './public-athletes.ts';
import { applyRemovedAthletes } from './removed-athletes.ts';

// `public` does not expire: a minor is never public, an adult stays an adult, and turning 18 does not publish a profile.
const athletesById = graphql(`
  query memberVisibility($ids: [ID!]!) {
    athletesById(ids: $ids) {
      id
      public
    }
  }
`);

/** The consumers read the current facts, so that repeated and late events change nothing. */
export function organizationConsumers({ database, images, writer }: AreaServices): readonly Consumer[] {
  return [
    {
      name: 'athletes',
      source: 'athletes',
      database,
      apply: projectChanged('athlete', async (ids, transaction, graph) => {
        const athletes = (await graph(athletesById, { ids: [...ids] })).athletesById ?? [];
        const visible = athletes.filter((athlete) => athlete.public).map((athlete) => athlete.id);
        await hideAthletes(
          transaction,
          ids.filter((id) => !visible.includes(id)),
        );
        await showAthletes(transaction, visible);
        await applyRemovedAthletes(transaction, writer, graph, ids);
      }),
    },
    unusedImages('organizations', { database, images }),
  ];
}
