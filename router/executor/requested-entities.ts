/** The entities that a fetch requests, as representations read from the data so far. */
import type { GraphQLSchema } from 'graphql';
import { objectsAt, type Entity } from './data.ts';
import type { Run } from './fetch.ts';
import { compileSelections } from './representations.ts';
import type { PlacedFetch } from './request-text.ts';
import { compileRewrites } from './rewrites.ts';

/** Distinct representations, each requested once. */
export interface RequestedEntities {
  readonly representations: Entity[];
  /** For each representation, the objects that it stands for. */
  readonly owners: Entity[][];
}

/** Collects the entities of a fetch; null when there is nothing to request. */
export type GatherEntities = (run: Run) => RequestedEntities | null;

const rootFetch: RequestedEntities = { representations: [], owners: [] };

export function compileGather(supergraph: GraphQLSchema, { planned }: PlacedFetch): GatherEntities {
  const { requires, inputRewrites } = planned.fetch;
  if (requires === undefined) return () => rootFetch;
  const read = compileSelections(supergraph, requires);
  const rewrite = compileRewrites(supergraph, inputRewrites);
  return (run) => {
    const indexes = new Map<string, number>();
    const requested: RequestedEntities = { representations: [], owners: [] };
    for (const object of objectsAt(run.data, planned.path)) {
      const representation = read(object);
      if (representation === null || !representation['__typename']) continue;
      rewrite?.(representation);
      const key = JSON.stringify(representation);
      const index = indexes.get(key);
      if (index === undefined) {
        indexes.set(key, requested.representations.push(representation) - 1);
        requested.owners.push([object]);
      } else {
        const owners = requested.owners[index] ?? [];
        // an object shared by two lists is found twice
        if (owners.at(-1) !== object) owners.push(object);
        run.hasSharedObjects = true;
      }
    }
    return requested.representations.length === 0 ? null : requested;
  };
}
