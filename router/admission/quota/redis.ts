/** The quota store in Redis: one call of quota.lua per entry of a batch, on the server of its subject. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { redisScript, type RedisConnection } from '../../../platform/redis/redis.ts';
import { chargeOf, createBatches, withinStoreDeadline, type Entry, type EntryResult } from './batches.ts';
import { dayNumber, dayOf, monthNumber, monthOf } from './calendar.ts';
import { createRefunds } from './refunds.ts';
import { QuotaStoreError, type CounterLevel, type Debt, type QuotaStore, type Subject } from './store.ts';

export const quotaScript = readFileSync(join(import.meta.dirname, 'quota.lua'), 'utf8');

export interface RedisQuotaOptions {
  readonly redis: RedisConnection;
  /** Reads counters from PostgreSQL for subjects that Redis does not have. Not retried for a second after a failure. */
  readonly readCounters: (subjects: readonly Subject[]) => Promise<ReadonlyMap<Subject, CounterLevel>>;
  readonly log: Pick<Logger, 'error'>;
  /** quotaScript when absent. */
  readonly script?: string | undefined;
}

/** The key of a counter; the hash tag places related keys on the same server. */
const keyOf = (subject: Subject): string => `quota:{${subject}}`;

type Argument = string | number;
/** A result of quota.lua. */
type Numbers = readonly number[];

/** A list of numbers. Throws Error for any other result. */
function numbersOf(result: unknown): Numbers {
  if (Array.isArray(result) && result.every((each) => typeof each === 'number')) return result;
  throw new Error('quota.lua returned an unexpected result');
}

/** Initial values of a counter that Redis does not have. */
const initialValues = (counted: CounterLevel | undefined): Argument[] =>
  counted === undefined ? [0, 0, 0, 0] : [dayNumber(counted.day), counted.dayUsed, monthNumber(counted.month), counted.monthUsed];

function resultOf([
  acquired = 0,
  day = 0,
  dayUsed = 0,
  month = 0,
  monthUsed = 0,
  burstLeft = 0,
  waitUs = 0,
  clockUs = 0,
]: Numbers): EntryResult {
  const usage = { day: dayOf(day), dayUsed, month: monthOf(month), monthUsed, burstLeft };
  return { acquired, usage: { ...usage, burstWaitMs: waitUs / 1000, clockMs: clockUs / 1000 } };
}

const failed = <Result>(settled: PromiseSettledResult<Result>): settled is PromiseRejectedResult => settled.status === 'rejected';

/** Below the batch deadline, so that a hanging PostgreSQL is not attributed to Redis. */
const readTimeoutMs = 500;
const readRetryMs = 1000;

export function createRedisQuota({ redis, readCounters, log, script: text = quotaScript }: RedisQuotaOptions): QuotaStore {
  const script = redisScript(text);
  let unavailableUntil = -Infinity;

  /** Rejects with QuotaStoreError. */
  async function readOrFail(subjects: readonly Subject[]): Promise<ReadonlyMap<Subject, CounterLevel>> {
    if (performance.now() < unavailableUntil) throw new QuotaStoreError('SUBJECT', null);
    try {
      return await withinStoreDeadline(readCounters(subjects), readTimeoutMs);
    } catch (fault) {
      unavailableUntil = performance.now() + readRetryMs;
      throw new QuotaStoreError('SUBJECT', fault);
    }
  }

  const run = (subject: Subject, args: readonly Argument[], more: readonly string[] = []): Promise<unknown> =>
    redis.run(script, [keyOf(subject), ...more], args);

  /**
   * Runs a command for each item; for a missing counter, again with the initial values from PostgreSQL.
   * A failure to read from PostgreSQL fails the SUBJECT; all other failures are of the SERVER.
   */
  async function runEach<Item extends { readonly subject: Subject }>(
    items: readonly Item[],
    args: (item: Item) => readonly Argument[],
    more?: (item: Item) => readonly string[],
  ): Promise<PromiseSettledResult<unknown>[]> {
    const once = (item: Item, initial: readonly Argument[] = []) => run(item.subject, [...args(item), ...initial], more?.(item));
    const settled = await Promise.allSettled(items.map((item) => once(item)));
    const absent = items.flatMap((item, index) => {
      const answer = settled[index];
      return answer?.status === 'fulfilled' && answer.value === null ? [{ item, index }] : [];
    });
    if (absent.length === 0) return settled;
    const counted = readOrFail([...new Set(absent.map(({ item }) => item.subject))]);
    const again = absent.map(async ({ item }) => once(item, initialValues((await counted).get(item.subject))));
    (await Promise.allSettled(again)).forEach((answer, position) => {
      const { index } = absent[position] ?? {};
      if (index !== undefined) settled[index] = answer;
    });
    return settled;
  }

  const batches = createBatches({
    serverOf: (subject) => redis.serverOf(keyOf(subject)),
    async send(entries: readonly Entry[]) {
      const settled = await runEach(entries, (entry) => {
        const { perDay, perMonth, burstPerMinute } = entry.limits;
        return ['ACQUIRE', chargeOf(entry), entry.want, perDay, perMonth, burstPerMinute];
      });
      return settled.map((answer) => (failed(answer) ? answer : { ...answer, value: resultOf(numbersOf(answer.value)) }));
    },
    onError: (err) => log.error({ err }, 'quota store unavailable'),
  });

  const refunds = createRefunds(async (batch) => {
    const given = await Promise.allSettled(
      batch.map(({ subject, day, month, units, cap }) =>
        run(subject, ['REFUND', dayNumber(day), monthNumber(month), units, cap ?? 'none']),
      ),
    );
    for (const { subject } of batch) batches.forget(subject);
    const lost = given.filter(failed);
    const reason: unknown = lost[0]?.reason;
    if (lost.length > 0) log.error({ err: reason, refunds: lost.length }, 'quota refunds lost');
    return given.map((one) => (failed(one) ? 0 : Number(one.value)));
  }, log);

  return {
    acquire: (subject, limits, charge, cost) => batches.acquire(subject, limits, charge, cost),
    clockMs: () => batches.clockMs(),
    refund: (subject, at, units, cap) => refunds.refund(subject, at, units, cap),
    async postDebts(debts) {
      const settled = await runEach(
        debts,
        ({ day, month, units }) => ['POST_DEBT', dayNumber(day), monthNumber(month), units],
        ({ subject, id }) => [`${keyOf(subject)}:owed:${id}`],
      );
      const lost = settled.filter(failed).find(({ reason }) => !(reason instanceof QuotaStoreError));
      if (lost) throw lost.reason;
      return debts.filter((_: Debt, index) => settled[index]?.status === 'rejected');
    },
    async raise(counted) {
      const raised = await Promise.all(
        counted.map(({ subject, day, dayUsed, month, monthUsed }) =>
          run(subject, ['RAISE', dayNumber(day), dayUsed, monthNumber(month), monthUsed]),
        ),
      );
      return raised.filter((one) => one === 1).length;
    },
    serverOf: (subject) => redis.serverOf(keyOf(subject)),
    async close() {
      await batches.close();
      await refunds.close();
    },
  };
}

/** The current usage of a subject, without charging; null when Redis has no counter. */
export async function readRedisCounter(redis: RedisConnection, subject: Subject): Promise<CounterLevel | null> {
  const answer = await redis.run(redisScript(quotaScript), [keyOf(subject)], ['READ']);
  if (answer === null) return null;
  const { usage } = resultOf([0, ...numbersOf(answer)]);
  return { subject, day: usage.day, dayUsed: usage.dayUsed, month: usage.month, monthUsed: usage.monthUsed };
}
