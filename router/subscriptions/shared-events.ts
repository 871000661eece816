/** One execution per event, or per few events that wait, for all subscribers; every event is delivered, in the order of the feed. */
import { setTimeout as delay } from 'node:timers/promises';
import type { GraphError } from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import type { FeedEvent } from '../streams/event-hub.ts';
import { errorOf, type Outcome, type Subscriber } from './payload.ts';

export interface SharedEvents {
  add(subscriber: Subscriber): void;
  remove(subscriber: Subscriber): void;
  push(events: readonly FeedEvent[]): void;
  /** Ends all subscriptions: events may have been missed. */
  lost(): void;
  isEmpty(): boolean;
}

/** Events that wait at most. */
const waitingMax = 1_000;
/** Waits before an execution that failed is repeated. */
const retriesMs: readonly number[] = [250, 500, 1_000, 2_000, 4_000];

const missed = (): GraphError =>
  errorOf(
    new Problem(
      'upstream_unavailable',
      'Events may have been missed. Subscribe again, and read the missed events with the list.',
    ),
  );

/**
 * `read` executes the query for at most `batchSize` events, and returns their outcomes; it never rejects.
 * `onEmpty` is called when a failure has ended all subscriptions.
 */
export function createSharedEvents(
  batchSize: number,
  read: (events: readonly FeedEvent[]) => Promise<readonly Outcome[]>,
): SharedEvents {
  const subscribers = new Set<Subscriber>();
  let waiting: FeedEvent[] = [];
  let isRunning = false;

  function end(errors: readonly GraphError[]): void {
    const ended = [...subscribers];
    subscribers.clear();
    waiting = [];
    for (const subscriber of ended) subscriber.end(errors);
  }

  /** The outcomes once none has failed temporarily; null if that takes too long. */
  async function readRepeatedly(events: readonly FeedEvent[]): Promise<readonly Outcome[] | null> {
    for (const waitMs of [...retriesMs, null]) {
      const outcomes = await read(events);
      if (outcomes.every(({ kind }) => kind !== 'RETRY')) return outcomes;
      if (waitMs === null || subscribers.size === 0) return null;
      await delay(waitMs, undefined, { ref: false });
    }
    return null;
  }

  function apply(outcome: Outcome): void {
    if (outcome.kind === 'PAYLOAD') for (const subscriber of [...subscribers]) subscriber.next(outcome.payload);
    if (outcome.kind === 'END') end(outcome.errors);
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0 && subscribers.size > 0) {
      const outcomes = await readRepeatedly(waiting.splice(0, batchSize));
      if (outcomes === null) end([missed()]);
      else outcomes.forEach(apply);
    }
    isRunning = false;
  }

  return {
    add: (subscriber) => void subscribers.add(subscriber),
    remove(subscriber) {
      subscribers.delete(subscriber);
      if (subscribers.size === 0) waiting = [];
    },
    push(events) {
      if (events.length === 0) return;
      waiting.push(...events);
      if (waiting.length > waitingMax) end([missed()]);
      else if (!isRunning) void run();
    },
    lost: () => end([missed()]),
    isEmpty: () => subscribers.size === 0,
  };
}
