/** The plan of anonymous readers: the active version of "free", as the database has it now. */
import { LRUCache } from 'lru-cache';
import { sql, type Queryable } from '../../platform/database/database.ts';
import type { Limits } from './quota/store.ts';

export interface PricingPlan extends Limits {
  readonly code: string;
  readonly writes: boolean;
}

const anonymousPlan = 'free';
const lifeMs = 1000;

/** The last version that was seen is used on while the database is away. Throws Problem upstream_unavailable before there is one; Error when there is no such plan. */
export function createAnonymousPlan(database: Queryable): () => Promise<PricingPlan> {
  const plans = new LRUCache<string, PricingPlan>({
    max: 1,
    ttl: lifeMs,
    // who asks for an old one has it at once, and the next one has the new one
    allowStale: true,
    noDeleteOnFetchRejection: true,
    fetchMethod: async (code) => {
      const [plan] = await database.query<PricingPlan>(sql`/* admission.anonymousPlan */
        select code, burst_per_minute as "burstPerMinute", per_day as "perDay", per_month as "perMonth", writes
        from accounts.router_plan where code = ${code} and status = 'ACTIVE'`);
      return plan;
    },
  });
  return async () => {
    const plan = plans.get(anonymousPlan, { allowStale: false, noDeleteOnStaleGet: true }) ?? (await plans.fetch(anonymousPlan));
    if (plan === undefined) throw new Error(`There is no active plan "${anonymousPlan}": run the migrations.`);
    return plan;
  };
}
