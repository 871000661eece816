/** Plans of operations: planned once, by one thread, kept in a bounded cache; registered operations are kept for good. */
import type { QueryPlan } from '@apollo/query-planner';
import { LRUCache } from 'lru-cache';
import { Problem } from '../../schema/errors.ts';
import { cachedCharacters } from '../operations/limits.ts';
import { openPlanCache } from './plan-cache.ts';
import { openPlannerThread } from './thread.ts';

/**
 * The seam behind which another planner can stand (docs/decisions/0021): texts are valid and without introspection and names of the planner's
 * own, plans are such as router/executor/steps.ts reads.
 */
export interface Planner {
  /** The plan of a valid operation. Rejects with query_too_complex when planning it takes too long. */
  plan(document: string, operationName: string | null): Promise<QueryPlan>;
  /** The same, kept for good: for operations known beforehand. */
  pin(document: string, operationName: string | null): Promise<QueryPlan>;
  /** Keeps what is pinned for the next start, and makes ready for what is not known beforehand. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

export interface PlannerOptions {
  readonly supergraphSdl: string;
  /** Unregistered plans kept at most; default 2,000. */
  readonly maxPlans?: number;
  /** Time one plan may take; default 2,000 ms. */
  readonly budgetMs?: number;
  /** Folder in which pinned plans are kept from one start to the next; they are not when absent. */
  readonly cacheFolder?: string | undefined;
}

export function createPlanner(options: PlannerOptions): Planner {
  const thread = openPlannerThread(options.supergraphSdl, options.budgetMs ?? 2_000);
  const kept = options.cacheFolder === undefined ? null : openPlanCache(options.cacheFolder, options.supergraphSdl);
  const pinned = new Map<string, QueryPlan>();
  const inFlight = new Map<string, Promise<QueryPlan>>();
  // Refusals are kept too: a hostile operation must not cost a planner thread each time.
  const cache = new LRUCache<string, QueryPlan | Problem>({
    max: options.maxPlans ?? 2_000,
    maxSize: cachedCharacters,
    sizeCalculation: (_, key) => key.length + 1,
  });
  const keyOf = (document: string, operationName: string | null): string => `${operationName ?? ''}\n${document}`;

  async function planned(key: string, document: string, operationName: string | null): Promise<QueryPlan> {
    try {
      const plan = await thread.plan(document, operationName);
      cache.set(key, plan);
      return plan;
    } catch (error) {
      if (error instanceof Problem && error.code === 'query_too_complex') cache.set(key, error);
      throw error;
    } finally {
      inFlight.delete(key);
    }
  }

  function plan(document: string, operationName: string | null): Promise<QueryPlan> {
    const key = keyOf(document, operationName);
    const known = pinned.get(key) ?? cache.get(key);
    if (known instanceof Problem) return Promise.reject(known);
    if (known !== undefined) return Promise.resolve(known);
    const running = inFlight.get(key) ?? planned(key, document, operationName);
    inFlight.set(key, running);
    return running;
  }

  return {
    plan,
    pin: async (document, operationName) => {
      const key = keyOf(document, operationName);
      const known = pinned.get(key) ?? kept?.get(key);
      const made = known ?? (await plan(document, operationName));
      if (known === undefined) kept?.set(key, made);
      pinned.set(key, made);
      return made;
    },
    async warm() {
      thread.warm();
      await kept?.save();
    },
    close: () => thread.close(),
  };
}
