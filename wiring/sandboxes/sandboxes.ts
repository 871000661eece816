/** Test mode: requests with a test key work on the sandbox of their account. Sandboxes open on first use and close after a pause. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { withinDeadline } from '../../platform/deadline.ts';
import type { Area } from '../../schema/areas.ts';
import { Problem } from '../../schema/errors.ts';
import { isFeedPoll } from '../../schema/feed.ts';
import {
  operationTimeouts,
  type SubgraphClient,
  type SubgraphRequest,
  type SubgraphResponse,
} from '../../schema/subgraph-client.ts';
import { divert } from './divert.ts';
import { dropSandboxDatabase, requireSandboxCapacity } from './database.ts';
import { createOpeningPauses, openedRecently } from './opening-pauses.ts';
import { placeLimits, type PlaceLimits } from './place-limits.ts';
import { openSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';
import { removeUnusedSandboxes } from './unused-databases.ts';

/** Limits that are absent are those of `placeLimits`. */
export interface SandboxesOptions extends SandboxOptions, Partial<PlaceLimits> {}

export interface Sandboxes {
  /** Runs an operation of an area on the test data of an account. Throws Problem overloaded or upstream_unavailable. */
  query(area: Area, accountId: string, request: SubgraphRequest): Promise<SubgraphResponse>;
  /** The same area, which sends requests of test mode to the sandbox of their account. */
  route(area: Area, client: SubgraphClient, unprotected: SubgraphClient): SubgraphClient;
  /**
   * Deletes the test data of an account: the next request finds a new sandbox. Throws Problem conflict soon after the last time, overloaded or
   * upstream_unavailable.
   */
  reset(accountId: string): Promise<void>;
  /** Resolves when all events of the open sandboxes are consumed and sent. */
  drain(): Promise<void>;
  /** Runs the periodic work of the open sandboxes. */
  maintain(): Promise<void>;
  close(): Promise<void>;
}

const sweepMaxMs = 60_000;
const removeUnusedMs = 3_600_000;
/** How long a reset waits for the requests in progress. */
const requestsEndMs = 5_000;

/** An open sandbox, or one that opens. */
interface Entry {
  readonly opening: Promise<Sandbox>;
  readonly openedMs: number;
  /** When the account got its place: before `openedMs` after its data were deleted, so that it does not hold the place longer. */
  readonly placedMs: number;
  /** Requests in progress. */
  requests: number;
  lastUsedMs: number;
}

const overloaded = (): Problem => new Problem('overloaded', 'Too many accounts use test mode now. Retry the request.');
const unavailable = (): Problem => new Problem('upstream_unavailable', 'The test data is unavailable. Retry the request.');

/** How long a request waits for its sandbox to open. */
function openLimitMs({ query, deadlineMs }: SubgraphRequest): number {
  const limitMs = query.startsWith('mutation') ? operationTimeouts.mutationMs : operationTimeouts.queryMs;
  return Math.min(limitMs, (deadlineMs ?? Infinity) - performance.now());
}

