/** The lookup of an area: which of given ids are its resources that the viewer can read, and of which type (schema/node-types.ts). */
import type { GraphQLResolveInfo } from 'graphql';
import type { Area } from '../../schema/areas.ts';
import { errors, Problem } from '../../schema/errors.ts';
import { nodeLookupField, nodeTypes } from '../../schema/node-types.ts';
import { isRecord } from '../../schema/records.ts';
import type { Context } from './subgraph.ts';

interface Found {
  readonly id: string;
  readonly type: string;
}

type ResolveReference = (reference: { readonly id: string }, context: Context, info: GraphQLResolveInfo) => unknown;

/** The function that reads an entity by its key, for which a resolver of references is the only definition. */
function referenceOf(area: Area, type: string, resolvers: object): ResolveReference {
  const ofType: unknown = Object.entries(resolvers).find(([name]) => name === type)?.[1];
  const resolve = isRecord(ofType) ? ofType['__resolveReference'] : undefined;
  if (typeof resolve !== 'function') throw new Error(`${area} lists ${type} as a node type but cannot resolve it by id`);
  return (...call): unknown => Reflect.apply(resolve, undefined, call);
}

/** Whether a resource can be read; a resource that is gone or forbidden is like one that does not exist. */
async function isReadable(read: unknown): Promise<boolean> {
  try {
    return (await read) !== null;
  } catch (error) {
    if (error instanceof Problem && errors[error.code].status < 500) return false;
    throw error;
  }
}

/**
 * Adds the lookup to the resolvers of an area. It reads each type with the area's own reads, so that it finds what the viewer can read:
 * one statement per requested type and request. Throws Error for a node type without a resolver of references.
 */
export function withNodeLookup<Resolvers extends { readonly Query?: object }>(area: Area, resolvers: Resolvers): object {
  const types = (nodeTypes[area] ?? []).map((type) => ({ type, resolve: referenceOf(area, type, resolvers) }));
  if (types.length === 0) return resolvers;
  const lookup = async (
    _: unknown,
    { ids, types: wanted }: { readonly ids: readonly string[]; readonly types?: readonly string[] | null },
    context: Context,
    info: GraphQLResolveInfo,
  ): Promise<Found[]> => {
    // the lookup selects the id, so the reads select no more than they need
    const found = await Promise.all(
      types
        .filter(({ type }) => wanted?.includes(type) ?? true)
        .flatMap(({ type, resolve }) =>
          ids.map(async (id): Promise<Found[]> => ((await isReadable(resolve({ id }, context, info))) ? [{ id, type }] : [])),
        ),
    );
    return found.flat();
  };
  return { ...resolvers, Query: { ...resolvers.Query, [nodeLookupField(area)]: lookup } };
}
