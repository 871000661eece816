/** The visibility classes of open streams: each new event is read and rendered once for all viewers who read the same. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Viewer } from '../../schema/viewer.ts';
import { visibilityKey } from '../caching/response-sources.ts';
import { mayRead, matchOf, type EventFilter, type EventMatch } from './event-filter.ts';
import { framesMax, type EventFrames, type Frame } from './event-frames.ts';
import type { EventHub, FeedEvent } from './event-hub.ts';

/** New events that a member can read, in the order of the feed; at least one. */
export interface Batch {
  readonly frames: readonly Frame[];
  /** All frames, shared by the members with the same filter. */
  readonly bytes: Buffer;
}

export interface Member {
  readonly viewer: Viewer;
  readonly filter: EventFilter;
  readonly onBatch: (batch: Batch) => void;
  /** Events were missed: the member must read the feed again from its position. */
  readonly onLost: () => void;
}

export interface Audiences {
  /** Delivers all new events that the member can read. Returns the function that ends the delivery. */
  join(member: Member): () => void;
}

/** The members with the same filter. */
interface Group {
  readonly matches: EventMatch;
  readonly members: Set<Member>;
}

interface Audience {
  readonly viewer: Viewer;
  readonly groups: Map<string, Group>;
  /** Events that are not rendered yet. */
  queue: FeedEvent[];
  isRunning: boolean;
}

/** An audience that has fallen behind by more reads the feed again. */
const queueMax = 10_000;
const retryMs = 500;

export function createAudiences(
  hub: Pick<EventHub, 'subscribe'>,
  { byIds }: Pick<EventFrames, 'byIds'>,
  log: Pick<Logger, 'warn'>,
): Audiences {
  const audiences = new Map<string, Audience>();
  let unsubscribe: (() => void) | null = null;

  const membersOf = ({ groups }: Audience): Member[] => [...groups.values()].flatMap(({ members }) => [...members]);

  function lose(audience: Audience): void {
    audience.queue = [];
    for (const member of membersOf(audience)) member.onLost();
  }

  async function render(audience: Audience, events: readonly FeedEvent[]): Promise<ReadonlyMap<number, Frame>> {
    const ids = events.map(({ id }) => id);
    const frames = await byIds(audience.viewer, ids).catch(async () => {
      await sleep(retryMs);
      return await byIds(audience.viewer, ids);
    });
    return new Map(frames.map((frame) => [frame.sequence, frame]));
  }

  function deliver({ groups }: Audience, events: readonly FeedEvent[], rendered: ReadonlyMap<number, Frame>): void {
    for (const { matches, members } of groups.values()) {
      const frames = events.filter(matches).flatMap(({ sequence }) => rendered.get(sequence) ?? []);
      if (frames.length === 0) continue;
      const [first, ...others] = frames.map(({ bytes }) => bytes);
      const batch: Batch = {
        frames,
        bytes: first && others.length === 0 ? first : Buffer.concat(frames.map(({ bytes }) => bytes)),
      };
      for (const member of [...members]) member.onBatch(batch);
    }
  }

  /** One batch after the other, so that members receive them in order. */
  async function run(audience: Audience): Promise<void> {
    if (audience.isRunning) return;
    audience.isRunning = true;
    try {
      while (audience.queue.length > 0) {
        const events = audience.queue.splice(0, framesMax);
        deliver(audience, events, await render(audience, events));
      }
    } catch (error) {
      log.warn({ err: error }, 'events of streams could not be read');
      lose(audience);
    } finally {
      audience.isRunning = false;
    }
  }

  function onEvents(events: readonly FeedEvent[]): void {
    for (const audience of audiences.values()) {
      const groups = [...audience.groups.values()];
      const wanted = events.filter((event) => mayRead(audience.viewer, event) && groups.some(({ matches }) => matches(event)));
      if (wanted.length === 0) continue;
      audience.queue.push(...wanted);
      if (audience.queue.length > queueMax) lose(audience);
      else void run(audience);
    }
  }

  return {
    join(member) {
      const key = visibilityKey(member.viewer);
      const audience: Audience = audiences.get(key) ?? {
        viewer: member.viewer,
        groups: new Map(),
        queue: [],
        isRunning: false,
      };
      audiences.set(key, audience);
      const filterKey = JSON.stringify(member.filter);
      const group: Group = audience.groups.get(filterKey) ?? { matches: matchOf(member.filter), members: new Set() };
      audience.groups.set(filterKey, group);
      group.members.add(member);
      const onLost = (): void => [...audiences.values()].forEach(lose);
      unsubscribe ??= hub.subscribe({ onEvents, onLost });
      return () => {
        if (!group.members.delete(member) || group.members.size > 0) return;
        audience.groups.delete(filterKey);
        if (audience.groups.size > 0) return;
        audiences.delete(key);
        if (audiences.size > 0) return;
        unsubscribe?.();
        unsubscribe = null;
      };
    },
  };
}
