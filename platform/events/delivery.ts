/** Delivery of events: gives committed events their positions and passes them to consumers in batches. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Area } from '../../schema/areas.ts';
import type { Graph } from '../../schema/entry-point.ts';
import { sql, type Database } from '../database/database.ts';
import { countEvents } from '../telemetry/metrics.ts';
import { currentRequestId } from '../telemetry/request-scope.ts';
import { withRequest } from '../telemetry/tracing.ts';
import { appliesEvents, type ApplyingConsumer, type Consumer } from './consumer.ts';
import { applySeparately, isTemporary, resolveDeadLetters, retryDeadLetters } from './dead-letters.ts';
import { batchSize, eventAt, readEvents, readOutboxStates, stamp } from './outbox-reads.ts';

export interface DeliveryOptions {
  readonly database: Database;
  readonly areas: readonly Area[];
  readonly consumers: readonly Consumer[];
  /** The graph with the rights of the system. */
  readonly graph: Graph;
  readonly log: Logger;
  /** The consumers whose dead letters are retried at once; handled ones are removed. */
  readonly retryRequested?: Set<Consumer>;
}

const retryMs = 1_000;
const retryMaxMs = 60_000;
/** Attempts of a whole batch before its resources are applied one by one. */
const attemptsMax = 3;

/** What this process knows about a consumer. */
interface Progress {
  /** The position in its inbox; null until it is read, and after another relay changed it. */
  position: number | null;
  hasDeadLetters: boolean;
  /** Consecutive failures, and those among them that another attempt does not cure. */
  failures: number;
  permanentFailures: number;
  /** Time of the next attempt. */
  untilMs: number;
}

const newProgress = (): Progress => ({
  position: null,
  hasDeadLetters: false,
  failures: 0,
  permanentFailures: 0,
  untilMs: -Infinity,
});

