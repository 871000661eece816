/** Flushes the usage collector into accounts.usage_flush every few seconds: idempotent batches, each repeated until its outcome is known. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { hasErrorCode } from '../../../platform/error-code.ts';
import { isOutage } from '../../../schema/errors.ts';
import type { Subject } from '../quota/store.ts';
import type { Collected, UsageCollector } from './collector.ts';
import { createRequestRows, type Routes } from './request-rows.ts';

/** A subject with more reported units than its counter ever showed. */
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
  /** The routes of the REST API, by which the request log names operations and paths; default: none. */
  readonly routes?: Routes;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** Called with subjects whose counter may have lost acknowledged units. */
  readonly onLaggingCounters?: (subjects: readonly LaggingCounter[]) => void;
  /** Infinity: only on calls of `flush`. */
  readonly everyMs?: number | undefined;
}

export interface UsageFlush {
  /** Flushes now; false when a batch has to wait for the database. */
  flush(): Promise<boolean>;
  /** Flushes what is left; units that the database does not accept are lost, and logged. */
  close(): Promise<void>;
}

const everyMs = 5_000;
/** Rows of each kind per statement, to bound the serialization time per event loop turn. */
const batchRows = 1_000;

interface Batch extends Collected {
  readonly id: string;
}

const chunksOf = <Row>(all: readonly Row[]): Row[][] =>
  Array.from({ length: Math.ceil(all.length / batchRows) }, (_, index) => all.slice(index * batchRows, (index + 1) * batchRows));

function batchesOf({ rows, subjects, keys, recent, requests, operations }: Collected): Batch[] {
  // a batch holds a subject once; around midnight a subject has rows of two days, and the earlier day goes first
  const days = [...Map.groupBy(subjects, ({ day }) => day)].sort(([one], [other]) => (one < other ? -1 : 1));
  const chunks = {
    rows: chunksOf(rows),
    subjects: days.flatMap(([, ofDay]) => chunksOf(ofDay)),
    keys: chunksOf(keys),
    recent: chunksOf(recent),
    requests: chunksOf(requests),
    operations: chunksOf(operations),
  };
  const length = Math.max(...Object.values(chunks).map((each) => each.length));
  return Array.from({ length }, (_, index) => ({
    id: randomUUID(),
    rows: chunks.rows[index] ?? [],
    subjects: chunks.subjects[index] ?? [],
    keys: chunks.keys[index] ?? [],
    recent: chunks.recent[index] ?? [],
    requests: chunks.requests[index] ?? [],
    operations: chunks.operations[index] ?? [],
  }));
}

/** Deadlock, serialization failure, lock timeout: the statement had no effect and can be repeated. */
const repeatable = ['40P01', '40001', '55P03'];

/** After an outage the outcome is unknown: a batch counts once, however often it is sent. */
const isRepeatable = (error: unknown): boolean => isOutage(error) || hasErrorCode(error, ...repeatable);

const requestsOf = (batches: readonly Batch[]): number =>
  batches.reduce((sum, { rows }) => sum + rows.reduce((requests, row) => requests + row.requests, 0), 0);

/** Starts the flush timer. While batches wait for the database, the collector is not drained; its memory is bounded. */
export function createUsageFlush(options: UsageFlushOptions): UsageFlush {
  const { database, collector, addressHash, routes = new Map(), log, onLaggingCounters } = options;
  const toRows = createRequestRows(routes);
  let waiting: Batch[] = [];
  let running: Promise<boolean> | null = null;
  let unavailable = false;

  async function send({ id, rows, subjects, keys, recent, requests, operations }: Batch): Promise<void> {
    const hashed = keys.map(({ key, at, address }) => ({ key, at, address: addressHash(address) }));
    const lagging = await database.query<LaggingCounter>(sql`/* usage.flush */
      select encode(subject, 'hex') as subject, day, day_units as "dayUnits", month, month_units as "monthUnits"
      from accounts.usage_flush(${id}::uuid, ${JSON.stringify(rows)}::jsonb, ${JSON.stringify(subjects)}::jsonb,
        ${JSON.stringify(hashed)}::jsonb, ${JSON.stringify(recent)}::jsonb, ${JSON.stringify(requests.map(toRows.logged))}::jsonb,
        ${JSON.stringify(operations.map(toRows.counted))}::jsonb)`);
    if (lagging.length > 0) onLaggingCounters?.(lagging);
  }

  async function run(): Promise<boolean> {
    if (waiting.length === 0) waiting = batchesOf(collector.drain());
    const lost = collector.drainLostCount();
    if (lost > 0) log.error({ requests: lost }, 'usage lost: collector full');
    const unlogged = collector.drainUnloggedCount();
    if (unlogged > 0) log.warn({ requests: unlogged }, 'request log rows dropped: collector full');
    for (let batch = waiting[0]; batch !== undefined; batch = waiting[0]) {
      try {
        await send(batch);
        unavailable = false;
      } catch (err) {
        if (isRepeatable(err)) {
          if (!unavailable) log.warn({ err }, 'usage flush waiting for the database');
          unavailable = true;
          return false;
        }
        log.error({ err, requests: requestsOf([batch]) }, 'usage lost: rejected by the database');
      }
      waiting.shift();
    }
    return true;
  }

  /** One run at a time; a call during a run waits for a further run, which includes everything recorded before the call. */
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
      // the first run sends waiting batches, the second what was recorded meanwhile
      if ((await flush()) && (await flush())) return;
      log.error({ requests: requestsOf([...waiting, ...batchesOf(collector.drain())]) }, 'usage lost: database unavailable');
    },
  };
}
