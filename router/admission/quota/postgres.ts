/** The quota store in PostgreSQL: batches call accounts.quota_take_many, refunds call accounts.quota_refund. */
import type { Logger } from 'pino';
import { sql, type DatabaseOptions, type Queryable } from '../../../platform/database/database.ts';
import { statementTimeoutMs } from '../../../platform/database/roles.ts';
import { hasErrorCode } from '../../../platform/error-code.ts';
import { chargeOf, createBatches, type Entry, type EntryResult } from './batches.ts';
import { createRefunds, type Refund } from './refunds.ts';
import { QuotaStoreError, type CounterLevel, type QuotaStore, type Subject, type Usage } from './store.ts';

/**
 * Pool settings of the counters: a separate pool, so that slow reads elsewhere never delay admission. synchronous_commit stays on.
 * Connections to a vanished server time out quickly, so that they do not block new ones to its successor.
 */
export const quotaPool = {
  poolSize: 2,
  statementTimeoutMs: 1500,
  // that of the role: the router cancels a slow statement itself
  serverTimeoutMs: statementTimeoutMs,
} as const satisfies Partial<DatabaseOptions>;

interface TakenRow extends Usage {
  readonly entry: number;
  readonly granted: number;
}

/** SQLSTATE of a lock timeout: the statement had no effect, and the server is up. */
const rowLocked = '55P03';

const bytea = (subject: Subject): string => `\\x${subject}`;

/**
 * The current windows of subjects in PostgreSQL, to initialize counters elsewhere.
 * Throws Problem upstream_unavailable.
 */
export async function readPostgresCounters(
  database: Queryable,
  subjects: readonly Subject[],
): Promise<ReadonlyMap<Subject, CounterLevel>> {
  const rows = await database.query<CounterLevel>(sql`/* admission.hydrateQuota */
    select encode(subject, 'hex') as subject, day, day_used::float8 as "dayUsed", month, month_used::float8 as "monthUsed"
    from accounts.quota_hydrate(${subjects.map(bytea)}::bytea[])`);
  return new Map(rows.map((row) => [row.subject, row]));
}

/** @param counters the router's own small pool (quotaPool), as role talent_router. */
export function createPostgresQuota(counters: Queryable, log: Pick<Logger, 'error'>): QuotaStore {
  async function acquire(entries: readonly Entry[]): Promise<PromiseSettledResult<EntryResult>[]> {
    const rows = await counters.query<TakenRow>(sql`/* admission.takeQuota */
      select entry::int, granted, day, day_used::float8 as "dayUsed", month, month_used::float8 as "monthUsed",
        burst_left as "burstLeft", burst_wait_ms as "burstWaitMs", extract(epoch from clock)::float8 * 1000 as "clockMs"
      from accounts.quota_take_many(${entries.map(({ subject }) => bytea(subject))}::bytea[], ${entries.map(chargeOf)}::text[],
        ${entries.map(({ want }) => want)}::int[], ${entries.map(({ limits }) => limits.perDay)}::bigint[],
        ${entries.map(({ limits }) => limits.perMonth)}::bigint[], ${entries.map(({ limits }) => limits.burstPerMinute)}::int[])`);
    const results: PromiseSettledResult<EntryResult>[] = [];
    for (const { entry, granted: acquired, ...usage } of rows)
      results[entry - 1] = { status: 'fulfilled', value: { acquired, usage } };
    return results;
  }

  /** After a lock timeout, retries each subject separately: one locked row must not block the others. */
  async function send(entries: readonly Entry[]): Promise<PromiseSettledResult<EntryResult>[]> {
    try {
      return await acquire(entries);
    } catch (error) {
      if (!hasErrorCode(error, rowLocked)) throw error;
    }
    const results = new Map<Entry, PromiseSettledResult<EntryResult>>();
    const acquireSeparately = async (own: readonly Entry[]): Promise<void> => {
      const settled = await acquire(own).catch((error: unknown) => {
        const reason = hasErrorCode(error, rowLocked) ? new QuotaStoreError('SUBJECT', error) : error;
        return own.map(() => ({ status: 'rejected', reason }) as const);
      });
      settled.forEach((result, index) => {
        const entry = own[index];
        if (entry) results.set(entry, result);
      });
    };
    await Promise.all([...Map.groupBy(entries, ({ subject }) => subject).values()].map(acquireSeparately));
    return entries.map((entry) => results.get(entry) ?? { status: 'rejected', reason: null });
  }

  const batches = createBatches({
    send,
    serverOf: () => '',
    onError: (err) => log.error({ err }, 'quota store unavailable'),
  });

  async function refundBatch(batch: readonly Refund[]): Promise<number[]> {
    const given = await counters.query<{ entry: number; units: number | null }>(sql`/* admission.refundQuota */
      select entry::int, accounts.quota_refund(subject, day, month, units, cap) as units
      from (select * from unnest(${batch.map(({ subject }) => bytea(subject))}::bytea[], ${batch.map(({ day }) => day)}::date[],
        ${batch.map(({ month }) => month)}::date[], ${batch.map(({ units }) => units)}::bigint[],
        ${batch.map(({ cap }) => cap)}::bigint[]) with ordinality refund (subject, day, month, units, cap, entry) order by subject) refund`);
    for (const { subject } of batch) batches.forget(subject);
    const units = new Map(given.map((row) => [row.entry, row.units ?? 0]));
    return batch.map((_, index) => units.get(index + 1) ?? 0);
  }

  const refunds = createRefunds(refundBatch, log);

  return {
    acquire: (subject, limits, charge, cost) => batches.acquire(subject, limits, charge, cost),
    clockMs: () => batches.clockMs(),
    refund: (subject, at, units, cap) => refunds.refund(subject, at, units, cap),
    async postDebts(debts) {
      try {
        await counters.query(sql`/* admission.oweQuota */
          select accounts.quota_owe(${debts.map(({ id }) => id)}::uuid[], ${debts.map(({ subject }) => bytea(subject))}::bytea[],
            ${debts.map(({ day }) => day)}::date[], ${debts.map(({ month }) => month)}::date[],
            ${debts.map(({ units }) => units)}::bigint[])`);
        return [];
      } catch (error) {
        if (hasErrorCode(error, rowLocked)) return debts;
        throw error;
      }
    },
    async raise(counted) {
      const [row] = await counters.query<{ raised: number }>(sql`/* admission.raiseQuota */
        select accounts.quota_raise(${counted.map(({ subject }) => bytea(subject))}::bytea[],
          ${counted.map(({ day }) => day)}::date[], ${counted.map(({ dayUsed }) => dayUsed)}::bigint[],
          ${counted.map(({ month }) => month)}::date[], ${counted.map(({ monthUsed }) => monthUsed)}::bigint[]) as raised`);
      return row?.raised ?? 0;
    },
    serverOf: () => '',
    async close() {
      await batches.close();
      await refunds.close();
    },
  };
}
