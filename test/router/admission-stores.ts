/** The quota stores, each with test hooks: read and set a counter, step its clock, cut its connections. */
import { describe } from '@jest/globals';
import { Cluster, Redis } from 'ioredis';
import { openDatabase, sql, type Database } from '../../platform/database/database.ts';
import { openRedis } from '../../platform/redis/redis.ts';
import { dayNumber, dayOf, monthNumber, monthOf } from '../../router/admission/quota/calendar.ts';
import { createPostgresQuota, quotaPool, readPostgresCounters } from '../../router/admission/quota/postgres.ts';
import { createRedisQuota, quotaScript } from '../../router/admission/quota/redis.ts';
import type { QuotaStore } from '../../router/admission/quota/store.ts';
import { startRedis, type RedisServer } from '../../commands/local-redis.ts';
import { startRedisCluster, withRedis } from '../redis.ts';

export const storeKinds = ['PostgreSQL', 'Redis', 'a Redis cluster'] as const;
export type StoreKind = (typeof storeKinds)[number];

/** Defines a suite for each kind of store. Those in Redis are skipped without redis-server. */
export function describeStores(name: string, suite: (kind: StoreKind) => void, kinds: readonly StoreKind[] = storeKinds): void {
  for (const kind of kinds) (kind === 'PostgreSQL' ? describe : withRedis(describe))(`${name} ${kind}`, () => suite(kind));
}

export interface Counter {
  readonly dayUsed: number;
  readonly monthUsed: number;
  readonly dayRefunded: number;
}

/** A counter with its windows: YYYY-MM-DD and YYYY-MM-01. */
export interface Windows extends Counter {
  readonly day: string;
  readonly month: string;
}

export interface CounterStore {
  /** Opens the store for a router. */
  open(): Promise<{ readonly counters: QuotaStore; close(): Promise<void> }>;
  /** Null without a counter. */
  read(subject: string): Promise<Windows | null>;
  write(subject: string, counter: Windows): Promise<void>;
  /** Offsets the store's clock, at least for this subject. */
  stepClock(subject: string, aheadMs: number): Promise<void>;
  /** Terminates the connections of routers. */
  cut(): Promise<void>;
  /** Empty for PostgreSQL. */
  readonly servers: readonly RedisServer[];
  close(): Promise<void>;
}

type Log = Parameters<typeof createPostgresQuota>[1];

function postgresStore(owner: Database, routerUrl: string, log: Log): CounterStore {
  return {
    servers: [],
    open() {
      const pool = openDatabase({ url: routerUrl, name: 'test-counters', ...quotaPool });
      return Promise.resolve({ counters: createPostgresQuota(pool, log), close: () => pool.close() });
    },
    async read(subject) {
      const [row] = await owner.query<Windows>(sql`/* test.counter */
        select day, month, day_used as "dayUsed", month_used as "monthUsed", day_refunded as "dayRefunded" from accounts.quota_counter
        where subject = decode(${subject}, 'hex')`);
      return row ?? null;
    },
    async write(subject, { day, month, dayUsed, monthUsed, dayRefunded }) {
      await owner.query(sql`/* test.setCounter */
        insert into accounts.quota_counter values (decode(${subject}, 'hex'), ${day}, ${dayUsed}, ${dayRefunded}, ${month}, ${monthUsed},
          'epoch', current_date)
        on conflict (subject) do update set day = excluded.day, day_used = excluded.day_used, day_refunded = excluded.day_refunded,
          month = excluded.month, month_used = excluded.month_used`);
    },
    async stepClock(_, aheadMs) {
      await owner.pool
        .query(`/* test.stepClock */ create or replace function accounts.quota_now() returns timestamptz language sql volatile
        return clock_timestamp() + interval '${Math.round(aheadMs)} milliseconds'`);
    },
    async cut() {
      await owner.query(sql`/* test.cut */ select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'test-counters'`);
    },
    close: () => Promise.resolve(),
  };
}

/** The real script with a clock offset, stored in a key next to the counter. */
const steppedScript = quotaScript.replace(
  "redis.call('TIME')\n",
  "redis.call('TIME')\ntime[1] = time[1] + (redis.call('GET', KEYS[1] .. ':ahead') or 0)\n",
);

async function redisStore(kind: StoreKind, database: Database, log: Log): Promise<CounterStore> {
  const cluster = kind === 'Redis' ? null : await startRedisCluster();
  const servers = cluster?.servers ?? [await startRedis()];
  const urls = servers.map(({ url }) => url);
  const client = cluster ? new Cluster(urls) : new Redis(urls[0] ?? '');
  client.on('error', () => undefined);
  const keyOf = (subject: string): string => `quota:{${subject}}`;
  return {
    servers,
    async open() {
      const redis = await openRedis({ urls, name: 'test-counters', log: { warn: () => undefined } });
      const readCounters = (subjects: readonly string[]) => readPostgresCounters(database, subjects);
      return { counters: createRedisQuota({ redis, readCounters, log, script: steppedScript }), close: () => redis.close() };
    },
    async read(subject) {
      const [d, u, r, m, v] = (await client.hmget(keyOf(subject), 'd', 'u', 'r', 'm', 'v')).map((text) =>
        text === null ? NaN : Number(text),
      );
      if (d === undefined || Number.isNaN(d)) return null;
      return { day: dayOf(d), dayUsed: u ?? NaN, dayRefunded: r ?? NaN, month: monthOf(m ?? NaN), monthUsed: v ?? NaN };
    },
    async write(subject, { day, month, dayUsed, monthUsed, dayRefunded }) {
      const windows = { d: dayNumber(day), m: monthNumber(month) };
      await client.hset(keyOf(subject), { ...windows, u: dayUsed, r: dayRefunded, v: monthUsed, b: 0 });
    },
    async stepClock(subject, aheadMs) {
      await client.set(`${keyOf(subject)}:ahead`, Math.round(aheadMs / 1000));
    },
    async cut() {
      const nodes = client instanceof Cluster ? client.nodes('master') : [client];
      await Promise.all(nodes.map((node) => node.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes')));
    },
    async close() {
      client.disconnect();
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

/**
 * @param owner connects as the database owner, to read and set counters.
 * @param database connects as the router.
 */
export function createCounterStore(kind: StoreKind, owner: Database, database: Database, routerUrl: string, log: Log) {
  return kind === 'PostgreSQL' ? Promise.resolve(postgresStore(owner, routerUrl, log)) : redisStore(kind, database, log);
}
