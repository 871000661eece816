/** One execution of a state per change for all its subscribers: the current state first, then each later one. */
import type { Outcome, Payload, Subscriber } from './payload.ts';

export interface SharedState {
  /** Adds a subscriber, which receives the current state next. */
  add(subscriber: Subscriber): void;
  remove(subscriber: Subscriber): void;
  /** Reads the state again. Changes during an execution are read together by the next one. */
  changed(): void;
  isEmpty(): boolean;
}

const retryMs = { first: 500, most: 15_000 } as const;

/** `read` executes the query of the subscribers; it never rejects. */
export function createSharedState(read: () => Promise<Outcome>): SharedState {
  const subscribers = new Set<Subscriber>();
  /** Subscribers without a payload. */
  const waiting = new Set<Subscriber>();
  let last: string | null = null;
  let isDirty = false;
  let isRunning = false;
  let delayMs: number = retryMs.first;
  let timer: NodeJS.Timeout | undefined;

  function deliver(payload: Payload): void {
    // subscribers that have this state already receive no payload
    const recipients = payload.json === last ? waiting : subscribers;
    last = payload.json;
    for (const subscriber of [...recipients]) {
      waiting.delete(subscriber);
      subscriber.next(payload);
    }
  }

  function retryLater(): void {
    clearTimeout(timer);
    timer = setTimeout(changed, delayMs).unref();
    delayMs = Math.min(delayMs * 2, retryMs.most);
  }

  function apply(outcome: Outcome): void {
    if (outcome.kind === 'PAYLOAD') deliver(outcome.payload);
    if (outcome.kind === 'RETRY' || (outcome.kind === 'PAYLOAD' && outcome.isPartial)) retryLater();
    else delayMs = retryMs.first;
    if (outcome.kind !== 'END') return;
    const ended = [...subscribers];
    subscribers.clear();
    waiting.clear();
    for (const subscriber of ended) subscriber.end(outcome.errors);
  }

  async function run(): Promise<void> {
    isRunning = true;
    while (isDirty && subscribers.size > 0) {
      isDirty = false;
      apply(await read());
    }
    isRunning = false;
  }

  function changed(): void {
    isDirty = true;
    if (!isRunning) void run();
  }

  return {
    add(subscriber) {
      subscribers.add(subscriber);
      waiting.add(subscriber);
      // a running execution may be older than the subscriber: a later change follows it
      if (!isRunning) changed();
    },
    remove(subscriber) {
      subscribers.delete(subscriber);
      waiting.delete(subscriber);
      if (subscribers.size === 0) clearTimeout(timer);
    },
    changed,
    isEmpty: () => subscribers.size === 0,
  };
}
