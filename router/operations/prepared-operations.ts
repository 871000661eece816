/** The prepared operations of a graph: registered operations are kept permanently, others in a bounded cache. */
import { LRUCache } from 'lru-cache';
import { Problem } from '../../schema/errors.ts';
import type { Audience, GraphOperation, TextGraphOperation } from '../graph.ts';
import { conditionsKey, noConditions, type Conditions, type Variables } from './conditions.ts';
import { cachedCharacters } from './limits.ts';
import { operationKey, type OperationKey } from './operation-key.ts';
import { prepareOperation, type AudienceSchema, type PreparedOperation } from './prepared-operation.ts';

export interface PreparedOperations {
  register(documents: ReadonlyMap<string, () => string>): void;
  /** Throws operation_unknown, or what prepareOperation throws. */
  get(operation: GraphOperation): PreparedOperation;
  registered(): Iterable<PreparedOperation>;
  /** Does not prepare the operation. */
  variantOf(operation: TextGraphOperation, variables: Variables): OperationVariant;
  /** Records that the operation was planned for these conditions. */
  planned(prepared: PreparedOperation, conditions: Conditions): void;
}

/** An operation under the conditions of its variables: each set of their values has its own plan. */
export interface OperationVariant {
  readonly key: OperationKey;
  /** Whether this process has not planned it yet. */
  readonly isNew: boolean;
}

/** Sets of conditions that are recorded per operation; others count as new. */
const variantsMax = 1_000;

/** The conditions of unchecked variables; none when they are invalid, because such a request is rejected before it is planned. */
function conditionsFor({ conditionsOf, renamed }: PreparedOperation, variables: Variables): Conditions {
  try {
    return conditionsOf(renamed?.renameVariables(variables) ?? variables);
  } catch {
    return noConditions;
  }
}

export function createPreparedOperations(audiences: Readonly<Record<Audience, AudienceSchema>>, max = 2_000): PreparedOperations {
  const registered = new Map<string, () => PreparedOperation>();
  const cache = new LRUCache<string, PreparedOperation>({ max, maxSize: cachedCharacters });
  const variants = new WeakMap<PreparedOperation, Set<string>>();
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
    variantOf(operation, variables) {
      const key = operationKey(operation);
      const prepared = cache.get(key.hash);
      if (prepared === undefined) return { key, isNew: true };
      const conditions = conditionsKey(conditionsFor(prepared, variables));
      if (conditions === '') return { key, isNew: false };
      const isNew = variants.get(prepared)?.has(conditions) !== true;
      return { key: { ...key, hash: `${key.hash} ${conditions}` }, isNew };
    },
    planned(prepared, conditions) {
      if (conditions.size === 0) return;
      const known = variants.get(prepared) ?? new Set();
      variants.set(prepared, known);
      if (known.size < variantsMax) known.add(conditionsKey(conditions));
    },
  };
}
