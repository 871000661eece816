/** The prepared operations of a graph: registered operations are kept permanently, others in a bounded cache. */
import { LRUCache } from 'lru-cache';
import { Problem } from '../../schema/errors.ts';
import type { Audience, GraphOperation } from '../graph.ts';
import { cachedCharacters } from './limits.ts';
import { operationKey, type OperationKey } from './operation-key.ts';
import { prepareOperation, type AudienceSchema, type PreparedOperation } from './prepared-operation.ts';

export interface PreparedOperations {
  register(documents: ReadonlyMap<string, () => string>): void;
  /** Throws operation_unknown, or what prepareOperation throws. */
  get(operation: GraphOperation): PreparedOperation;
  registered(): Iterable<PreparedOperation>;
  has(key: OperationKey): boolean;
}

export function createPreparedOperations(audiences: Readonly<Record<Audience, AudienceSchema>>, max = 2_000): PreparedOperations {
  const registered = new Map<string, () => PreparedOperation>();
  const cache = new LRUCache<string, PreparedOperation>({ max, maxSize: cachedCharacters });
  return {
    register(documents) {
      for (const [id, text] of documents) {
        let prepared: PreparedOperation | undefined;
        registered.set(id, () => (prepared ??= prepareOperation(audiences.public, text(), null, { validated: true })));
      }
    },
    get(operation) {
      if ('id' in operation) {
        const prepare = registered.get(operation.id);
        if (prepare === undefined) throw new Problem('operation_unknown', `The operation "${operation.id}" does not exist.`);
        return prepare();
      }
      const { text, operationName, audience, document } = operation;
      const { hash, size } = operationKey(operation);
      const known = cache.get(hash);
      if (known !== undefined) return known;
      const validated = document !== undefined;
      const prepared = prepareOperation(audiences[audience], document ?? text, operationName, { validated });
      cache.set(hash, prepared, { size: size + 1 });
      return prepared;
    },
    *registered() {
      for (const prepare of registered.values()) yield prepare();
    },
    has: ({ hash }) => cache.has(hash),
  };
}
