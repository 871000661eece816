/** Connections to Redis: to one server, or to a cluster when several addresses are given. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { Logger } from 'pino';
import { Problem } from '../../schema/errors.ts';
import { slotOf } from './redis-slot.ts';

/** A Lua script and its SHA-1, by which servers remember it. */
export interface RedisScript {
  readonly text: string;
  readonly sha: string;
}

export function redisScript(text: string): RedisScript {
  return { text, sha: createHash('sha1').update(text).digest('hex') };
}

export interface Subscription {
  readonly onMessage: (payload: string) => void;
  /** Told each time that a connection begins to hear the channel: what was said before may have been missed. */
  readonly onSubscribed?: () => void;
}

export interface RedisConnection {
  /**
   * Runs a script whose keys share a hash tag. A command is sent once: when its connection is lost, its outcome is not known.
   * @throws Problem upstream_unavailable while the server of the keys is away, loading, read-only or full; Error for what the script did.
   */
  run(script: RedisScript, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>;
  /** @throws Problem upstream_unavailable. */
  publish(channel: string, payload: string): Promise<void>;
  /** Hears a channel over connections of its own, one to each address, until closed; in a cluster a message comes once per address. */
  subscribe(channel: string, subscription: Subscription): { close(): void };
  /** The server that holds a key, as far as it is known: servers of a cluster fail one by one. */
  serverOf(key: string): string;
  /** Throws Problem upstream_unavailable while it is away. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface RedisOpenOptions {
  /** `redis:` or, for TLS, `rediss:`; several are addresses of one cluster. */
  readonly urls: readonly string[];
  /** Shown in CLIENT LIST. */
  readonly name: string;
  readonly log: Pick<Logger, 'warn'>;
}

const commandTimeoutMs = 1_000;
/** Longer than a command may take: a connection that says nothing for so long is given up. */
const silenceMs = 3_000;
const connectTimeoutMs = 2_000;
const slotsRefreshMs = 2_000;
const retryDelayMs = (attempts: number): number => Math.min(50 * attempts, 500);

const settings = {
  // what cannot be sent now fails now, and what was sent is never sent again: it may have been done
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  commandTimeout: commandTimeoutMs,
  socketTimeout: silenceMs,
  connectTimeout: connectTimeoutMs,
  retryStrategy: retryDelayMs,
} satisfies RedisOptions;

/** Connects, and waits for that two seconds at most: what is away now is connected when it comes back. */
export async function openRedis({ urls, name, log }: RedisOpenOptions): Promise<RedisConnection> {
  const [first, ...others] = urls;
  if (first === undefined) throw new Error('Redis needs at least one address.');
  const client =
    others.length > 0
      ? openCluster(urls, name)
      : new Redis(first, { ...settings, connectionName: name, enableAutoPipelining: true });
  // each command tells of its own fault
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
    } catch (fault) {
      if (!messageOf(fault).startsWith('NOSCRIPT')) throw fault;
      return client.eval(text, keys.length, ...keys, ...args);
    }
  }

  /** Commands of a client that is not connected would wait until it is. */
  async function connected<Result>(work: () => Promise<Result>): Promise<Result> {
    if (client.status !== 'ready') throw away();
    try {
      return await work();
    } catch (fault) {
      throw isAway(fault) ? away(fault) : fault;
    }
  }

  const ready = new Promise<void>((resolve) => void client.once('ready', () => void connectNodes(client).then(resolve)));
  const waiting = new AbortController();
  await Promise.race([ready, sleep(connectTimeoutMs, undefined, { signal: waiting.signal }).catch(() => undefined)]);
  waiting.abort();

  return {
    run: (script, keys, args) => connected(() => evaluate(script, keys, args)),
    publish: (channel, payload) => connected(async () => void (await client.publish(channel, payload))),
    subscribe(channel, { onMessage, onSubscribed }) {
      const own = urls.map((url) => new Redis(url, { ...settings, connectionName: `${name}-hears`, autoResubscribe: false }));
      for (const subscriber of own) {
        subscribers.add(subscriber);
        subscriber.on('error', () => undefined);
        subscriber.on('message', (_, payload: string) => onMessage(payload));
        subscriber.on('ready', () => void subscriber.subscribe(channel).then(onSubscribed, () => subscriber.disconnect(true)));
      }
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

function openCluster(urls: readonly string[], name: string): Cluster {
  const { username, password, protocol } = new URL(urls[0] ?? '');
  // they are one cluster, so what the first address says of TLS and of who logs in holds for the nodes it tells of
  const login = {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
    ...(protocol === 'rediss:' && { tls: {} }),
  };
  const { enableOfflineQueue, retryStrategy, ...node } = settings;
  const cluster = new Cluster([...urls], {
    enableOfflineQueue,
    enableAutoPipelining: true,
    // else ioredis sends again what was lost with a connection
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    clusterRetryStrategy: retryStrategy,
    clusterNodeRetryStrategy: retryStrategy,
    slotsRefreshInterval: slotsRefreshMs,
    // names, not addresses, are what a certificate is for
    ...(protocol === 'rediss:' && {
      dnsLookup: (host: string, told: (fault: null, address: string) => void) => told(null, host),
    }),
    redisOptions: { ...node, ...login, connectionName: name },
  });
  cluster.on('+node', (added: Redis) => void added.connect().catch(() => undefined));
  return cluster;
}

const mastersOf = (client: Redis | Cluster): Redis[] => (client instanceof Cluster ? client.nodes('master') : [client]);

/** A cluster is ready before the connections to its nodes are. */
async function connectNodes(client: Redis | Cluster): Promise<void> {
  const opening = mastersOf(client).filter(({ status }) => status !== 'ready');
  await Promise.all(opening.map((node) => new Promise<void>((resolve) => void node.once('ready', () => resolve()))));
}

const messageOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));

/** What Redis says when it cannot do its work: https://redis.io/docs/latest/develop/reference/protocol-spec/#simple-errors */
const unable =
  /^(LOADING|READONLY|CLUSTERDOWN|MASTERDOWN|MISCONF|OOM|NOREPLICAS|TRYAGAIN|MOVED|ASK|BUSY|NOAUTH|WRONGPASS|NOPERM) /;

/** Redis's own errors are named ReplyError; all others are of the connection. */
const isAway = (fault: unknown): boolean =>
  !(fault instanceof Problem) && (!(fault instanceof Error) || fault.name !== 'ReplyError' || unable.test(fault.message));

const away = (cause?: unknown): Problem => {
  const problem = new Problem('upstream_unavailable', 'Redis is not available. Try again shortly.');
  problem.cause = cause;
  return problem;
};

/** What is kept here must not make room for other things. */
async function warnOfEviction(client: Redis | Cluster, log: RedisOpenOptions['log']): Promise<void> {
  const told = await Promise.allSettled(mastersOf(client).map((master) => master.info('memory')));
  for (const answer of told) {
    const policy = answer.status === 'fulfilled' ? /^maxmemory_policy:(\S+)/m.exec(answer.value)?.[1] : undefined;
    if (policy !== undefined && policy !== 'noeviction')
      log.warn({ policy }, 'Redis may evict what it was given to keep: set its maxmemory-policy to noeviction');
  }
}
