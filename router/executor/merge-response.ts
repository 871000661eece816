/** Merges the response of one fetch into the data of an execution. */
import { isObjectType } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { isRecord } from '../../schema/records.ts';
import { merge, objectsAt, type Entity } from './data.ts';
import { beforeItems, type Run } from './fetch.ts';
import type { PlacedFetch } from './request-text.ts';
import type { RequestedEntities } from './requested-entities.ts';
import { compileRewrites } from './rewrites.ts';

/** `hasErrors`: the response has errors, which explain what is missing. */
export type MergeResponse = (run: Run, requested: RequestedEntities, data: Entity, hasErrors: boolean) => void;

type Rewrite = ReturnType<typeof compileRewrites>;

export function compileMerge(supergraph: GraphQLSchema, area: string, { planned, keys }: PlacedFetch): MergeResponse {
  const rewrite = compileRewrites(supergraph, planned.fetch.outputRewrites);
  if (planned.fetch.requires === undefined) return mergeRoot(planned.path, rewrite);
  return mergeEntities(supergraph, area, planned.path, keys[0] ?? '', rewrite);
}

function mergeRoot(path: PlacedFetch['planned']['path'], rewrite: Rewrite): MergeResponse {
  return (run, _requested, data) => {
    rewrite?.(data);
    if (path.length > 0) for (const object of objectsAt(run.data, path)) merge(object, data);
    else if (Object.keys(run.data).length === 0) run.data = data;
    else merge(run.data, data);
  };
}

function mergeEntities(
  supergraph: GraphQLSchema,
  area: string,
  path: PlacedFetch['planned']['path'],
  key: string,
  rewrite: Rewrite,
): MergeResponse {
  function mergeEntity(entity: Entity, owners: readonly Entity[]): void {
    if (rewrite !== null) {
      entity['__typename'] ??= owners[0]?.['__typename'];
      rewrite(entity);
    }
    // an area that knows only the interface returns its name; the type name that is already known is more specific
    if (!isObjectType(supergraph.getType(String(entity['__typename'])))) Reflect.deleteProperty(entity, '__typename');
    for (const owner of owners) merge(owner, entity);
  }

  return (run, requested, data, hasErrors) => {
    const entities = data[key];
    if (!Array.isArray(entities) || entities.length !== requested.owners.length) {
      if (hasErrors) return;
      const message = `The area ${area} returned an unexpected number of entities.`;
      run.errors.push({ message, path: beforeItems(path), extensions: { serviceName: area } });
      return;
    }
    for (const [index, owners] of requested.owners.entries()) {
      const entity: unknown = entities[index];
      if (isRecord(entity)) mergeEntity(entity, owners);
      else if (!hasErrors) for (const owner of owners) run.absent.add(owner);
    }
  };
}
