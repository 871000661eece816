/** The supergraph as a schema. */
import { buildASTSchema, parse } from 'graphql';
import type { GraphQLSchema } from 'graphql';

let last: { readonly sdl: string; readonly schema: GraphQLSchema } | undefined;

/** Builds the schema of a supergraph, which takes tens of milliseconds; the last one is kept, because planner and executor need it. */
export function supergraphSchema(sdl: string): GraphQLSchema {
  if (last?.sdl === sdl) return last.schema;
  last = { sdl, schema: buildASTSchema(parse(sdl, { noLocation: true }), { assumeValidSDL: true }) };
  return last.schema;
}
