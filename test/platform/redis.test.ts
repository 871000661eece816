/** Redis connections to one server and to a cluster. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openRedis, redisScript, type RedisConnection } from '../../platform/redis/redis.ts';
import { slotOf } from '../../platform/redis/redis-slot.ts';
import { startRedis, type RedisServer } from '../../commands/local-redis.ts';
import { startRedisCluster, withRedis, type RedisCluster } from '../redis.ts';
import { blockBeforeTimers } from '../block-process.ts';
import { eventually } from '../eventually.ts';

const count = redisScript("return redis.call('incrby', KEYS[1], ARGV[1])");
const unavailable = { code: 'upstream_unavailable' };
const warnings: unknown[] = [];
const log = { warn: (...entry: unknown[]) => void warnings.push(entry) };

/** Waits until a check passes. */
const eventuallyTrue = (check: () => void): Promise<void> => eventually(() => Promise.resolve(check()));

test('a key belongs to the slot of its hash tag', () => {
  // results of CLUSTER KEYSLOT
  expect(['123456789', 'somekey', 'foo{hash_tag}', 'bar{hash_tag}', 'foo{}{bar}', 'foo{{bar}}zap'].map(slotOf)).toEqual([
    12739, 11058, 2515, 2515, 8363, 4015,
  ]);
});

withRedis(describe)('one server', () => {
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

  test('runs scripts, returns their errors, and delivers messages of a channel', async () => {
    await Promise.all([redis.run(count, ['a'], [2]), redis.run(count, ['a'], [3])]);
    expect(await redis.run(count, ['a'], [0])).toBe(5);
    const error: unknown = await redis.run(redisScript('return no.thing'), ['a'], []).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ name: 'ReplyError' });
    const received: string[] = [];
    await new Promise<void>((resolve) => {
      redis.subscribe('news', { onMessage: (payload) => void received.push(payload), onSubscribed: resolve });
    });
    await redis.publish('news', 'hello');
    await eventuallyTrue(() => expect(received).toEqual(['hello']));
  });

  test('a reply that arrived while the process was blocked is read, although the time limit is over', async () => {
    await redis.run(count, ['blocked'], [1]);
    const reply = redis.run(count, ['blocked'], [1]);
    await blockBeforeTimers(1_200);
    expect(await reply).toBe(2);
  });

  test('is unavailable immediately without its server, never resends a command, and recovers with the server', async () => {
    let times = 0;
    const subscription = redis.subscribe('more', { onMessage: () => undefined, onSubscribed: () => (times += 1) });
    await eventuallyTrue(() => expect(times).toBe(1));
    const sent = redis.run(count, ['b'], [1]);
    await server.kill();
    await sent.catch((error: unknown) => expect(error).toMatchObject(unavailable));
    await expect(redis.run(count, ['b'], [1])).rejects.toMatchObject(unavailable);
    await expect(redis.publish('news', '')).rejects.toMatchObject(unavailable);
    await server.start();
    await eventually(() => redis.ping());
    expect(await redis.run(count, ['b'], [1])).toBe(1);
    await eventuallyTrue(() => expect(times).toBe(2));
    subscription.close();
  });

  test('a server that may evict keys is logged', async () => {
    expect(warnings).toEqual([]);
    const evicting = await startRedis('--maxmemory-policy', 'allkeys-lru');
    const other = await openRedis({ urls: [evicting.url], name: 'test', log });
    await eventuallyTrue(() => expect(warnings).toMatchObject([[{ policy: 'allkeys-lru' }, expect.any(String)]]));
    await other.close();
    await evicting.close();
  });
});

withRedis(describe)('a cluster', () => {
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

  test('runs each script on the node of its keys and delivers messages from any node', async () => {
    const keys = Array.from({ length: 30 }, (_, index) => `key-${index}`);
    expect(new Set(keys.map((key) => redis.serverOf(key))).size).toBe(3);
    expect(await Promise.all(keys.map((key) => redis.run(count, [key], [1])))).toEqual(keys.map(() => 1));
    let received = 0;
    const listening = new Promise<void>((resolve) => {
      redis.subscribe('news', { onMessage: () => (received += 1), onSubscribed: resolve });
    });
    await listening;
    await redis.publish('news', 'hello');
    await eventuallyTrue(() => expect(received).toBeGreaterThan(0));
  });

  test('other nodes respond while one is unavailable', async () => {
    const [first] = cluster.servers;
    const { host } = new URL(first?.url ?? '');
    const keys = Array.from({ length: 30 }, (_, index) => `key-${index}`);
    const onOthers = keys.filter((key) => redis.serverOf(key) !== host);
    const onFirst = keys.filter((key) => redis.serverOf(key) === host);
    await first?.kill();
    for (const key of onFirst) await expect(redis.run(count, [key], [1])).rejects.toMatchObject(unavailable);
    expect(await Promise.all(onOthers.map((key) => redis.run(count, [key], [1])))).toEqual(onOthers.map(() => 2));
  });
});
