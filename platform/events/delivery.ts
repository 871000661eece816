/** Delivery of events: gives committed events their positions and passes them to consumers in batches. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Area } from '../../schema/areas.ts';
import type { Graph } from '../../schema/entry-point.ts';
import { sql, type Database } from '../database/database.ts';
import { countEvents } from '../telemetry/metrics.ts';
import { withRequest } from '../telemetry/tracing.ts';
import { appliesEvents, consumerName, nameOf, type ApplyingConsumer, type Consumer } from './consumer.ts';
import { readPosition } from './consumer-position.ts';
import { modeOf, newProgress, noteSuccess, waitAfter, type Progress } from './consumer-progress.ts';
import { createConsumerTasks, waitAtMost } from './consumer-tasks.ts';
import { applySeparately, resolveDeadLetters, retryDeadLetters } from './dead-letters.ts';
import { batchSize, readEvents, readOutboxStates, stamp } from './outbox-reads.ts';

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

/** Time that a round waits for its consumers. Slower ones continue while others receive their next events. */
const roundMs = 1_000;

/** Delivers events to consumers in rounds. A failed consumer waits before its next attempt; a slow one delays no other. */
export function createDelivery({ database, areas, consumers, graph, log, retryRequested }: DeliveryOptions) {
  const progresses = new Map<ApplyingConsumer, Progress>(
    consumers.filter(appliesEvents).map((consumer) => [consumer, newProgress()]),
  );
  const tasks = createConsumerTasks<ApplyingConsumer>();
  let running: Promise<unknown> = Promise.resolve();
  let isClosed = false;

  /** Applies one batch, and its resources one by one after repeated failures. Returns the number of events. */
  async function advance(consumer: ApplyingConsumer, progress: Progress): Promise<number> {
    if (progress.position === null) Object.assign(progress, await readPosition(database, consumer, log));
    const done = progress.position ?? 0;
    const events = await readEvents(database, consumer.source, done, progress.size);
    progress.read = events.length;
    const last = events.at(-1);
    if (!last) return 0;
    const { isSeparate, timesOut } = modeOf(progress);
    const errors = await consumer.database.transaction(async (transaction) => {
      // A concurrent relay finds the position already changed and skips the batch: the effect happens once, even with two leaders.
      // So does a relay whose consumer was restored to a time before its first event: it reads the position again.
      const moved = await transaction.query(sql`/* relay.advance */
        insert into inbox (source, area, position, event_id) select ${consumer.name}, ${consumer.source}, ${last.position}::bigint, ${last.id}::uuid
        where ${done}::bigint = 0 or exists (select from inbox where source = ${consumer.name})
        on conflict (source) do update set area = excluded.area, position = excluded.position, event_id = excluded.event_id, updated_at = now()
        where inbox.position = ${done} returning 1 as moved`);
      if (moved.length === 0) return null;
      if (isSeparate) return applySeparately(consumer, events, transaction, graph, timesOut);
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
      for (let hasMore = true; hasMore && !isClosed;) {
        const { size } = progress;
        hasMore = (await advance(consumer, progress)) === size;
        noteSuccess(progress);
      }
      progress.untilMs = -Infinity;
    } catch (error) {
      const waitMs = waitAfter(progress, error);
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

  /** Starts the work of consumers and waits for it. Without `isComplete`, it waits a second at most. */
  async function runAll(
    behind: readonly (readonly [ApplyingConsumer, Progress])[],
    work: (consumer: ApplyingConsumer, progress: Progress) => Promise<unknown>,
    isComplete: boolean,
  ): Promise<void> {
    const all = Promise.all(
      behind.map(([consumer, progress]) => tasks.run(consumer, () => inBatch(consumer, () => work(consumer, progress)))),
    );
    if (isComplete) await all;
    else if (behind.length > 0) await waitAtMost(roundMs, all);
  }

  /** One round. Returns whether events were delivered: their effects can have written others. */
  async function round(isComplete: boolean): Promise<boolean> {
    if (isClosed) return false;
    const states = await readOutboxStates(database, areas);
    const lasts = new Map<Area, number>();
    for (const { area, last, waits } of states) {
      lasts.set(area, last + (waits ? await stampAll(area) : 0));
    }
    const now = Date.now();
    const behind = [...progresses].filter(([consumer, progress]) => {
      if (tasks.isBusy(consumer)) return false;
      const last = lasts.get(consumer.source) ?? 0;
      // beyond the last event: it is read again, because the publishing area may have been restored
      if (progress.position !== null && progress.position > last) progress.position = null;
      return progress.untilMs <= now && (progress.position === null || progress.position < last);
    });
    await runAll(behind, deliver, isComplete);
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
  async function retryRequests(isComplete: boolean): Promise<boolean> {
    let more = false;
    const requested = [...progresses].filter(
      ([consumer]) => !tasks.isBusy(consumer) && retryRequested?.delete(consumer) === true,
    );
    const retryOne = async (consumer: ApplyingConsumer, progress: Progress): Promise<void> => {
      if (!(await retry(consumer, progress))) return;
      retryRequested?.add(consumer);
      more = true;
    };
    await runAll(requested, retryOne, isComplete);
    return more;
  }

  /** Between two batches of dead letters, new events are delivered. */
  async function rounds(isComplete: boolean): Promise<void> {
    if (isComplete) await tasks.settled();
    do while (await round(isComplete));
    while (await retryRequests(isComplete));
  }

  /** Rounds must not overlap: they would give positions to the same events. */
  function run(work: () => Promise<void>): Promise<void> {
    const next = running.catch(() => undefined).then(work);
    running = next;
    return next;
  }

  return {
    /** Runs rounds until no consumer is behind, except those that are still busy or wait for their next attempt. */
    nextRound: () => run(() => rounds(false)),
    /** The same with all consumers, including busy and failed ones. */
    retryNow: () =>
      run(() => {
        for (const progress of progresses.values()) progress.untilMs = -Infinity;
        return rounds(true);
      }),
    /** Applies the dead letters again that are marked for a retry. */
    retryDeadLetters: (isComplete: boolean) =>
      run(async () => {
        const marked = [...progresses].filter(([, progress]) => progress.position === null || progress.hasDeadLetters);
        const retryAll = async (consumer: ApplyingConsumer, progress: Progress): Promise<void> => {
          while (await retry(consumer, progress));
        };
        await runAll(marked, retryAll, isComplete);
      }),
    /** Forgets the positions: another relay was active. */
    forget(): void {
      for (const progress of progresses.values()) progress.position = null;
    },
    /** Time of the next attempt of a failed consumer and of the next look at a busy one, in milliseconds since the epoch; Infinity without one. */
    nextAttemptMs(): number {
      const times = [...progresses].map(([consumer, { failures, untilMs }]) => {
        if (tasks.isBusy(consumer)) return Date.now() + roundMs;
        return failures > 0 ? untilMs : Infinity;
      });
      return Math.min(Infinity, ...times);
    },
    /** Starts no further batch, and resolves when no consumer is busy. */
    close(): Promise<void> {
      isClosed = true;
      return tasks.settled();
    },
  };
}

/** Runs the delivery of events as one request: its queries of other processes are logged and traced under its id. */
const inBatch = <Result>(consumer: ApplyingConsumer, work: () => Promise<Result>): Promise<Result> =>
  withRequest({ name: `apply ${consumerName(consumer)}`, kind: 'CONSUMER' }, { requestId: `relay-${randomUUID()}` }, work);
