/** Brings what the collector counted into accounts.usage_flush every few seconds: batches with an id, each repeated until its fate is known. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { hasErrorCode } from '../../../platform/error-code.ts';
import { Problem } from '../../../schema/errors.ts';
import type { Subject } from '../quota/store.ts';
import type { Collected, UsageCollector } from './collector.ts';

/** What was told of a subject is more than its counter was ever seen to be. */
export interface LaggingCounter {
  readonly subject: Subject;
  readonly day: string;
  readonly dayUnits: number;
  readonly month: string;
  readonly monthUnits: number;
}

export interface UsageFlushOptions {
  /** Role talent_router. */
  readonly database: Queryable;
  readonly collector: UsageCollector;
  /** The hash under which an address is stored. */
  readonly addressHash: (address: string) => string;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** Told of subjects whose counter may have lost what it acknowledged. */
  readonly onLaggingCounters?: (subjects: readonly LaggingCounter[]) => void;
  /** Infinity: only when it is told to. */
  readonly everyMs?: number | undefined;
}

export interface UsageFlush {
  /** Flushes now; false when something has to wait for the database. */
  flush(): Promise<boolean>;
  /** Flushes what is left; what the database cannot take then is lost, and logged. */
  close(): Promise<void>;
}

const everyMs = 5_000;
/** Rows of each kind in one statement, so that no turn of the event loop serializes more. */
const batchRows = 1_000;

interface Batch extends Collected {
  readonly id: string;
}

const partsOf = <Row>(all: readonly Row[]): Row[][] =>
  Array.from({ length: Math.ceil(all.length / batchRows) }, (_, index) => all.slice(index * batchRows, (index + 1) * batchRows));

function batchesOf({ rows, subjects, keys, recent }: Collected): Batch[] {
  // a batch has a subject once; around midnight it is told of both days, and of the one that ends first
  const days = [...Map.groupBy(subjects, ({ day }) => day)].sort(([one], [other]) => (one < other ? -1 : 1));
  const parts = {
    rows: partsOf(rows),
    subjects: days.flatMap(([, ofDay]) => partsOf(ofDay)),
    keys: partsOf(keys),
    recent: partsOf(recent),
  };
  const length = Math.max(...Object.values(parts).map((each) => each.length));
  return Array.from({ length }, (_, index) => ({
    id: randomUUID(),
    rows: parts.rows[index] ?? [],
    subjects: parts.subjects[index] ?? [],
    keys: parts.keys[index] ?? [],
    recent: parts.recent[index] ?? [],
  }));
}

/** Deadlock, lock timeout: the statement left nothing, and may be sent again. */
const repeatable = ['40P01', '40001', '55P03'];
/** Its outcome is not known, or it took too long: a batch counts once, however often it is sent. */
const passing: ReadonlySet<string> = new Set(['upstream_unavailable', 'upstream_timeout']);

const mayBeRepeated = (fault: unknown): boolean =>
  (fault instanceof Problem && passing.has(fault.code)) || hasErrorCode(fault, ...repeatable);

const requestsOf = (batches: readonly Batch[]): number =>
  batches.reduce((sum, { rows }) => sum + rows.reduce((requests, row) => requests + row.requests, 0), 0);

/** Starts flushing. While batches wait for their fate nothing more is taken from the collector, whose memory is bounded. */
export function createUsageFlush(options: UsageFlushOptions): UsageFlush {
  const { database, collector, addressHash, log, onLaggingCounters } = options;
  let waiting: Batch[] = [];
  let running: Promise<boolean> | null = null;
  let away = false;

  async function send({ id, rows, subjects, keys, recent }: Batch): Promise<void> {
    const hashed = keys.map(({ key, at, address }) => ({ key, at, address: addressHash(address) }));
    const behind = await database.query<LaggingCounter>(sql`/* usage.flush */
      select encode(subject, 'hex') as subject, day, day_units as "dayUnits", month, month_units as "monthUnits"
      from accounts.usage_flush(${id}::uuid, ${JSON.stringify(rows)}::jsonb, ${JSON.stringify(subjects)}::jsonb,
        ${JSON.stringify(hashed)}::jsonb, ${JSON.stringify(recent)}::jsonb)`);
    if (behind.length > 0) onLaggingCounters?.(behind);
  }

  async function run(): Promise<boolean> {
    if (waiting.length === 0) waiting = batchesOf(collector.drain());
    const lost = collector.drainLostCount();
    if (lost > 0) log.error({ requests: lost }, 'usage lost: too many different requests waited for the database');
    for (let batch = waiting[0]; batch !== undefined; batch = waiting[0]) {
      try {
        await send(batch);
        away = false;
      } catch (err) {
        if (mayBeRepeated(err)) {
          if (!away) log.warn({ err }, 'usage waits for the database');
          away = true;
          return false;
        }
        log.error({ err, requests: requestsOf([batch]) }, 'usage lost: the database refuses it');
      }
      waiting.shift();
    }
    return true;
  }

  /** One at a time; who calls meanwhile waits for a further run, so that what was counted before the call is in it. */
  function flush(): Promise<boolean> {
    const next = (running ?? Promise.resolve(true)).then(run).finally(() => {
      if (running === next) running = null;
    });
    running = next;
    return next;
  }

  const interval = options.everyMs ?? everyMs;
  const tick = (): void => {
    if (running === null) void flush();
  };
  const timer = interval === Infinity ? undefined : setInterval(tick, interval).unref();

  return {
    flush,
    async close() {
      clearInterval(timer);
      // what waited goes first, then what was counted meanwhile
      if ((await flush()) && (await flush())) return;
      log.error({ requests: requestsOf([...waiting, ...batchesOf(collector.drain())]) }, 'usage lost: the database is away');
    },
  };
}
