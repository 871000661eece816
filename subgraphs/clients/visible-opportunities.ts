/** Opportunities that are visible to a viewer now, read from the opportunities area. */
import type { Context } from '../runtime/subgraph.ts';
import { graphql } from './graphql.ts';

const query = graphql(`
  query visibleOpportunities($ids: [ID!]!) {
    opportunitiesNodeTypes(ids: $ids) {
      id
      type
    }
  }
`);

/** The ids among at most 100 that are opportunities the viewer can read. */
export async function visibleOpportunityIds(
  { graph }: Pick<Context, 'graph'>,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const nodes = (await graph(query, { ids: [...ids] })).opportunitiesNodeTypes ?? [];
  return new Set(nodes.filter(({ type }) => type === 'Opportunity').map(({ id }) => id));
}
