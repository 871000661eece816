/** The event hub: reads each new event of the feed once per process, and passes it to all subscribers (docs/decisions/0086-streams.md). */
import type { Logger } from 'pino';
import type { Area } from '../../schema/areas.ts';
import { Problem } from '../../schema/errors.ts';
import type { EventType } from '../../schema/events.ts';

/** An event of the feed, without its data: not yet checked against what a viewer may read. */
export interface FeedEvent {
  /** Position in the feed. */
  readonly sequence: number;
  readonly id: string;
  readonly type: EventType;
  readonly area: Area;
  readonly resourceType: string;
  readonly resourceId: string;
  readonly version: number;
  readonly at: string;
  readonly accountId: string | null;
  /** Further accounts that can read the event. */
  readonly audience: readonly string[];
  /** The resource whose readers can read the event. */
  readonly subjectId: string | null;
  readonly sports: readonly string[];
  readonly competitionId: string | null;
  readonly organizationId: string | null;
  readonly wasPublic: boolean;
}

/** A position in the feed. */
export interface FeedPosition {
  readonly sequence: number;
  /** The same as a cursor of GET /events. */
  readonly cursor: string;
}

export interface EventSubscriber {
  /** Called with new events in the order of the feed. Must not throw. */
  readonly onEvents: (events: readonly FeedEvent[]) => void;
  /** Called when events may have been missed: the feed was restored to an earlier time. */
  readonly onLost?: () => void;
}

export interface EventHub {
  /** Passes all new events to a subscriber. Reads the feed while there is a subscriber. Returns the function that ends the subscription. */
  subscribe(subscriber: EventSubscriber): () => void;
  /**
   * A position after which no event is missed: subscribers of now receive all later events. Subscribe first.
   * Throws Problem upstream_unavailable while the feed cannot be read.
   */
  position(): Promise<FeedPosition>;
  /** Reads the feed soon: it may have new events. */
  wake(): void;
  close(): Promise<void>;
}

export interface FeedPage {
  readonly events: readonly FeedEvent[];
  /** Position of the last event of the page; without one, the position that was given. */
  readonly last: FeedPosition;
}

/**
 * Reads the events after a sequence; `after: null` returns the position of the last event. A poll returns null for a feed at rest: nothing happens in
 * it before it is read otherwise.
 */
export type ReadFeed = (after: number | null, first: number, isPoll: boolean) => Promise<FeedPage | null>;

export interface EventHubOptions {
  readonly read: ReadFeed;
  readonly log: Pick<Logger, 'warn'>;
  /** Interval of the safety net for lost notifications. */
  readonly pollMs?: number | undefined;
}

const pageSize = 1_000;
const retryMs = 500;

export function createEventHub({ read, log, pollMs = 5_000 }: EventHubOptions): EventHub {
  const subscribers = new Set<EventSubscriber>();
  /** Null without subscribers, and until the feed has been read for the first one. */
  let position: FeedPosition | null = null;
  let running: Promise<void> | null = null;
  /** Whether the feed may have events that are not read. */
  let isStale = false;
  let timer: NodeJS.Timeout | undefined;

  /** Moves to the end of the feed. The position changes meanwhile when the last subscriber leaves. */
  async function readNew(from: FeedPosition): Promise<void> {
    let before = from;
    for (;;) {
      const page = await read(before.sequence, pageSize, true);
      if (page === null || position !== before || page.events.length === 0) return;
      const { events, last } = page;
      position = before = last;
      for (const subscriber of [...subscribers]) subscriber.onEvents(events);
      if (events.length < pageSize) return;
    }
  }

  async function advance(): Promise<void> {
    if (position !== null) return await readNew(position);
    const end = await read(null, 1, false);
    if (end === null) throw new Error('The feed returned no page.');
    // without subscribers the next one starts with the end of the feed at its time
    if (subscribers.size > 0) position ??= end.last;
  }

  async function run(): Promise<void> {
    while (isStale && subscribers.size > 0) {
      isStale = false;
      await advance();
    }
  }

  function schedule(delayMs: number, then: () => void): void {
    clearTimeout(timer);
    timer = subscribers.size > 0 ? setTimeout(then, delayMs).unref() : undefined;
  }

  function wake(): void {
    isStale = true;
    if (subscribers.size === 0) return;
    running ??= run().then(
      () => {
        running = null;
        // woken after the last read, before this line
        if (isStale) wake();
        else schedule(pollMs, () => void poll());
      },
      (error: unknown) => {
        running = null;
        log.warn({ err: error }, 'event feed could not be read');
        schedule(retryMs, wake);
      },
    );
  }

  /** Detects a feed that was restored to an earlier time: its next events have sequences that were already read. */
  async function poll(): Promise<void> {
    const before = position;
    const end = await read(null, 1, true).catch(() => null);
    if (end !== null && before !== null && position === before && end.last.sequence < before.sequence) {
      position = end.last;
      log.warn({ before: before.sequence, now: end.last.sequence }, 'event feed was restored to an earlier time');
      for (const subscriber of [...subscribers]) subscriber.onLost?.();
    }
    wake();
  }

  return {
    subscribe(subscriber) {
      subscribers.add(subscriber);
      if (subscribers.size === 1) wake();
      return () => {
        if (!subscribers.delete(subscriber) || subscribers.size > 0) return;
        position = null;
        clearTimeout(timer);
      };
    },
    async position() {
      // a run that ended with the last subscriber may be followed by another one
      for (let attempt = 0; position === null && attempt < 2; attempt += 1) {
        wake();
        await running;
      }
      if (position === null) throw new Problem('upstream_unavailable', 'The event feed is unavailable. Retry the request.');
      return position;
    },
    wake,
    async close() {
      subscribers.clear();
      clearTimeout(timer);
      await running;
    },
  };
}
