/** The keys a router knows, for as long as it would hear of a change. */
import { LRUCache } from 'lru-cache';
import { Problem } from '../../schema/errors.ts';
import type { KeyChanges, OpenKeyChanges } from './key-changes.ts';
import type { KeyRecord } from './key-record.ts';

/** While no channel is heard that tells of every change. Well under a second, so that a revocation is effective everywhere within one, the lookup's own time included. */
const unheardLifeMs = 750;
/** While one is heard, in case that it lost a word. */
const heardLifeMs = 60_000;
const unknownLifeMs = 10_000;
/** Of a key that cannot be read again because the database is away, while a channel is heard since before it was read. */
const awayLifeMs = 15 * 60_000;
/** How long a key waits to be read again when it may be used on otherwise; and how long the database is then taken to be away. */
const patienceMs = 1_000;

export interface CachedKey {
  readonly key: KeyRecord;
  /** performance.now() before it was read. */
  readonly readAt: number;
  /** SHA-256 of the credential that its hash was seen to match. */
  proven: string | null;
}

interface Reading {
  readonly entry: Promise<CachedKey>;
  /** False as soon as word came that what is being read may have changed since. */
  current: boolean;
}

export interface KeyCache {
  /** The key as the database says now, or said while every change of it would have been heard. @throws Problem upstream_unavailable. */
  find(publicId: string): CachedKey | Promise<CachedKey>;
  /** What was known last, however old; nothing of a key that changed since. */
  last(publicId: string): CachedKey | undefined;
  close(): Promise<void>;
}

export function createKeyCache(read: (publicId: string) => Promise<KeyRecord>, channels: readonly OpenKeyChanges[]): KeyCache {
  const found = new LRUCache<string, CachedKey>({ max: 20_000 });
  // apart, so that guessing does not push out keys that are used
  const unknown = new LRUCache<string, CachedKey>({ max: 10_000 });
  const readings = new Map<string, Reading>();
  let missedAt = -Infinity;
  let awayUntil = -Infinity;

  function outdate(): void {
    for (const reading of readings.values()) reading.current = false;
    readings.clear();
  }

  const news: readonly KeyChanges[] = channels.map((open) =>
    open({
      changed(publicId) {
        found.delete(publicId);
        unknown.delete(publicId);
        const reading = readings.get(publicId);
        if (reading === undefined) return;
        reading.current = false;
        readings.delete(publicId);
      },
      changedAll() {
        found.clear();
        unknown.clear();
        outdate();
      },
      reconnected() {
        missedAt = performance.now();
        outdate();
      },
    }),
  );
  const isHeardSince = (readAt: number): boolean => news.some((channel) => readAt >= channel.reliableSince());
  const isSureSince = (readAt: number): boolean =>
    news.some((channel) => channel.isComplete && readAt >= channel.reliableSince());

  function isFresh({ key, readAt }: CachedKey, now: number): boolean {
    if (readAt < missedAt || (key.found !== null && now >= key.found.changesAt)) return false;
    const age = now - readAt;
    if (age < unheardLifeMs) return true;
    return age < (key.found === null ? unknownLifeMs : heardLifeMs) && isSureSince(readAt);
  }

  async function readNow(publicId: string, readAt: number): Promise<CachedKey> {
    const key = await read(publicId);
    const before = found.peek(publicId);
    return { key, readAt, proven: before?.key.hash.equals(key.hash) === true ? before.proven : null };
  }

  function start(publicId: string): Reading {
    const reading: Reading = { entry: readNow(publicId, performance.now()), current: true };
    readings.set(publicId, reading);
    void reading.entry
      .then(
        (entry) => {
          if (reading.current) (entry.key.found === null ? unknown : found).set(publicId, entry);
        },
        () => undefined,
      )
      .finally(() => {
        if (readings.get(publicId) === reading) readings.delete(publicId);
      });
    return reading;
  }

  /** True unless word of a change came, or would not have come. */
  const mayBeUsedOn = (publicId: string, entry: CachedKey): boolean =>
    found.peek(publicId) === entry && performance.now() - entry.readAt < awayLifeMs && isHeardSince(entry.readAt);

  /** Reads again, and uses on what is known when that fails or takes too long. */
  async function renew(publicId: string, old: CachedKey): Promise<CachedKey> {
    // who finds it away asks whether it is back; the others need not wait for that
    if (awayUntil > -Infinity) awayUntil = performance.now() + patienceMs;
    const { entry } = readings.get(publicId) ?? start(publicId);
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Problem('upstream_unavailable', 'The key could not be read in time.')), patienceMs);
    try {
      const renewed = await Promise.race([entry, late]);
      awayUntil = -Infinity;
      return renewed;
    } catch (fault) {
      if (!(fault instanceof Problem) || fault.code !== 'upstream_unavailable' || !mayBeUsedOn(publicId, old)) throw fault;
      awayUntil = performance.now() + patienceMs;
      return old;
    } finally {
      clearTimeout(timer);
    }
  }

  const last = (publicId: string): CachedKey | undefined => found.get(publicId) ?? unknown.get(publicId);

  return {
    last,
    find(publicId) {
      const now = performance.now();
      const entry = last(publicId);
      if (entry !== undefined && isFresh(entry, now)) return entry;
      if (entry === undefined || !mayBeUsedOn(publicId, entry)) return (readings.get(publicId) ?? start(publicId)).entry;
      return now < awayUntil ? entry : renew(publicId, entry);
    },
    async close() {
      await Promise.all(news.map((channel) => channel.close()));
    },
  };
}
