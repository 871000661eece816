/** The quota store in PostgreSQL: batches into accounts.quota_take_many, refunds into accounts.quota_refund. */
import type { Logger } from 'pino';
import { sql, type Queryable } from '../../../platform/database.ts';
import { createBatches, type Entry, type Grant } from './batch.ts';
import type { Charge, QuotaStore, Subject, Usage } from './store.ts';

/** Settings of the pool the counters need for themselves, so that slow reads elsewhere never hold admission back; synchronous_commit stays on. */
export const quotaPool = { poolSize: 2, lockTimeoutMs: 250, statementTimeoutMs: 1500 } as const;

interface TakenRow extends Usage {
  readonly entry: number;
  readonly granted: number;
}

interface Refund {
  readonly subject: Subject;
  readonly day: string;
  readonly month: string;
  readonly cap: number;
  units: number;
  readonly waiting: { readonly units: number; readonly resolve: (given: number) => void }[];
}

/** First come first given. */
function share(given: number, { waiting }: Refund): void {
  let left = given;
  for (const { units, resolve } of waiting) {
    const own = Math.min(units, left);
    left -= own;
    resolve(own);
  }
}

/** The charge as accounts.quota_take knows it. */
function chargeOf({ charge, want, waiting }: Entry): string {
  const names: Record<Charge, string> = {
    COUNTED: want === waiting.length ? 'EACH' : 'TOGETHER',
    BURST_ONLY: 'BURST_ONLY',
    COUNTED_NEVER_REFUSED: 'NEVER_REFUSED',
    MORE: 'MORE',
  };
  return names[charge];
}

const bytea = (subject: Subject): string => `\\x${subject}`;

/** @param counters the router's own small pool (quotaPool), as role talent_router. */
export function createPostgresQuota(counters: Queryable, log: Pick<Logger, 'error'>): QuotaStore {
  async function send(entries: readonly Entry[]): Promise<Grant[]> {
    const rows = await counters.query<TakenRow>(sql`/* admission.takeQuota */
      select entry::int, granted, day, day_used::float8 as "dayUsed", month, month_used::float8 as "monthUsed",
        burst_left as "burstLeft", burst_wait_ms as "burstWaitMs", extract(epoch from clock)::float8 * 1000 as "clockMs"
      from accounts.quota_take_many(${entries.map(({ subject }) => bytea(subject))}::bytea[], ${entries.map(chargeOf)}::text[],
        ${entries.map(({ want }) => want)}::int[], ${entries.map(({ limits }) => limits.perDay)}::bigint[],
        ${entries.map(({ limits }) => limits.perMonth)}::bigint[], ${entries.map(({ limits }) => limits.burstPerMinute)}::int[])`);
    const grants: Grant[] = [];
    for (const { entry, granted, ...usage } of rows) grants[entry - 1] = { granted, usage };
    return grants;
  }

  const batches = createBatches({ send, onFault: (err) => log.error({ err }, 'quota store unavailable') });
  let refunds = new Map<string, Refund>();
  let refunding: Promise<void> | null = null;

  async function sendRefunds(): Promise<void> {
    while (refunds.size > 0) {
      await new Promise(setImmediate);
      const batch = [...refunds.values()];
      refunds = new Map();
      try {
        const given = await counters.query<{ entry: number; units: number | null }>(sql`/* admission.refundQuota */
          select entry::int, accounts.quota_refund(subject, day, month, units, cap) as units
          from (select * from unnest(${batch.map(({ subject }) => bytea(subject))}::bytea[], ${batch.map(({ day }) => day)}::date[],
            ${batch.map(({ month }) => month)}::date[], ${batch.map(({ units }) => units)}::bigint[],
            ${batch.map(({ cap }) => cap)}::bigint[]) with ordinality refund (subject, day, month, units, cap, entry) order by subject) refund`);
        for (const { subject } of batch) batches.forget(subject);
        const units = new Map(given.map((row) => [row.entry, row.units ?? 0]));
        batch.forEach((refund, index) => share(units.get(index + 1) ?? 0, refund));
      } catch (err) {
        log.error({ err, refunds: batch.length }, 'quota refunds lost');
        for (const refund of batch) share(0, refund);
      }
    }
    refunding = null;
  }

  return {
    take: (subject, limits, charge, cost) => batches.take(subject, limits, charge, cost),
    clockMs: () => batches.clockMs(),
    refund(subject, { day, month }, units, cap) {
      const name = `${subject} ${day} ${cap}`;
      const refund = refunds.get(name) ?? { subject, day, month, cap, units: 0, waiting: [] };
      refunds.set(name, refund);
      refund.units += units;
      refunding ??= sendRefunds();
      const { promise, resolve } = Promise.withResolvers<number>();
      refund.waiting.push({ units, resolve });
      return promise;
    },
    async close() {
      await batches.close();
      await refunding;
    },
  };
}
