/** What a REST bridge remembers about the instances of the router: which one read a kept response, and which ones acknowledged a write. */
import { LRUCache } from 'lru-cache';
import type { ResponseSources } from '../../schema/entry-point.ts';

/** A router notices the writes of other routers within this time: how long it counts the state of an area. */
const noticedMs = 1_000;

export interface InstanceMemory {
  /** An instance acknowledged a write. */
  written(instance: string): void;
  /** An instance returned a response that may be kept. */
  read(sources: ResponseSources, instance: string): void;
  /**
   * The instance that can confirm a kept response. The response is not confirmed while that instance may not have noticed a write that
   * another one acknowledged: a caller always reads its writes.
   */
  confirmable(kept: ResponseSources | undefined): { readonly kept?: ResponseSources; readonly preferred?: string };
}

export function createInstanceMemory(): InstanceMemory {
  /** By the id of the graph. */
  const readers = new LRUCache<string, string>({ max: 100 });
  const writtenAtMs = new Map<string, number>();

  function forgetOld(): void {
    const now = performance.now();
    for (const [instance, atMs] of writtenAtMs) if (now - atMs > noticedMs) writtenAtMs.delete(instance);
  }

  return {
    written(instance) {
      writtenAtMs.set(instance, performance.now());
    },
    read: ({ graph }, instance) => void readers.set(graph, instance),
    confirmable(kept) {
      const preferred = kept === undefined ? undefined : readers.get(kept.graph);
      if (kept === undefined || preferred === undefined) return {};
      forgetOld();
      const isUnnoticed = [...writtenAtMs.keys()].some((instance) => instance !== preferred);
      return isUnnoticed ? {} : { kept, preferred };
    },
  };
}
