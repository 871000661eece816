/** Redis client: one server, or a cluster if several addresses are given. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { Logger } from 'pino';
import { withinDeadline } from '../deadline.ts';
import { Problem } from '../../schema/errors.ts';
import { slotOf } from './redis-slot.ts';

/** A Lua script and its SHA-1, by which servers cache it. */
export interface RedisScript {
  readonly text: string;
  readonly sha: string;
}

export function redisScript(text: string): RedisScript {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

export interface Subscription {
  readonly onMessage: (payload: string) => void;
  /** Called after each subscription to the channel: earlier messages may have been missed. */
  readonly onSubscribed?: () => void;
}

export interface RedisConnection {
  /**
   * Runs a script whose keys share a hash tag. A command is sent once: if its connection is lost, its outcome is unknown.
   * @throws Problem upstream_unavailable while the server is unavailable, loading, read-only or full; Error for errors of the script
   */
  run(script: RedisScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>;
  /** @throws Problem upstream_unavailable. */
  publish(channel: string, payload: string): Promise<void>;
  /** Subscribes with separate connections, one per address, until closed. In a cluster a message arrives once per address. */
  subscribe(channel: string, subscription: Subscription): { close(): void };
  /** The server of a key, if known: servers of a cluster fail independently. */
  serverOf(key: string): string;
  /** Throws Problem upstream_unavailable. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface RedisOpenOptions {
  /** `redis:` or, with TLS, `rediss:`; several addresses form one cluster. */
  readonly urls: readonly string[];
  /** Client name in CLIENT LIST. */
  readonly name: string;
  readonly log: Pick<Logger, 'warn'>;
}

const commandTimeoutMs = 1_000;
/** Longer than the command timeout: a connection without a response for this time is closed. */
const socketTimeoutMs = 3_000;
const connectTimeoutMs = 2_000;
const slotsRefreshMs = 2_000;
const retryDelayMs = (attempts: number): number => Math.min(50 * attempts, 500);

const settings = {
  // commands fail immediately without a connection and are never resent: they may have been executed
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  socketTimeout: socketTimeoutMs,
  connectTimeout: connectTimeoutMs,
  retryStrategy: retryDelayMs,
} satisfies RedisOptions;

/** Connects and waits up to two seconds; a server that is unavailable now is connected later. */
export async function openRedis({ urls, name, log }: RedisOpenOptions): Promise<RedisConnection> {
  const [first, ...others] = urls;
  if (first === undefined) throw new Error('Redis needs at least one address.');
  const client =
    others.length > 0
      ? openCluster(urls, name)
      : new Redis(first, { ...settings, connectionName: name, enableAutoPipelining: true });
  // each command reports its own error
  client.on('error', () => undefined);
  client.on('ready', () => void warnOfEviction(client, log));
  const subscribers = new Set<Redis>();

  async function evaluate(
    { text, sha }: RedisScript,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    try {
      return await client.evalsha(sha, keys.length, ...keys, ...args);
    } catch (error) {
      if (!messageOf(error).startsWith('NOSCRIPT')) throw error;
      return client.eval(text, keys.length, ...keys, ...args);
    }
  }

  /** Fails immediately without a connection; ioredis would queue the command. Its own time limit would ignore replies that wait to be read. */
  async function connected<Result>(work: () => Promise<Result>): Promise<Result> {
    if (client.status !== 'ready') throw unavailable();
    try {
      return await withinDeadline(work(), commandTimeoutMs);
    } catch (error) {
      throw isUnavailable(error) ? unavailable(error) : error;
    }
  }

  const ready = new Promise<void>((resolve) => void client.once('ready', () => void connectNodes(client).then(resolve)));
  const waiting = new AbortController();
  await Promise.race([ready, sleep(connectTimeoutMs, undefined, { signal: waiting.signal }).catch(() => undefined)]);
  waiting.abort();

  return {
    run: (script, keys, args) => connected(() => evaluate(script, keys, args)),
    publish: (channel, payload) => connected(async () => void (await client.publish(channel, payload))),
    subscribe(channel, subscription) {
      const own = urls.map((url) => openSubscriber(url, name, channel, subscription));
      for (const subscriber of own) subscribers.add(subscriber);
      return {
        close() {
          for (const subscriber of own) {
            subscribers.delete(subscriber);
            subscriber.disconnect();
          }
        },
      };
    },
    serverOf: (key) => (client instanceof Cluster ? (client.slots[slotOf(key)]?.[0] ?? '') : ''),
    ping: () => connected(async () => void (await Promise.all(mastersOf(client).map((master) => master.ping())))),
    async close() {
      for (const subscriber of subscribers) subscriber.disconnect();
      if (client.status === 'ready') await client.quit().catch(() => undefined);
      client.disconnect();
    },
  };
}

/** A connection that subscribes to a channel whenever it is ready. */
function openSubscriber(url: string, name: string, channel: string, { onMessage, onSubscribed }: Subscription): Redis {
  const subscriber = new Redis(url, { ...settings, connectionName: `${name}-subscriber`, autoResubscribe: false });
  subscriber.on('error', () => undefined);
  subscriber.on('message', (_, payload: string) => onMessage(payload));
  subscriber.on('ready', () => void subscriber.subscribe(channel).then(onSubscribed, () => subscriber.disconnect(true)));
  return subscriber;
}

function openCluster(urls: readonly string[], name: string): Cluster {
  const { username, password, protocol } = new URL(urls[0] ?? '');
  // the nodes form one cluster, so the login and TLS settings of the first address apply to all of them
  const login = {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  };
  const { enableOfflineQueue, retryStrategy, ...node } = settings;
  const cluster = new Cluster([...urls], {
    enableOfflineQueue,
    enableAutoPipelining: true,
    // otherwise ioredis resends commands of a lost connection
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    clusterRetryStrategy: retryStrategy,
    clusterNodeRetryStrategy: retryStrategy,
    slotsRefreshInterval: slotsRefreshMs,
    // certificates are issued for names, not addresses
    ...(protocol === 'rediss:' && {
      dnsLookup: (host: string, callback: (error: null, address: string) => void) => callback(null, host),
    }),
    redisOptions: { ...node, ...login, connectionName: name },
  });
  cluster.on('+node', (added: Redis) => void added.connect().catch(() => undefined));
  return cluster;
}

const mastersOf = (client: Redis | Cluster): Redis[] => (client instanceof Cluster ? client.nodes('master') : [client]);

/** A cluster is ready before its connections to the nodes are. */
async function connectNodes(client: Redis | Cluster): Promise<void> {
  const opening = mastersOf(client).filter(({ status }) => status !== 'ready');
  await Promise.all(opening.map((node) => new Promise<void>((resolve) => void node.once('ready', () => resolve()))));
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Error prefixes of a server that cannot process commands: https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors */
const unavailableErrors =
  /^(LOADING|READONLY|CLUSTERDOWN|MASTERDOWN|MISCONF|OOM|NOREPLICAS|TRYAGAIN|MOVED|ASK|BUSY|NOAUTH|WRONGPASS|NOPERM) /;

/** Errors of Redis commands are named ReplyError; all others are connection errors. */
const isUnavailable = (error: unknown): boolean =>
  !(error instanceof Problem) &&
  (!(error instanceof Error) || error.name !== 'ReplyError' || unavailableErrors.test(error.message));

const unavailable = (cause?: unknown): Problem => {
  const problem = new Problem('upstream_unavailable', 'Redis is unavailable. Try again shortly.');
  problem.cause = cause;
  return problem;
};

/** Quota counters must not be evicted to free memory. */
async function warnOfEviction(client: Redis | Cluster, log: RedisOpenOptions['log']): Promise<void> {
  const replies = await Promise.allSettled(mastersOf(client).map((master) => master.info('memory')));
  for (const reply of replies) {
    const policy = reply.status === 'fulfilled' ? /^maxmemory_policy:(\S+)/m.exec(reply.value)?.[1] : undefined;
    if (policy !== undefined && policy !== 'noeviction')
      log.warn({ policy }, 'Redis may evict quota counters: set maxmemory-policy to noeviction');
  }
}
