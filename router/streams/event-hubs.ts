/** The event hubs: that of the platform's feed, and one per sandbox with subscribers. */
import type { Logger } from 'pino';
import { inSandbox, SYSTEM, type Viewer } from '../../schema/viewer.ts';
import type { RouterGraph } from '../graph.ts';
import { createEventHub, type EventHub } from './event-hub.ts';
import { createFeedReader } from './feed.ts';

export interface EventHubs {
  /** The hub with the events that a viewer can receive. */
  of(viewer: Viewer): EventHub;
  /** Reads the feed of the platform soon: it may have new events. */
  wake(): void;
  close(): Promise<void>;
}

/** Sandboxes send no notifications to routers. */
const sandboxPollMs = 500;

export function createEventHubs(graph: Pick<RouterGraph, 'internal'>, log: Pick<Logger, 'warn'>): EventHubs {
  const platform = createEventHub({ read: createFeedReader(graph), log });
  const ofSandboxes = new Map<string, EventHub>();

  function ofSandbox(accountId: string): EventHub {
    const known = ofSandboxes.get(accountId);
    if (known !== undefined) return known;
    const hub = createEventHub({ read: createFeedReader(graph, inSandbox(SYSTEM, accountId)), log, pollMs: sandboxPollMs });
    ofSandboxes.set(accountId, hub);
    return hub;
  }

  return {
    of: ({ sandbox }) => (sandbox === undefined ? platform : ofSandbox(sandbox)),
    wake: platform.wake,
    async close() {
      await Promise.all([platform, ...ofSandboxes.values()].map((hub) => hub.close()));
    },
  };
}

/** Creates one value for each hub. */
export function perHub<Value>(create: (hub: EventHub) => Value): (hub: EventHub) => Value {
  const values = new WeakMap<EventHub, { readonly value: Value }>();
  return (hub) => {
    const known = values.get(hub) ?? { value: create(hub) };
    values.set(hub, known);
    return known.value;
  };
}
