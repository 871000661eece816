/** Plans of operations, each created once: a bounded cache, and a permanent one for registered operations. */
import { LRUCache } from 'lru-cache';
import { withinDeadline } from '../../platform/deadline.ts';
import { countPlan } from '../../platform/telemetry/metrics.ts';
import { Problem } from '../../schema/errors.ts';
import { operationTimeouts } from '../../schema/subgraph-client.ts';
import { conditionsKey, noConditions, type Conditions } from '../operations/conditions.ts';
import { cachedCharacters } from '../operations/limits.ts';
import type { Plan } from './plan.ts';
import { createPlanningQueue, PlannerCrash, slowPlanning, type PlanningQueue } from './planning-queue.ts';

/** Documents are valid, without introspection and without names reserved by the planner (router/operations/client-names.ts). */
export interface Planner {
  /**
   * The plan of a valid operation for these conditions. Rejects with query_too_complex when planning takes too much CPU time; the next
   * call plans again. Rejects with overloaded when too many operations wait, with upstream_timeout after `limitMs` (default: the time limit of a
   * query), and with PlannerCrash when the planner panics, also later.
   */
  plan(document: string, operationName: string | null, conditions?: Conditions, limitMs?: number): Promise<Plan>;
  /** The same, cached permanently: for registered operations. */
  pin(document: string, operationName: string | null, conditions?: Conditions): Promise<Plan>;
  close(): Promise<void>;
}

export interface PlannerOptions {
  readonly supergraphSdl: string;
  /** Maximum number of cached plans of unregistered operations; default 2,000. */
  readonly maxPlans?: number;
  /** Maximum number of operations that wait for their plans; default 200, which takes less than 10 s for the worst operations. */
  readonly maxWaiting?: number;
  /** CPU time per plan; default 2,000 ms. */
  readonly budgetMs?: number;
  /** A process of the planner that does not answer for this time is replaced; default 30,000 ms. */
  readonly answerMs?: number;
}

/** The process of the planner starts with the first operation. */
export function createPlanner(options: PlannerOptions): Planner {
  const { supergraphSdl, maxPlans = 2_000, maxWaiting = 200, budgetMs = 2_000, answerMs = 30_000 } = options;
  const queue = createPlanningQueue({ supergraphSdl, budgetMs }, answerMs);
  const pinned = new Map<string, Plan>();
  const inFlight = new Map<string, Promise<Plan>>();
  // an operation that ends the planner is not tried again
  const cache = new LRUCache<string, Plan | PlannerCrash>({
    max: maxPlans,
    maxSize: cachedCharacters,
    sizeCalculation: (_, key) => key.length + 1,
  });
  const keyOf = (document: string, operationName: string | null, conditions: Conditions): string =>
    `${operationName ?? ''} ${conditionsKey(conditions)}\n${document}`;

  async function planned(key: string, ...operation: Parameters<PlanningQueue['plan']>): Promise<Plan> {
    try {
      const plan = await queue.plan(...operation);
      cache.set(key, plan);
      return plan;
    } catch (error) {
      if (error instanceof PlannerCrash) cache.set(key, error);
      throw error;
    } finally {
      inFlight.delete(key);
    }
  }

  function planOnce(
    limit: number,
    limitMs: number | null,
    document: string,
    operationName: string | null,
    conditions: Conditions,
  ): Promise<Plan> {
    const awaited = (plan: Promise<Plan>) => (limitMs === null ? plan : withinDeadline(plan, limitMs, slowPlanning));
    const key = keyOf(document, operationName, conditions);
    const known = pinned.get(key) ?? cache.get(key);
    countPlan({ result: known === undefined ? 'miss' : 'hit' });
    if (known instanceof PlannerCrash) return Promise.reject(known);
    if (known !== undefined) return Promise.resolve(known);
    const sameOperation = inFlight.get(key);
    if (sameOperation !== undefined) return awaited(sameOperation);
    if (inFlight.size >= limit)
      return Promise.reject(new Problem('overloaded', 'Too many new operations wait for their plans. Retry the request.'));
    const running = planned(key, document, operationName, conditions);
    inFlight.set(key, running);
    return awaited(running);
  }

  return {
    plan: (document, operationName, conditions = noConditions, limitMs = operationTimeouts.queryMs) =>
      planOnce(maxWaiting, limitMs, document, operationName, conditions),
    async pin(document, operationName, conditions = noConditions) {
      const made = await planOnce(Infinity, null, document, operationName, conditions);
      pinned.set(keyOf(document, operationName, conditions), made);
      return made;
    },
    close: () => queue.close(),
  };
}
