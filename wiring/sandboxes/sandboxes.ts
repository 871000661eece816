/** Test mode: requests with a test key work on the sandbox of their account. Sandboxes open on first use and close after a pause. */
import { setTimeout as sleep } from 'node:timers/promises';
import { withinDeadline } from '../../platform/deadline.ts';
import type { Area } from '../../schema/areas.ts';
import { Problem } from '../../schema/errors.ts';
import {
  operationTimeouts,
  type SubgraphClient,
  type SubgraphRequest,
  type SubgraphResponse,
} from '../../schema/subgraph-client.ts';
import { divert } from './divert.ts';
import { dropSandboxDatabase, dropUnusedSandboxes } from './database.ts';
import { openSandbox, type Sandbox, type SandboxOptions } from './sandbox.ts';

export interface SandboxesOptions extends SandboxOptions {
  /** Maximum number of open sandboxes; default: 6. Each uses up to 17 connections of the database server. */
  readonly openMax?: number | undefined;
  /** Least time between two openings of a place, because an opening takes about a second of CPU time; default: 30 s. */
  readonly reopenMs?: number | undefined;
}

export interface Sandboxes {
  /** Runs an operation of an area on the test data of an account. Throws Problem overloaded or upstream_unavailable. */
  query(area: Area, accountId: string, request: SubgraphRequest): Promise<SubgraphResponse>;
  /** The same area, which sends requests of test mode to the sandbox of their account. */
  route(area: Area, client: SubgraphClient): SubgraphClient;
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

const openMaxDefault = 6;
const reopenMsDefault = 30_000;
/** A sandbox without requests and pending deliveries closes after this time. */
const idleMs = 10 * 60_000;
const sweepMs = 60_000;
/** Databases of sandboxes that were not opened for this time are deleted. */
const keptDays = 30;
const removeUnusedMs = 3_600_000;
/** How long a reset waits for the requests in progress. */
const requestsEndMs = 5_000;

/** An open sandbox, or one that opens. */
interface Entry {
  readonly opening: Promise<Sandbox>;
  readonly openedMs: number;
  /** Requests in progress. */
  requests: number;
  lastUsedMs: number;
}

const unavailable = (): Problem => new Problem('upstream_unavailable', 'The test data is unavailable. Retry the request.');

/** How long a request waits for its sandbox to open. */
function openLimitMs({ query, deadlineMs }: SubgraphRequest): number {
  const limitMs = query.startsWith('mutation') ? operationTimeouts.mutationMs : operationTimeouts.queryMs;
  return Math.min(limitMs, (deadlineMs ?? Infinity) - performance.now());
}

export function createSandboxes({
  openMax = openMaxDefault,
  reopenMs = reopenMsDefault,
  ...options
}: SandboxesOptions): Sandboxes {
  const { log } = options;
  /** By account, the least recently used first. */
  const entries = new Map<string, Entry>();
  const closing = new Set<Promise<void>>();
  let isClosed = false;
  const sweeper = setInterval(() => void sweep(), sweepMs).unref();
  const remover = setInterval(() => void removeUnused(), removeUnusedMs).unref();

  function closeEntry(accountId: string, entry: Entry): Promise<void> {
    if (entries.get(accountId) === entry) entries.delete(accountId);
    const closed = entry.opening
      .then((sandbox) => sandbox.close())
      .catch((err: unknown) => log.warn({ err, accountId }, 'sandbox not closed'))
      .finally(() => closing.delete(closed));
    closing.add(closed);
    return closed;
  }

  const isRecent = ({ openedMs }: Entry): boolean => performance.now() - openedMs < reopenMs;

  /** Makes room for another sandbox. Throws Problem overloaded when all are in use. */
  function makeRoom(): void {
    if (entries.size < openMax) return;
    const unused = [...entries].find(([, entry]) => entry.requests === 0 && !isRecent(entry));
    if (unused === undefined) throw new Problem('overloaded', 'Too many accounts use test mode now. Retry the request.');
    void closeEntry(...unused);
  }

  function add(accountId: string, opening: Promise<Sandbox>): Entry {
    const now = performance.now();
    const entry: Entry = { opening, openedMs: now, requests: 0, lastUsedMs: now };
    entries.set(accountId, entry);
    opening.catch((err: unknown) => {
      log.error({ err, accountId }, 'sandbox not opened');
      if (entries.get(accountId) === entry) entries.delete(accountId);
    });
    return entry;
  }

  function enter(accountId: string): Entry {
    if (isClosed) throw unavailable();
    let entry = entries.get(accountId);
    if (entry === undefined) {
      makeRoom();
      // a sandbox that closes still has its connections
      entry = add(
        accountId,
        Promise.all(closing).then(() => openSandbox(accountId, options)),
      );
    } else {
      entries.delete(accountId);
      entries.set(accountId, entry);
    }
    return entry;
  }

  async function use<Result>(accountId: string, limitMs: number, work: (sandbox: Sandbox) => Promise<Result>): Promise<Result> {
    const entry = enter(accountId);
    entry.requests += 1;
    try {
      const opened = entry.opening.catch((error: unknown) => {
        throw error instanceof Problem ? error : unavailable();
      });
      return await work(await withinDeadline(opened, limitMs, unavailable));
    } finally {
      entry.requests -= 1;
      entry.lastUsedMs = performance.now();
    }
  }

  async function sweep(): Promise<void> {
    for (const [accountId, entry] of entries) {
      if (entry.requests > 0 || performance.now() - entry.lastUsedMs < idleMs) continue;
      const isBusy = await entry.opening.then((sandbox) => sandbox.hasPendingDeliveries()).catch(() => false);
      if (!isBusy && entry.requests === 0) await closeEntry(accountId, entry);
    }
  }

  const removeImages = async (ids: readonly string[]): Promise<void> => options.images?.remove(ids);

  async function removeUnused(): Promise<void> {
    const names = await dropUnusedSandboxes(options.ownerUrl, keptDays, removeImages).catch((err: unknown) => {
      log.warn({ err }, 'unused sandboxes not deleted');
      return [];
    });
    if (names.length > 0) log.info({ names }, 'unused sandboxes deleted');
  }

  /** Closes the sandbox once its requests have ended, and opens another one. */
  async function reopen(accountId: string, previous: Entry | undefined): Promise<Sandbox> {
    if (previous !== undefined) {
      const endMs = performance.now() + requestsEndMs;
      while (previous.requests > 0 && performance.now() < endMs) await sleep(20);
      await closeEntry(accountId, previous);
    }
    return openSandbox(accountId, options, await dropSandboxDatabase(accountId, options));
  }

  const query: Sandboxes['query'] = (area, accountId, request) =>
    use(accountId, openLimitMs(request), ({ subgraphs }) => subgraphs[area].query(request));

  return {
    query,
    route: (area, client) => divert(area, client, (request, accountId) => query(area, accountId, request)),
    async reset(accountId) {
      if (isClosed) throw unavailable();
      const previous = entries.get(accountId);
      if (previous === undefined) makeRoom();
      else if (isRecent(previous))
        throw new Problem('conflict', `Test data can be deleted once in ${Math.ceil(reopenMs / 1_000)} seconds.`);
      await add(accountId, reopen(accountId, previous)).opening;
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
