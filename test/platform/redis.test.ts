/** What a connection to Redis promises, over one server and over a cluster. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openRedis, redisScript, type RedisConnection } from '../../platform/redis/redis.ts';
import { slotOf } from '../../platform/redis/redis-slot.ts';
import { startRedis, startRedisCluster, type RedisCluster, type RedisServer } from '../redis.ts';
import { eventually } from '../eventually.ts';

const count = redisScript("return redis.call('incrby', KEYS[1], ARGV[1])");
const away = { code: 'upstream_unavailable' };
const warnings: unknown[] = [];
const log = { warn: (...told: unknown[]) => void warnings.push(told) };

/** Waits until it is so. */
const seen = (check: () => void): Promise<void> => eventually(() => Promise.resolve(check()));

test('a key belongs to the slot of its hash tag', () => {
  // CLUSTER KEYSLOT says so
  expect(['123456789', 'somekey', 'foo{hash_tag}', 'bar{hash_tag}', 'foo{}{bar}', 'foo{{bar}}zap'].map(slotOf)).toEqual([
    12739, 11058, 2515, 2515, 8363, 4015,
  ]);
});

describe('one server', () => {
  let server: RedisServer;
  let redis: RedisConnection;
  beforeAll(async () => {
    server = await startRedis();
    redis = await openRedis({ urls: [server.url], name: 'test', log });
  });
  afterAll(async () => {
    await redis.close();
    await server.close();
  });

  test('runs scripts, says what is wrong with them, and hears a channel', async () => {
    await Promise.all([redis.run(count, ['a'], [2]), redis.run(count, ['a'], [3])]);
    expect(await redis.run(count, ['a'], [0])).toBe(5);
    const fault: unknown = await redis.run(redisScript('return no.thing'), ['a'], []).catch((caught: unknown) => caught);
    expect(fault).toMatchObject({ name: 'ReplyError' });
    const heard: string[] = [];
    await new Promise<void>((resolve) => {
      redis.subscribe('news', { onMessage: (payload) => void heard.push(payload), onSubscribed: resolve });
    });
    await redis.publish('news', 'hello');
    await seen(() => expect(heard).toEqual(['hello']));
  });

  test('is away at once when its server is gone, sends nothing twice, and is there again with it', async () => {
    let times = 0;
    const subscription = redis.subscribe('more', { onMessage: () => undefined, onSubscribed: () => (times += 1) });
    await seen(() => expect(times).toBe(1));
    const sent = redis.run(count, ['b'], [1]);
    await server.kill();
    await sent.catch((fault: unknown) => expect(fault).toMatchObject(away));
    await expect(redis.run(count, ['b'], [1])).rejects.toMatchObject(away);
    await expect(redis.publish('news', '')).rejects.toMatchObject(away);
    await server.start();
    await eventually(() => redis.ping());
    expect(await redis.run(count, ['b'], [1])).toBe(1);
    await seen(() => expect(times).toBe(2));
    subscription.close();
  });

  test('a server that evicts is told of', async () => {
    expect(warnings).toEqual([]);
    const evicting = await startRedis('--maxmemory-policy', 'allkeys-lru');
    const other = await openRedis({ urls: [evicting.url], name: 'test', log });
    await seen(() => expect(warnings).toMatchObject([[{ policy: 'allkeys-lru' }, expect.any(String)]]));
    await other.close();
    await evicting.close();
  });
});

describe('a cluster', () => {
  let cluster: RedisCluster;
  let redis: RedisConnection;
  beforeAll(async () => {
    cluster = await startRedisCluster();
    redis = await openRedis({ urls: cluster.urls.slice(0, 2), name: 'test', log });
  });
  afterAll(async () => {
    await redis.close();
    await cluster.close();
  });

  test('runs each script where its keys are, and a message comes from any node', async () => {
    const keys = Array.from({ length: 30 }, (_, index) => `key-${index}`);
    expect(new Set(keys.map((key) => redis.serverOf(key))).size).toBe(3);
    expect(await Promise.all(keys.map((key) => redis.run(count, [key], [1])))).toEqual(keys.map(() => 1));
    let heard = 0;
    const listening = new Promise<void>((resolve) => {
      redis.subscribe('news', { onMessage: () => (heard += 1), onSubscribed: resolve });
    });
    await listening;
    await redis.publish('news', 'hello');
    await seen(() => expect(heard).toBeGreaterThan(0));
  });

  test('while a node is away, the others answer', async () => {
    const [first] = cluster.servers;
    const { host } = new URL(first?.url ?? '');
    const keys = Array.from({ length: 30 }, (_, index) => `key-${index}`);
    const there = keys.filter((key) => redis.serverOf(key) !== host);
    const gone = keys.filter((key) => redis.serverOf(key) === host);
    await first?.kill();
    for (const key of gone) await expect(redis.run(count, [key], [1])).rejects.toMatchObject(away);
    expect(await Promise.all(there.map((key) => redis.run(count, [key], [1])))).toEqual(there.map(() => 2));
  });
});
