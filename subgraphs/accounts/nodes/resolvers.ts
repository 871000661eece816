/** Resolvers of `node` and `nodes`: the type comes from the area that has the resource, and the router fetches the fields from there. */
import { nodeTypesById } from '../../clients/node-types.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type { Resolvers } from '../generated/resolvers.ts';

/** A resource of another area. `ref` is the key of athletes. */
export interface NodeReference {
  readonly __typename: string;
  readonly id: string;
  readonly ref: string;
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The resources that the viewer can read. @param wanted the types to look for; null: all */
async function findAll(ids: readonly string[], context: Context, wanted: readonly string[] | null) {
  const types = await nodeTypesById(context, ids, wanted);
  return ids.map((id): NodeReference | Error | null => {
    const type = types.get(id);
    if (type === undefined || type instanceof Error) return type ?? null;
    return { __typename: type, id, ref: id };
  });
}

/** All ids of a request share one lookup. */
const byId: BatchRead<string, NodeReference | Error | null> = (ids, context) => findAll(ids, context, null);

function orThrow<Value>(found: Value | Error): Value {
  if (found instanceof Error) throw found;
  return found;
}

/** Null when there is no such resource for the viewer. Throws Problem upstream_unavailable when an area that may have it is unavailable. */
async function find(id: string, context: Context): Promise<NodeReference | null> {
  return orThrow(uuid.test(id) ? await context.load(byId, id.toLowerCase()) : null);
}

export function nodeResolvers(): Resolvers {
  return {
    Query: {
      node: (_, { id }, context) => find(id, context),
      nodes: (_, { ids }, context) => Promise.all(ids.map((id) => find(id, context))),
      nodesOfType: async (_, { type, ids }, context) => (await findAll(ids, context, [type])).map(orThrow),
    },
    Athlete: {
      id: ({ ref }) => ref,
    },
  };
}
