/** The open streams of a process: as many per account as its plan allows, and none longer than its key is valid. */
import { errors, Problem } from '../../schema/errors.ts';
import type { Caller } from '../../schema/entry-point.ts';
import type { Viewer } from '../../schema/viewer.ts';
import type { RequestHolder } from '../admission/settlement.ts';

/** Why the platform ends a stream. */
export type StreamEnd = 'KEY_CHANGED' | 'TIME_LIMIT' | 'SHUTDOWN';

export interface OpenStream {
  /** Its key is checked again while the stream is open. */
  readonly caller: Caller;
  /** Ends the stream. The stream releases its place. */
  readonly end: (reason: StreamEnd) => void;
}

export interface StreamLimits {
  /**
   * Acquires one of the concurrent streams of the holder's plan: per account over all its keys, without a key per address. Counted in this
   * process. Returns the function that releases it. Throws Problem stream_limit_exceeded when all are in use, overloaded during shutdown.
   */
  acquire(holder: RequestHolder, stream: OpenStream): () => void;
  /** Ends all streams. */
  close(): void;
}

export interface StreamLimitsOptions {
  /** The viewer of a caller now, at no cost. Throws the Problem with which admission would reject it. */
  readonly viewerOf: (caller: Caller) => Promise<Viewer>;
  /** Interval in which keys are checked again. */
  readonly checkEveryMs?: number | undefined;
  /** The longest life of a stream. */
  readonly lifeMs?: number | undefined;
}

interface Entry {
  readonly stream: OpenStream;
  readonly viewer: Viewer;
  readonly endsAt: number;
}

/** The /48 of an IPv6 address has ten times the limit, as for requests (router/admission/acquisitions.ts). */
const outerFactor = 10;

const isSame = (one: Viewer, other: Viewer): boolean =>
  one.accountId === other.accountId &&
  one.scopes.length === other.scopes.length &&
  one.scopes.every((scope) => other.scopes.includes(scope));

const exceeded = (plan: string, limit: number): Problem =>
  new Problem(
    'stream_limit_exceeded',
    limit === 0
      ? `The "${plan}" plan has no event streams.`
      : `The "${plan}" plan allows ${limit} concurrent event ${limit === 1 ? 'stream' : 'streams'}. Close one, then retry.`,
    { plan, limit, used: limit },
  );

export function createStreamLimits({ viewerOf, checkEveryMs = 2_000, lifeMs = 3_600_000 }: StreamLimitsOptions): StreamLimits {
  const open = new Set<Entry>();
  /** By account or address. */
  const counts = new Map<string, number>();
  let isClosing = false;
  let timer: NodeJS.Timeout | undefined;

  function add(key: string, change: 1 | -1): void {
    const count = (counts.get(key) ?? 0) + change;
    if (count === 0) counts.delete(key);
    else counts.set(key, count);
  }

  /** Whether the platform would admit the caller as another viewer now, or not at all. A database that is down or slow changes nothing. */
  async function hasChanged({ stream, viewer }: Entry): Promise<boolean> {
    try {
      return !isSame(await viewerOf(stream.caller), viewer);
    } catch (error) {
      return error instanceof Problem && [401, 403].includes(errors[error.code].status);
    }
  }

  async function check(): Promise<void> {
    const now = performance.now();
    for (const { stream, endsAt } of [...open]) if (endsAt <= now) stream.end('TIME_LIMIT');
    const keyed = [...open].filter(({ viewer }) => viewer.kind === 'KEY');
    // one check for all streams of a key from one address
    const groups = Map.groupBy(keyed, ({ stream: { caller } }) => `${caller.credentials.join(' ')} ${caller.address}`);
    for (const entries of groups.values()) {
      const byViewer = Map.groupBy(entries, ({ viewer }) => viewer.scopes.join(' '));
      for (const same of byViewer.values()) {
        const [first] = same;
        if (first !== undefined && (await hasChanged(first))) for (const { stream } of same) stream.end('KEY_CHANGED');
      }
    }
  }

  return {
    acquire({ viewer, subject, plan, outer }, stream) {
      if (isClosing) throw new Problem('overloaded', 'The process is shutting down. Retry the request.');
      const own = viewer.accountId ?? subject;
      if ((counts.get(own) ?? 0) >= plan.streams) throw exceeded(plan.code, plan.streams);
      if (outer && (counts.get(outer.subject) ?? 0) >= plan.streams * outerFactor)
        throw exceeded(plan.code, plan.streams * outerFactor);
      const keys = outer ? [own, outer.subject] : [own];
      for (const key of keys) add(key, 1);
      // spread, so that streams that were opened together do not end together
      const entry: Entry = { stream, viewer, endsAt: performance.now() + lifeMs * (0.9 + Math.random() * 0.1) };
      open.add(entry);
      timer ??= setInterval(() => void check(), checkEveryMs).unref();
      return () => {
        if (!open.delete(entry)) return;
        for (const key of keys) add(key, -1);
        if (open.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    close() {
      isClosing = true;
      for (const { stream } of [...open]) stream.end('SHUTDOWN');
    },
  };
}
