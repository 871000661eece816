/** Merges the response of one fetch into the data of an execution. */
import { isObjectType } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { isRecord } from '../../schema/records.ts';
import { unavailableArea } from '../../schema/subgraph-client.ts';
import { beforeItems, copyOf, merge, objectsAt, type Entity } from './data.ts';
import type { Run } from './fetch.ts';
import type { PlacedFetch } from './request-text.ts';
import type { RequestedEntities } from './requested-entities.ts';
import { compileRewrites } from './rewrites.ts';

/** `hasErrors`: the response has errors, which explain what is missing. */
export type MergeResponse = (run: Run, requested: RequestedEntities, data: Entity, hasErrors: boolean) => void;

type Rewrite = ReturnType<typeof compileRewrites>;

export function compileMerge(supergraph: GraphQLSchema, placed: PlacedFetch): MergeResponse {
  const rewrite = compileRewrites(supergraph, placed.part.fetch.rewrites);
  return placed.part.fetch.entities === null ? mergeRoot(placed, rewrite) : mergeEntities(supergraph, placed, rewrite);
}

function mergeRoot({ part: { paths } }: PlacedFetch, rewrite: Rewrite): MergeResponse {
  return (run, _requested, data) => {
    rewrite?.(data);
    for (const path of paths) {
      if (path.length > 0) for (const object of objectsAt(run.data, path)) merge(object, data);
      else if (Object.keys(run.data).length === 0) run.data = data;
      else merge(run.data, data);
    }
  };
}

function mergeEntities(
  supergraph: GraphQLSchema,
  { part: { fetch, paths }, keys: [key = ''] }: PlacedFetch,
  rewrite: Rewrite,
): MergeResponse {
  /** Paths do not share received objects: later fetches may add other members to each. */
  function mergeEntity(entity: Entity, owners: RequestedEntities['owners'], index: number): void {
    const ofPaths = owners.map((ofPath) => ofPath[index] ?? []).filter(({ length }) => length > 0);
    if (rewrite !== null) {
      entity['__typename'] ??= ofPaths[0]?.[0]?.['__typename'];
      rewrite(entity);
    }
    // an area that knows only the interface returns its name; the type name that is already known is more specific
    if (!isObjectType(supergraph.getType(String(entity['__typename'])))) Reflect.deleteProperty(entity, '__typename');
    const copies = ofPaths.map((_, at) => (at === 0 ? entity : copyOf(entity)));
    for (const [at, ofPath] of ofPaths.entries()) for (const owner of ofPath) merge(owner, copies[at] ?? entity);
  }

  return (run, { representations, owners }, data, hasErrors) => {
    const entities = data[key];
    if (!Array.isArray(entities) || entities.length !== representations.length) {
      // an absent list is reported by the fetch
      if (hasErrors || entities === undefined) return;
      const { message, extensions } = unavailableArea(fetch.area);
      for (const path of paths)
        run.errors.push({ message, path: beforeItems(path), extensions: { ...extensions, serviceName: fetch.area } });
      return;
    }
    for (const index of representations.keys()) {
      const entity: unknown = entities[index];
      if (isRecord(entity)) mergeEntity(entity, owners, index);
      else if (!hasErrors) for (const ofPath of owners) for (const owner of ofPath[index] ?? []) run.absent.add(owner);
    }
  };
}
