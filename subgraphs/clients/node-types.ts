/** The types of resources with given ids, looked up in every area that has node types (schema/node-types.ts). */
import { nodesMax, nodeTypes } from '../../schema/node-types.ts';
import { entriesOf } from '../../schema/records.ts';
import type { Context } from '../runtime/subgraph.ts';
import { graphql } from './graphql.ts';

const inAthletes = graphql(`
  query athleteNodeTypes($ids: [ID!]!, $types: [String!]) {
    athletesNodeTypes(ids: $ids, types: $types) {
      id
      type
    }
  }
`);

const inCompetitions = graphql(`
  query competitionNodeTypes($ids: [ID!]!, $types: [String!]) {
    competitionsNodeTypes(ids: $ids, types: $types) {
      id
      type
    }
  }
`);

const inOpportunities = graphql(`
  query opportunityNodeTypes($ids: [ID!]!, $types: [String!]) {
    opportunitiesNodeTypes(ids: $ids, types: $types) {
      id
      type
    }
  }
`);

const inOrganizations = graphql(`
  query organizationNodeTypes($ids: [ID!]!, $types: [String!]) {
    organizationsNodeTypes(ids: $ids, types: $types) {
      id
      type
    }
  }
`);

interface Lookup {
  readonly ids: string[];
  readonly types: string[] | null;
}

const lookups = {
  athletes: async (graph: Context['graph'], lookup: Lookup) => (await graph(inAthletes, lookup)).athletesNodeTypes ?? [],
  competitions: async (graph: Context['graph'], lookup: Lookup) =>
    (await graph(inCompetitions, lookup)).competitionsNodeTypes ?? [],
  opportunities: async (graph: Context['graph'], lookup: Lookup) =>
    (await graph(inOpportunities, lookup)).opportunitiesNodeTypes ?? [],
  organizations: async (graph: Context['graph'], lookup: Lookup) =>
    (await graph(inOrganizations, lookup)).organizationsNodeTypes ?? [],
};

/** One lookup per area with one of the types: an area that is down does not affect ids that another area knows. */
async function lookUp(
  graph: Context['graph'],
  ids: string[],
  types: readonly string[] | null,
): Promise<Map<string, string | Error>> {
  const answers = await Promise.allSettled(
    entriesOf(lookups).map(async ([area, find]) => {
      const wanted = types && types.filter((type) => nodeTypes[area]?.includes(type));
      return wanted?.length === 0 ? [] : find(graph, { ids, types: wanted });
    }),
  );
  const failed = answers.find((answer) => answer.status === 'rejected');
  const found = new Map<string, string | Error>();
  if (failed !== undefined) {
    const error = failed.reason instanceof Error ? failed.reason : new Error(String(failed.reason));
    for (const id of ids) found.set(id, error);
  }
  for (const answer of answers) {
    if (answer.status === 'fulfilled') for (const { id, type } of answer.value) found.set(id, type);
  }
  return found;
}

/**
 * Type names by id, of the resources that the viewer can read; other ids are missing. The value is the error of an area that is
 * unavailable when no other area has the id.
 * @param types the types to look for; null: all
 */
export async function nodeTypesById(
  { graph }: Pick<Context, 'graph'>,
  ids: readonly string[],
  types: readonly string[] | null = null,
): Promise<Map<string, string | Error>> {
  const distinct = [...new Set(ids)];
  const chunks = Array.from({ length: Math.ceil(distinct.length / nodesMax) }, (_, index) =>
    distinct.slice(index * nodesMax, (index + 1) * nodesMax),
  );
  const found = await Promise.all(chunks.map((chunk) => lookUp(graph, chunk, types)));
  return new Map(found.flatMap((each) => [...each]));
}