/** Delivers events to consumers in rounds; a failed consumer waits before its next attempt. */
export function createDelivery({ database, areas, consumers, graph, log, retryRequested }: DeliveryOptions) {
  const progresses = new Map<ApplyingConsumer, Progress>(
    consumers.filter(appliesEvents).map((consumer) => [consumer, newProgress()]),
  );
  let running: Promise<unknown> = Promise.resolve();

  /**
   * Reads the position of a consumer. The event at the position must be the one that was applied: otherwise the publishing area was restored
   * to an earlier time, and its next events would get positions that count as applied. Then the consumer starts again with the oldest event.
   */
  async function readPosition(consumer: ApplyingConsumer): Promise<{ position: number; hasDeadLetters: boolean }> {
    const [row] = await consumer.database.query<{ position: number; eventId: string | null; hasDeadLetters: boolean }>(
      sql`/* relay.position */ select position, event_id as "eventId", exists (select from dead_letter where consumer = ${consumer.name}) as "hasDeadLetters"
        from inbox where source = ${consumer.name}`,
    );
    if (!row || row.position === 0) return { position: 0, hasDeadLetters: row?.hasDeadLetters ?? false };
    const [state] = await readOutboxStates(database, [consumer.source]);
    const last = state?.last ?? 0;
    const found = await eventAt(database, consumer.source, row.position);
    const isKnown = row.eventId === null || found === row.eventId || (found === null && row.position < last);
    if (isKnown && row.position <= last) return row;
    log.error({ ...nameOf(consumer), position: row.position, last }, 'event positions went backwards: applying all events again');
    await consumer.database.query(sql`/* relay.rewind */
      update inbox set position = 0, event_id = null, updated_at = now() where source = ${consumer.name} and position = ${row.position}`);
    return { position: 0, hasDeadLetters: row.hasDeadLetters };
  }

  /** Applies one batch, and its resources one by one after repeated failures. Returns the number of events. */
  async function advance(consumer: ApplyingConsumer, progress: Progress): Promise<number> {
    if (progress.position === null) Object.assign(progress, await readPosition(consumer));
    const done = progress.position ?? 0;
    const events = await readEvents(database, consumer.source, done);
    const last = events.at(-1);
    if (!last) return 0;
    const isSeparate = progress.permanentFailures >= attemptsMax;
    const errors = await consumer.database.transaction(async (transaction) => {
      // A concurrent relay finds the position already changed and skips the batch: the effect happens once, even with two leaders.
      // So does a relay whose consumer was restored to a time before its first event: it reads the position again.
      const moved = await transaction.query(sql`/* relay.advance */
        insert into inbox (source, area, position, event_id) select ${consumer.name}, ${consumer.source}, ${last.position}::bigint, ${last.id}::uuid
        where ${done}::bigint = 0 or exists (select from inbox where source = ${consumer.name})
        on conflict (source) do update set area = excluded.area, position = excluded.position, event_id = excluded.event_id, updated_at = now()
        where inbox.position = ${done} returning 1 as moved`);
      if (moved.length === 0) return null;
      if (isSeparate) return applySeparately(consumer, events, transaction, graph);
      await consumer.apply(events, transaction, graph);
      if (progress.hasDeadLetters) await resolveDeadLetters(transaction, consumer, events);
      return [];
    });
    progress.position = errors === null ? null : last.position;
    reportDeadLetters(consumer, progress, errors ?? []);
    if (errors !== null) countEvents({ consumer: consumerName(consumer), source: consumer.source }, events.length);
    return events.length;
  }

  function reportDeadLetters(consumer: ApplyingConsumer, progress: Progress, errors: readonly unknown[]): void {
    if (errors.length === 0) return;
    progress.hasDeadLetters = true;
    for (const err of errors.slice(0, 10)) log.error({ err, ...nameOf(consumer) }, 'event not applied');
    log.error({ ...nameOf(consumer), resources: errors.length }, 'dead letters stored');
  }

  async function deliver(consumer: ApplyingConsumer, progress: Progress): Promise<void> {
    try {
      while ((await advance(consumer, progress)) === batchSize);
      progress.failures = 0;
      progress.permanentFailures = 0;
      progress.untilMs = -Infinity;
    } catch (error) {
      progress.position = null;
      progress.failures += 1;
      if (!isTemporary(error)) progress.permanentFailures += 1;
      const waitMs = Math.min(retryMaxMs, retryMs * 2 ** (progress.failures - 1));
      progress.untilMs = Date.now() + waitMs;
      log.warn({ err: error, ...nameOf(consumer), waitMs }, 'retrying projection');
    }
  }

  /** Gives positions to all committed events of an area. Returns their number. */
  async function stampAll(area: Area): Promise<number> {
    let total = 0;
    for (;;) {
      const stamped = await stamp(database, area);
      if (stamped === 0) return total;
      total += stamped;
    }
  }

  /** One round. Returns whether events were delivered: their effects can have written others. */
  async function round(): Promise<boolean> {
    const states = await readOutboxStates(database, areas);
    const lasts = new Map<Area, number>();
    for (const { area, last, waits } of states) {
      lasts.set(area, last + (waits ? await stampAll(area) : 0));
    }
    const now = Date.now();
    const behind = [...progresses].filter(([{ source }, progress]) => {
      const last = lasts.get(source) ?? 0;
      // beyond the last event: it is read again, because the publishing area may have been restored
      if (progress.position !== null && progress.position > last) progress.position = null;
      return progress.untilMs <= now && (progress.position === null || progress.position < last);
    });
    await Promise.all(behind.map(([consumer, progress]) => inBatch(consumer, () => deliver(consumer, progress))));
    return behind.length > 0;
  }

  /** Retries one batch of dead letters of a consumer. Returns whether there are more. */
  async function retry(consumer: ApplyingConsumer, progress: Progress): Promise<boolean> {
    try {
      const { events, errors } = await retryDeadLetters(consumer, graph);
      reportDeadLetters(consumer, progress, errors);
      return events === batchSize;
    } catch (error) {
      // they are still marked: the periodic step retries them
      progress.hasDeadLetters = true;
      log.warn({ err: error, ...nameOf(consumer) }, 'retrying dead letters failed');
      return false;
    }
  }

  /** One batch of each consumer whose retry was requested. Returns whether there are more. */
  async function retryRequests(): Promise<boolean> {
    let more = false;
    for (const [consumer, progress] of progresses) {
      if (retryRequested?.delete(consumer) !== true || !(await inBatch(consumer, () => retry(consumer, progress)))) continue;
      retryRequested.add(consumer);
      more = true;
    }
    return more;
  }

  /** Between two batches of dead letters, new events are delivered. */
  async function rounds(): Promise<void> {
    do while (await round());
    while (await retryRequests());
  }

  /** Rounds must not overlap: they would deliver the same events and wait for each other's transaction. */
  function run(work: () => Promise<void>): Promise<void> {
    const next = running.catch(() => undefined).then(work);
    running = next;
    return next;
  }

  return {
    /** Runs rounds until no consumer is behind, except those that wait for their next attempt. */
    nextRound: () => run(rounds),
    /** The same with all consumers, including failed ones. */
    retryNow: () =>
      run(() => {
        for (const progress of progresses.values()) progress.untilMs = -Infinity;
        return rounds();
      }),
    /** Applies the dead letters again that are marked for a retry. */
    retryDeadLetters: () =>
      run(async () => {
        for (const [consumer, progress] of progresses)
          if (progress.position === null || progress.hasDeadLetters)
            while (await inBatch(consumer, () => retry(consumer, progress)));
      }),
    /** Forgets the positions: another relay was active. */
    forget(): void {
      for (const progress of progresses.values()) progress.position = null;
    },
    /** Time of the next attempt of a failed consumer, in milliseconds since the epoch; Infinity without one. */
    nextAttemptMs: (): number =>
      Math.min(Infinity, ...[...progresses.values()].filter(({ failures }) => failures > 0).map(({ untilMs }) => untilMs)),
  };
}

const consumerName = ({ name, area }: ApplyingConsumer): string => (area === undefined ? name : `${area}/${name}`);

const nameOf = (consumer: ApplyingConsumer) => ({
  consumer: consumerName(consumer),
  source: consumer.source,
  requestId: currentRequestId('relay'),
});

/** Runs the delivery of events as one request: its queries of other processes are logged and traced under its id. */
const inBatch = <Result>(consumer: ApplyingConsumer, work: () => Promise<Result>): Promise<Result> =>
  withRequest({ name: `apply ${consumerName(consumer)}`, kind: 'CONSUMER' }, { requestId: `relay-${randomUUID()}` }, work);
