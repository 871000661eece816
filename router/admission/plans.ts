/** The plan of anonymous readers: the active version of "free", as the database has it now. */
import { LRUCache } from 'lru-cache';
import { sql, type Queryable } from '../../platform/database.ts';
import type { Limits } from './quota/store.ts';

export interface Plan extends Limits {
  readonly code: string;
  readonly writes: boolean;
}

const anonymousPlan = 'free';
const lifeMs = 1000;

/** @throws Problem upstream_unavailable; Error when there is no such plan. */
export function createAnonymousPlan(database: Queryable): () => Promise<Plan> {
  const plans = new LRUCache<string, Plan>({
    max: 1,
    ttl: lifeMs,
    fetchMethod: async (code) => {
      const [plan] = await database.query<Plan>(sql`/* admission.anonymousPlan */
        select code, burst_per_minute as "burstPerMinute", per_day as "perDay", per_month as "perMonth", writes
        from accounts.router_plan where code = ${code} and status = 'ACTIVE'`);
      return plan;
    },
  });
  return async () => {
    const plan = plans.get(anonymousPlan) ?? (await plans.fetch(anonymousPlan));
    if (plan === undefined) throw new Error(`There is no active plan "${anonymousPlan}": run the migrations.`);
    return plan;
  };
}
