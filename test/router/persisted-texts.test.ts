/** The texts of automatic persisted queries, shared by routers through Redis. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { Redis } from 'ioredis';
import { openRedis, type RedisConnection } from '../../platform/redis/redis.ts';
import { createPersistedTexts, type PersistedTexts } from '../../router/graphql/persisted-texts.ts';
import { startRedis, type RedisServer } from '../../commands/local-redis.ts';
import { withRedis } from '../redis.ts';

const keyOf = (text: string): string => `apq:${createHash('sha256').update(text).digest('hex')}`;
const storedKey = (text: string): string => keyOf(text).replace('apq:', 'talent:persisted:');

test('without Redis each process has its own texts', async () => {
  const log = { warn: () => undefined };
  const [one, two] = [createPersistedTexts(undefined, log), createPersistedTexts(undefined, log)];
  await one.set(keyOf('{ a }'), '{ a }');
  expect(await one.get(keyOf('{ a }'))).toBe('{ a }');
  expect(await two.get(keyOf('{ a }'))).toBeUndefined();
});

withRedis(describe)('with Redis', () => {
  let server: RedisServer;
  let connection: RedisConnection;
  let direct: Redis;
  const warnings: unknown[] = [];
  const log = { warn: (...entry: unknown[]) => void warnings.push(entry) };
  const open = (): PersistedTexts => createPersistedTexts(connection, log);
  beforeAll(async () => {
    server = await startRedis();
    connection = await openRedis({ urls: [server.url], name: 'test', log });
    direct = new Redis(server.url);
  });
  afterAll(async () => {
    direct.disconnect();
    await connection.close();
    await server.close();
  });

  test('a text that one router stored is known to the others, for a day since its last use', async () => {
    const text = '{ shared }';
    await open().set(keyOf(text), text);
    await direct.expire(storedKey(text), 100);
    expect(await open().get(keyOf(text))).toBe(text);
    expect(await direct.ttl(storedKey(text))).toBeGreaterThan(86_000);
    expect(await open().get(keyOf('{ unknown }'))).toBeUndefined();
  });

  test('a stored text that does not match its hash is ignored', async () => {
    await direct.set(storedKey('{ good }'), '{ evil }');
    expect(await open().get(keyOf('{ good }'))).toBeUndefined();
  });

  test('while Redis is down each router uses its own texts, and does not wait for Redis again and again', async () => {
    const texts = open();
    await server.kill();
    warnings.length = 0;
    await texts.set(keyOf('{ own }'), '{ own }');
    expect(await texts.get(keyOf('{ own }'))).toBe('{ own }');
    for (let index = 0; index < 20; index++) expect(await texts.get(keyOf(`{ other${index} }`))).toBeUndefined();
    expect(warnings).toHaveLength(1);
  });
});
