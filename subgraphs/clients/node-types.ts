/** The types of resources with given ids, looked up in every area that has node types (schema/node-types.ts). */
import { nodesMax } from '../../schema/node-types.ts';
import type { Context } from '../runtime/subgraph.ts';
import { graphql } from './graphql.ts';

const inAthletes = graphql(`
  query athleteNodeTypes($ids: [ID!]!) {
    athletesNodeTypes(ids: $ids) {
      id
      type
    }
  }
`);

const inCompetitions = graphql(`
  query competitionNodeTypes($ids: [ID!]!) {
    competitionsNodeTypes(ids: $ids) {
      id
      type
    }
  }
`);

const inOpportunities = graphql(`
  query opportunityNodeTypes($ids: [ID!]!) {
    opportunitiesNodeTypes(ids: $ids) {
      id
      type
    }
  }
`);

const inOrganizations = graphql(`
  query organizationNodeTypes($ids: [ID!]!) {
    organizationsNodeTypes(ids: $ids) {
      id
      type
    }
  }
`);

/** One lookup per area: an area that is down does not affect ids that another area knows. */
async function lookUp(graph: Context['graph'], ids: string[]): Promise<Map<string, string | Error>> {
  const answers = await Promise.allSettled([
    graph(inAthletes, { ids }).then((data) => data.athletesNodeTypes ?? []),
    graph(inCompetitions, { ids }).then((data) => data.competitionsNodeTypes ?? []),
    graph(inOpportunities, { ids }).then((data) => data.opportunitiesNodeTypes ?? []),
    graph(inOrganizations, { ids }).then((data) => data.organizationsNodeTypes ?? []),
  ]);
  const failed = answers.find((answer) => answer.status === 'rejected');
  const types = new Map<string, string | Error>();
  if (failed !== undefined) {
    const error = failed.reason instanceof Error ? failed.reason : new Error(String(failed.reason));
    for (const id of ids) types.set(id, error);
  }
  for (const answer of answers) {
    if (answer.status === 'fulfilled') for (const { id, type } of answer.value) types.set(id, type);
  }
  return types;
}

/**
 * Type names by id, of the resources that the viewer can read; other ids are missing. The value is the error of an area that is
 * unavailable when no other area has the id.
 */
export async function nodeTypesById(
  { graph }: Pick<Context, 'graph'>,
  ids: readonly string[],
): Promise<Map<string, string | Error>> {
  const distinct = [...new Set(ids)];
  const chunks = Array.from({ length: Math.ceil(distinct.length / nodesMax) }, (_, index) =>
    distinct.slice(index * nodesMax, (index + 1) * nodesMax),
  );
  const found = await Promise.all(chunks.map((chunk) => lookUp(graph, chunk)));
  return new Map(found.flatMap((types) => [...types]));
}