export function createSandboxes(options: SandboxesOptions): Sandboxes {
  const { openMax, reopenMs, idleMs, sendMs } = { ...placeLimits, ...options };
  const { log } = options;
  // the relay and the workers of a sandbox outlive the request that opens it, and must not end with its statements
  const outsideOfRequests = AsyncLocalStorage.snapshot();
  const open = (accountId: string, unusedImages: readonly string[] = []): Promise<Sandbox> =>
    outsideOfRequests(() => openSandbox(accountId, options, unusedImages));
  /** By account, the least recently used first. */
  const entries = new Map<string, Entry>();
  const closing = new Set<Promise<void>>();
  const pauses = createOpeningPauses();
  let isClosed = false;
  const sweeper = setInterval(() => void sweep(), Math.min(idleMs, sweepMaxMs)).unref();
  const remover = setInterval(() => void removeUnusedSandboxes(options), removeUnusedMs).unref();

  function closeEntry(accountId: string, entry: Entry): Promise<void> {
    if (entries.get(accountId) === entry) entries.delete(accountId);
    const closed = entry.opening
      .then((sandbox) => sandbox.close())
      .catch((err: unknown) => log.warn({ err, accountId }, 'sandbox not closed'))
      .finally(() => closing.delete(closed));
    closing.add(closed);
    return closed;
  }

  const isRecent = (startedMs: number): boolean => performance.now() - startedMs < reopenMs;

  const isIdle = ({ lastUsedMs }: Entry): boolean => performance.now() - lastUsedMs >= idleMs;

  const hasPendingDeliveries = ({ opening }: Entry): Promise<boolean> =>
    opening.then((sandbox) => sandbox.hasPendingDeliveries()).catch(() => false);

  /** Whether a sandbox stays open for its webhook deliveries while another account waits. Those that remain are sent when it opens again. */
  async function isSending(entry: Entry): Promise<boolean> {
    const now = performance.now();
    if (now - entry.lastUsedMs >= sendMs || now - entry.placedMs >= idleMs) return false;
    return hasPendingDeliveries(entry);
  }

  const isUnused = (entry: Entry): boolean => entry.requests === 0 && !isRecent(entry.placedMs);

  /** Closes others until the sandbox of an account, which has its place already, has room. Throws Problem overloaded. */
  async function makeRoom(ownAccountId: string): Promise<void> {
    if (entries.size <= openMax) return;
    // an account that cannot have a sandbox closes no other one
    await requireSandboxCapacity(ownAccountId, options);
    for (const [accountId, entry] of [...entries]) {
      if (entries.size <= openMax) return;
      if (accountId === ownAccountId || !isUnused(entry) || (await isSending(entry))) continue;
      if (isUnused(entry) && entries.get(accountId) === entry && entries.size > openMax) void closeEntry(accountId, entry);
    }
    if (entries.size > openMax) throw overloaded();
  }

  /** Resolves when another sandbox can open; the caller adds it at once. Throws Problem overloaded or upstream_unavailable. */
  function requestRoom(accountId: string): Promise<void> {
    pauses.requireNone(accountId);
    if ([...entries.values()].filter((entry) => !isUnused(entry)).length >= openMax) throw overloaded();
    return Promise.resolve().then(() => makeRoom(accountId));
  }

  function add(accountId: string, opening: Promise<Sandbox>, previous?: Entry): Entry {
    const now = performance.now();
    const entry: Entry = { opening, openedMs: now, placedMs: previous?.placedMs ?? now, requests: 0, lastUsedMs: now };
    entries.set(accountId, entry);
    opening.then(
      () => pauses.succeeded(accountId),
      (err: unknown) => {
        if (entries.get(accountId) === entry) entries.delete(accountId);
        if (err instanceof Problem && err.code === 'overloaded') return;
        log.error({ err, accountId }, 'sandbox not opened');
        pauses.failed(accountId);
      },
    );
    return entry;
  }

  function enter(accountId: string): Entry {
    if (isClosed) throw unavailable();
    let entry = entries.get(accountId);
    if (entry === undefined) {
      const room = requestRoom(accountId);
      // a sandbox that closes still has its connections
      const closed = room.then(() => Promise.all(closing));
      entry = add(
        accountId,
        closed.then(() => open(accountId)),
      );
    } else {
      entries.delete(accountId);
      entries.set(accountId, entry);
    }
    return entry;
  }

  /** A stream that waits for events does not keep its sandbox open. In a closed one nothing happens. */
  async function pollFeed(accountId: string, work: (sandbox: Sandbox) => Promise<SubgraphResponse>): Promise<SubgraphResponse> {
    const entry = entries.get(accountId);
    return entry === undefined ? { data: { feedEvents: null } } : work(await entry.opening);
  }

  /** The sandbox of an entry. Throws Problem overloaded or upstream_unavailable. */
  const opened = ({ opening }: Entry): Promise<Sandbox> =>
    opening.catch((error: unknown) => {
      throw error instanceof Problem ? error : unavailable();
    });

  /** Runs work of a request with an entry, which stays open meanwhile. */
  async function during<Result>(entry: Entry, work: () => Promise<Result>): Promise<Result> {
    entry.requests += 1;
    try {
      return await work();
    } finally {
      entry.requests -= 1;
      entry.lastUsedMs = performance.now();
    }
  }

  async function use<Result>(accountId: string, limitMs: number, work: (sandbox: Sandbox) => Promise<Result>): Promise<Result> {
    const entry = enter(accountId);
    return await during(entry, async () => work(await withinDeadline(opened(entry), limitMs, unavailable)));
  }

  async function sweep(): Promise<void> {
    for (const [accountId, entry] of entries) {
      if (entry.requests > 0 || !isIdle(entry)) continue;
      if (!(await hasPendingDeliveries(entry)) && entry.requests === 0) await closeEntry(accountId, entry);
    }
  }

  /** Closes the sandbox once its requests have ended, and opens another one. */
  async function reopen(accountId: string, previous: Entry | undefined): Promise<Sandbox> {
    if (previous !== undefined) {
      const endMs = performance.now() + requestsEndMs;
      while (previous.requests > 0 && performance.now() < endMs) await sleep(20);
      await closeEntry(accountId, previous);
    }
    return open(accountId, await dropSandboxDatabase(accountId, options));
  }

  const query: Sandboxes['query'] = (area, accountId, request) => {
    const send = ({ subgraphs }: Sandbox) => subgraphs[area].query(request);
    return isFeedPoll(request) ? pollFeed(accountId, send) : use(accountId, openLimitMs(request), send);
  };

  return {
    query,
    route: (area, client, unprotected) =>
      divert(area, client, (request, accountId) => query(area, accountId, request), unprotected),
    async reset(accountId) {
      if (isClosed) throw unavailable();
      const previous = entries.get(accountId);
      if (previous !== undefined && isRecent(previous.openedMs)) throw openedRecently(previous.openedMs, reopenMs);
      const room = previous === undefined ? requestRoom(accountId) : Promise.resolve();
      const entry = add(
        accountId,
        room.then(() => reopen(accountId, previous)),
        previous,
      );
      await during(entry, () => opened(entry));
    },
    async drain() {
      for (const { opening } of entries.values()) await (await opening).drain();
    },
    async maintain() {
      for (const { opening } of entries.values()) await (await opening).maintain();
    },
    async close() {
      isClosed = true;
      clearInterval(sweeper);
      clearInterval(remover);
      for (const [accountId, entry] of entries) void closeEntry(accountId, entry);
      await Promise.all(closing);
    },
  };
}
