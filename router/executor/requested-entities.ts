/** The entities that a fetch requests, as representations read from the data so far. */
import type { GraphQLSchema } from 'graphql';
import { mayGenerateCode } from '../../platform/code-generation.ts';
import { objectsAt, type Entity } from './data.ts';
import type { Run } from './fetch.ts';
import { generateVisits, type Visit } from './generated-gather.ts';
import { compileSelections } from './representations.ts';
import type { PlacedFetch } from './request-text.ts';
import type { FetchPart } from './schedule.ts';
import { compileRewrites } from './rewrites.ts';

/** Distinct representations, each requested once. */
export interface RequestedEntities {
  readonly representations: Entity[];
  /** The objects that each representation stands for: by path of the fetch, then by index of the representation. */
  readonly owners: readonly (Entity[] | undefined)[][];
}

/** Collects the entities of a fetch; null when there is nothing to request. */
export type GatherEntities = (run: Run) => RequestedEntities | null;

const rootFetch: RequestedEntities = { representations: [], owners: [] };

/** The objects at each path with their representations. */
function compileVisits(supergraph: GraphQLSchema, { fetch, paths }: FetchPart): readonly Visit[] {
  const read = compileSelections(supergraph, fetch.entities?.selections ?? []);
  const rewrite = compileRewrites(supergraph, fetch.entities?.rewrites ?? []);
  return paths.map((path): Visit => (data, collect) => {
    for (const object of objectsAt(data, path)) {
      const representation = read(object);
      if (representation === null || !representation['__typename']) continue;
      rewrite?.(representation);
      collect(object, representation, JSON.stringify(representation));
    }
  });
}

/** Compiles to generated code after some executions: an operation may never come again. */
export function compileGather(supergraph: GraphQLSchema, { part }: PlacedFetch, generateAfter: number): GatherEntities {
  if (part.fetch.entities === null) return () => rootFetch;
  let visits = compileVisits(supergraph, part);
  let left = mayGenerateCode ? generateAfter : -1;
  return (run) => {
    if (left === 0) visits = generateVisits(supergraph, part) ?? visits;
    if (left >= 0) left -= 1;
    const indexes = new Map<unknown, number>();
    const representations: Entity[] = [];
    const owners = visits.map((visit) => {
      const ofPath: (Entity[] | undefined)[] = [];
      visit(run.data, (object, representation, key) => {
        let index = indexes.get(key);
        if (index === undefined) indexes.set(key, (index = representations.push(representation) - 1));
        const known = ofPath[index];
        if (known === undefined) ofPath[index] = [object];
        // an object shared by two lists is found twice
        else if (known.at(-1) !== object) {
          known.push(object);
          run.hasSharedObjects = true;
        }
      });
      return ofPath;
    });
    return representations.length === 0 ? null : { representations, owners };
  };
}
