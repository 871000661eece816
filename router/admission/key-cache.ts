/** Caches keys for as long as a change of them would be announced. */
import { LRUCache } from 'lru-cache';
import { withinDeadline } from '../../platform/deadline.ts';
import { isOutage, Problem } from '../../schema/errors.ts';
import type { KeyChanges, OpenKeyChanges } from './key-changes.ts';
import type { KeyRecord } from './key-record.ts';

/** Lifetime without a complete channel. Well under a second, so that a revocation applies everywhere within a second, lookup included. */
const unconfirmedLifeMs = 750;
/** Lifetime with a complete channel, in case it lost a message. */
const confirmedLifeMs = 60_000;
const unknownLifeMs = 10_000;
/** Lifetime while the database is down, if a channel has been connected since before the key was read. */
const outageLifeMs = 15 * 60_000;
/** How long a request waits for a key to be read again while the cached one is usable; then the database counts as down for as long. */
const readTimeoutMs = 1_000;

export interface CachedKey {
  readonly key: KeyRecord;
  /** performance.now() before the read. */
  readonly readAt: number;
  /** SHA-256 of a credential that was verified against the key's hash. */
  verifiedDigest: string | null;
}

interface Reading {
  readonly entry: Promise<CachedKey>;
  /** False once a change was announced during the read. */
  current: boolean;
}

export interface KeyCache {
  /** The key from the database, or from the cache while every change would have been announced. @throws Problem upstream_unavailable. */
  find(publicId: string): CachedKey | Promise<CachedKey>;
  /** The last cached entry, of any age; none for a key that has changed since. */
  last(publicId: string): CachedKey | undefined;
  close(): Promise<void>;
}

const slowRead = (): Problem => new Problem('upstream_unavailable', 'The API key could not be read in time. Retry the request.');

export function createKeyCache(read: (publicId: string) => Promise<KeyRecord>, channels: readonly OpenKeyChanges[]): KeyCache {
  const found = new LRUCache<string, CachedKey>({ max: 20_000 });
  // separate, so that guessed keys do not evict keys in use
  const unknown = new LRUCache<string, CachedKey>({ max: 10_000 });
  const readings = new Map<string, Reading>();
  let reconnectedAt = -Infinity;
  let downUntil = -Infinity;

  function invalidateReadings(): void {
    for (const reading of readings.values()) reading.current = false;
    readings.clear();
  }

  const changes: readonly KeyChanges[] = channels.map((open) =>
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
        invalidateReadings();
      },
      reconnected() {
        reconnectedAt = performance.now();
        invalidateReadings();
      },
    }),
  );
  const isConnectedSince = (readAt: number): boolean => changes.some((channel) => readAt >= channel.reliableSince());
  const isCompleteSince = (readAt: number): boolean =>
    changes.some((channel) => channel.isComplete && readAt >= channel.reliableSince());

  function isFresh({ key, readAt }: CachedKey, now: number): boolean {
    if (readAt < reconnectedAt || (key.found !== null && now >= key.found.changesAt)) return false;
    const age = now - readAt;
    if (age < unconfirmedLifeMs) return true;
    return age < (key.found === null ? unknownLifeMs : confirmedLifeMs) && isCompleteSince(readAt);
  }

  async function readNow(publicId: string, readAt: number): Promise<CachedKey> {
    const key = await read(publicId);
    const before = found.peek(publicId);
    return { key, readAt, verifiedDigest: before?.key.hash.equals(key.hash) === true ? before.verifiedDigest : null };
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

  /** True while the entry is cached and a channel would have announced a change of it. */
  const isUsable = (publicId: string, entry: CachedKey): boolean =>
    found.peek(publicId) === entry && performance.now() - entry.readAt < outageLifeMs && isConnectedSince(entry.readAt);

  /** Reads the key again; falls back to the cached entry when that fails or times out. */
  async function refresh(publicId: string, old: CachedKey): Promise<CachedKey> {
    // one request probes whether the database is back; the others need not wait for it
    if (downUntil > -Infinity) downUntil = performance.now() + readTimeoutMs;
    const { entry } = readings.get(publicId) ?? start(publicId);
    try {
      const refreshed = await withinDeadline(entry, readTimeoutMs, slowRead);
      downUntil = -Infinity;
      return refreshed;
    } catch (error) {
      if (!isOutage(error) || !isUsable(publicId, old)) throw error;
      downUntil = performance.now() + readTimeoutMs;
      return old;
    }
  }

  const last = (publicId: string): CachedKey | undefined => found.get(publicId) ?? unknown.get(publicId);

  return {
    last,
    find(publicId) {
      const now = performance.now();
      const entry = last(publicId);
      if (entry !== undefined && isFresh(entry, now)) return entry;
      if (entry === undefined || !isUsable(publicId, entry)) return (readings.get(publicId) ?? start(publicId)).entry;
      return now < downUntil ? entry : refresh(publicId, entry);
    },
    async close() {
      await Promise.all(changes.map((channel) => channel.close()));
    },
  };
}
