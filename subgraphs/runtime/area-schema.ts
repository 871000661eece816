/** The executable schema of an area. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse, type GraphQLSchema } from 'graphql';
import { areaTypeDefs } from '../../schema/type-defs.ts';
import type { Consumer } from '../../platform/events/consumer.ts';
import { alignExecutors } from './aligned-executors.ts';
import { withAreaFields } from './area-fields.ts';
import { normalizeArguments } from './normalized-arguments.ts';
import { withNodeLookup } from './node-lookup.ts';
import { scalarTypes } from './scalar-types.ts';
import type { AreaDefinition, AreaServices } from './subgraph.ts';

/** Builds it in steps: each blocks the process for a moment, and sandboxes open while requests are handled. */
export async function buildAreaSchema(
  area: AreaDefinition,
  services: AreaServices,
  consumers: readonly Consumer[],
): Promise<GraphQLSchema> {
  const { name } = area;
  const text = areaTypeDefs(name);
  await nextTurn();
  const typeDefs = parse(text, { noLocation: true });
  await nextTurn();
  const own = withAreaFields({ name, database: services.database, consumers }, withNodeLookup(name, area.resolvers(services)));
  await nextTurn();
  // @apollo/subgraph types resolvers more narrowly than graphql-js; these are checked against the generated types.
  const schema = buildSubgraphSchema({ typeDefs, resolvers: { ...scalarTypes, ...own } });
  await nextTurn();
  return normalizeArguments(alignExecutors(schema));
}
