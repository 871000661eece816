/** Query plans of operations, created once by a single thread: a bounded cache, and a permanent one for registered operations. */
import type { QueryPlan } from '@apollo/query-planner';
import { LRUCache } from 'lru-cache';
import { Problem } from '../../schema/errors.ts';
import { cachedCharacters } from '../operations/limits.ts';
import { openPlanCache } from './plan-cache.ts';
import { openPlannerThread } from './thread.ts';

/**
 * The interface that a different planner can implement (docs/decisions/0021). Texts are valid, without introspection and without names
 * reserved by the planner; plans have the format that router/executor/steps.ts reads.
 */
export interface Planner {
  /** The query plan of a valid operation. Rejects with query_too_complex when planning takes too long. */
  plan(document: string, operationName: string | null): Promise<QueryPlan>;
  /** The same, cached permanently: for registered operations. */
  pin(document: string, operationName: string | null): Promise<QueryPlan>;
  /** Saves the pinned plans for the next start, and starts the planner thread. */
  warm(): Promise<void>;
  close(): Promise<void>;
}

export interface PlannerOptions {
  readonly supergraphSdl: string;
  /** Maximum number of cached plans of unregistered operations; default 2,000. */
  readonly maxPlans?: number;
  /** Time limit per plan; default 2,000 ms. */
  readonly budgetMs?: number;
  /** Folder in which pinned plans are cached between starts; not cached when absent. */
  readonly cacheFolder?: string | undefined;
}

export function createPlanner(options: PlannerOptions): Planner {
  const thread = openPlannerThread(options.supergraphSdl, options.budgetMs ?? 2_000);
  const planCache = options.cacheFolder === undefined ? null : openPlanCache(options.cacheFolder, options.supergraphSdl);
  const pinned = new Map<string, QueryPlan>();
  const inFlight = new Map<string, Promise<QueryPlan>>();
  // Errors are cached too: a hostile operation must not occupy the planner thread each time.
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
      const known = pinned.get(key) ?? planCache?.get(key);
      const made = known ?? (await plan(document, operationName));
      if (known === undefined) planCache?.set(key, made);
      pinned.set(key, made);
      return made;
    },
    async warm() {
      thread.warm();
      await planCache?.save();
    },
    close: () => thread.close(),
  };
}
