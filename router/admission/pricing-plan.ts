/** The pricing plan of anonymous callers: the active version of "free" in the database. */
import { LRUCache } from 'lru-cache';
import { sql, type Queryable } from '../../platform/database/database.ts';
import type { Limits } from './quota/store.ts';

export interface PricingPlan extends Limits {
  readonly code: string;
  readonly writes: boolean;
  /** Concurrent event streams. */
  readonly streams: number;
}

const anonymousPlan = 'free';
const lifeMs = 1000;

/** Serves the last known version while the database is down. Throws Problem upstream_unavailable before the first read; Error without an active plan. */
export function createAnonymousPlan(database: Queryable): () => Promise<PricingPlan> {
  const plans = new LRUCache<string, PricingPlan>({
    max: 1,
    ttl: lifeMs,
    // an expired entry is served at once and refreshed in the background
    allowStale: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: async (code) => {
      const [plan] = await database.query<PricingPlan>(sql`/* admission.anonymousPlan */
        select code, burst_per_minute as "burstPerMinute", per_day as "perDay", per_month as "perMonth", writes, streams
        from accounts.router_plan where code = ${code} and status = 'ACTIVE'`);
      return plan;
    },
  });
  return async () => {
    const plan = plans.get(anonymousPlan, { allowStale: false, noDeleteOnStaleGet: true }) ?? (await plans.fetch(anonymousPlan));
    if (plan === undefined) throw new Error(`No active pricing plan "${anonymousPlan}". Run the migrations.`);
    return plan;
  };
}
