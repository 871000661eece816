/** The key cache of a router: entries live only as long as a change would be announced. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase, sql, type Database } from '../../platform/database/database.ts';
import { openRedis, type RedisConnection } from '../../platform/redis/redis.ts';
import { createKeyChanges } from '../../router/admission/key-changes.ts';
import type { KeyChangeListener, KeyChanges, OpenKeyChanges } from '../../router/admission/key-changes.ts';
import type { KeyRecord } from '../../router/admission/key-record.ts';
import { postgresKeyChannel, redisKeyChannel } from '../../router/admission/key-change-channels.ts';
import { createKeyCheck } from '../../router/admission/key-check.ts';
import { createKeyCache } from '../../router/admission/key-cache.ts';
import { Problem } from '../../schema/errors.ts';
import { startRedis, type RedisServer } from '../../commands/local-redis.ts';
import { hasRedis, withRedis } from '../redis.ts';
import { caller, createAdmissionPlatform, untilTrue } from './admission-platform.ts';
import type { AdmissionPlatform, IssuedKey, Router } from './admission-platform.ts';

const silent = { warn: () => undefined };
let platform: AdmissionPlatform;
let server: RedisServer;
let redis: RedisConnection;
beforeAll(async () => {
  platform = await createAdmissionPlatform();
  if (!hasRedis) return;
  server = await startRedis();
  redis = await openRedis({ urls: [server.url], name: 'test', log: silent });
});
afterAll(async () => {
  await platform.close();
  if (!hasRedis) return;
  await redis.close();
  await server.close();
});

/** A channel whose connection state the test can read. */
function watched(open: OpenKeyChanges) {
  const opened: KeyChanges[] = [];
  const isConnected = (): boolean => opened.length > 0 && opened.every((changes) => changes.reliableSince() < Infinity);
  const channel: OpenKeyChanges = (listener) => {
    const changes = open(listener);
    opened.push(changes);
    return changes;
  };
  return { channel, isConnected, connected: () => untilTrue(() => Promise.resolve(isConnected())) };
}
const byPostgres = () => watched(createKeyChanges('postgresql', postgresKeyChannel(platform.routerUrl), silent));
const byRedis = () => watched(createKeyChanges('redis', redisKeyChannel(redis), silent));

const codeOf = async ({ admission }: Router, key: string, address?: string): Promise<string> => {
  const result = await admission.admit(caller(key, address));
  return result.kind === 'REJECTED' ? result.problem.code : 'admitted';
};
const becomes = (router: Router, key: string, code: string) => untilTrue(async () => (await codeOf(router, key)) === code);
const change = ({ publicId }: IssuedKey, set: 'revoke' | 'disable' | 'enable' | 'move' | 'suspend') =>
  platform.owner.query(
    {
      revoke: sql`/* test.revoke */ update accounts.api_key set status = 'REVOKED', revoked_at = now() where public_id = ${publicId}`,
      disable: sql`/* test.disable */ update accounts.api_key set status = 'DISABLED' where public_id = ${publicId}`,
      enable: sql`/* test.enable */ update accounts.api_key set status = 'ACTIVE' where public_id = ${publicId}`,
      move: sql`/* test.move */ update accounts.api_key set allowed_cidrs = '{10.0.0.0/8}' where public_id = ${publicId}`,
      suspend: sql`/* test.suspend */ update accounts.account set status = 'SUSPENDED'
        where id = (select account_id from accounts.api_key where public_id = ${publicId})`,
    }[set],
  );

describe('a router with a key-change channel', () => {
  const lookups: string[] = [];
  let changes: ReturnType<typeof byPostgres>;
  let router: Router;
  beforeAll(async () => {
    changes = byPostgres();
    router = await platform.router((text) => void (text.includes('keyByPublicId') && lookups.push(text)), [changes.channel]);
    await changes.connected();
  });

  /** Issues a key and waits until the router has received that change: later changes arrive later. */
  async function issueAndAnnounce(): Promise<IssuedKey> {
    const [issued, later] = [await platform.issue(), await platform.issue()];
    expect(await codeOf(router, later.key)).toBe('admitted');
    await change(later, 'disable');
    await becomes(router, later.key, 'api_key_disabled');
    return issued;
  }

  test('caches keys longer than a router without a channel', async () => {
    const { key } = await issueAndAnnounce();
    const others: string[] = [];
    const other = await platform.router((text) => void (text.includes('keyByPublicId') && others.push(text)));
    lookups.length = 0;
    await untilTrue(async () => {
      await Promise.all([codeOf(router, key), codeOf(other, key)]);
      return others.length === 2;
    });
    expect(lookups).toHaveLength(1);
  });

  test('applies each change of a key or its account well within a minute', async () => {
    const [one, other, third] = await Promise.all([platform.issue(), platform.issue(), platform.issue()]);
    for (const { key } of [one, other, third]) expect(await codeOf(router, key)).toBe('admitted');
    await change(one, 'disable');
    await becomes(router, one.key, 'api_key_disabled');
    await change(one, 'enable');
    await becomes(router, one.key, 'admitted');
    await change(one, 'revoke');
    await becomes(router, one.key, 'api_key_revoked');
    await change(other, 'move');
    await becomes(router, other.key, 'ip_not_allowed');
    await change(third, 'suspend');
    await becomes(router, third.key, 'api_key_disabled');
  });

  test('reads all keys again after its session was replaced', async () => {
    const issued = await issueAndAnnounce();
    expect(await codeOf(router, issued.key)).toBe('admitted');
    await platform.owner.transaction(async (transaction) => {
      await transaction.query(sql`/* test.quiet */ set local session_replication_role = replica`);
      await transaction.query(sql`/* test.revoke */ update accounts.api_key set status = 'REVOKED', revoked_at = now()
        where public_id = ${issued.publicId}`);
    });
    expect(await codeOf(router, issued.key)).toBe('admitted');
    await platform.owner.query(sql`/* test.cut */ select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'router-key-changes'`);
    await becomes(router, issued.key, 'api_key_revoked');
    await changes.connected();
  });
});

withRedis(test)(
  'a router with only the Redis channel also applies changes that are not published there, while PostgreSQL is up',
  async () => {
    const changes = byRedis();
    const router = await platform.router(undefined, [changes.channel]);
    await changes.connected();
    const { key, publicId } = await platform.issue();
    expect(await codeOf(router, key)).toBe('admitted');
    // like the command line, which has no Redis connection
    await change({ key, publicId, subject: '' }, 'revoke');
    await becomes(router, key, 'api_key_revoked');
  },
);

withRedis(test)(
  'a router with only the Redis channel applies published changes, and keeps using cached keys while PostgreSQL is down',
  async () => {
    const changes = byRedis();
    const database: Database = openDatabase({ url: platform.routerUrl, name: 'test-away', poolSize: 1 });
    const keys = createKeyCheck(database, platform.secrets, [changes.channel]);
    const [unchanged, changed, requested] = await Promise.all([platform.issue(), platform.issue(), platform.issue()]);
    await changes.connected();
    for (const { key } of [unchanged, changed]) expect(await keys.check(caller(key))).not.toBeNull();
    await change(changed, 'disable');
    await redis.publish('talent:api_key', changed.publicId);
    const isDisabled = (error: unknown): boolean => error instanceof Problem && error.code === 'api_key_disabled';
    await untilTrue(() => keys.check(caller(changed.key)).then(() => false, isDisabled));
    await database.close();
    await expect(keys.check(caller(requested.key))).rejects.toThrow();
    expect(await keys.check(caller(unchanged.key))).not.toBeNull();
    // Redis has all messages; only the disconnection matters
    await server.kill();
    await untilTrue(() => Promise.resolve(!changes.isConnected()));
    await server.start();
    await changes.connected();
    await expect(keys.check(caller(unchanged.key))).rejects.toThrow();
    await keys.close();
  },
);

describe('a cached key', () => {
  const unavailable = new Problem('upstream_unavailable', 'unavailable');
  const key = (): KeyRecord =>
    ({ hash: Buffer.alloc(32), pepperVersion: 1, found: { changesAt: Infinity } }) as unknown as KeyRecord;

  /** A key cache over reads and channels that the test controls. */
  function opened(read: (publicId: string) => Promise<KeyRecord>, channels = 1) {
    const listeners: KeyChangeListener[] = [];
    const since = Array<number>(channels).fill(0);
    const open = since.map((_, index): OpenKeyChanges => (listener) => {
      listeners.push(listener);
      return { isComplete: true, reliableSince: () => since[index] ?? Infinity, close: () => Promise.resolve() };
    });
    return { known: createKeyCache(read, open), listeners, since };
  }

  test('is not stored when a change is announced during its read', async () => {
    let responses: PromiseWithResolvers<KeyRecord>[] = [];
    let reads = 0;
    const { known, listeners } = opened(() => responses[(reads += 1) - 1]?.promise ?? Promise.reject(unavailable));
    for (const announcement of [
      (listener: KeyChangeListener) => listener.changed('a'),
      (listener: KeyChangeListener) => listener.changedAll(),
      (listener: KeyChangeListener) => listener.reconnected(),
    ]) {
      reads = 0;
      responses = [Promise.withResolvers<KeyRecord>(), Promise.withResolvers<KeyRecord>()];
      const [before, after] = [key(), key()];
      const requested = known.find('a');
      listeners.forEach(announcement);
      const repeated = known.find('a');
      responses[1]?.resolve(after);
      expect((await repeated).key).toBe(after);
      responses[0]?.resolve(before);
      expect((await requested).key).toBe(before);
      expect((await known.find('a')).key).toBe(after);
      listeners[0]?.changed('a');
    }
  });

  test('is not evicted by ids without a key', async () => {
    let reads = 0;
    const good = key();
    const { known } = opened((publicId) => {
      reads += 1;
      return Promise.resolve(publicId === 'good' ? good : { ...good, found: null });
    });
    await known.find('good');
    for (let guess = 0; guess < 25_000; guess += 1) await known.find(`guess ${guess}`);
    const before = reads;
    expect((await known.find('good')).key).toBe(good);
    expect(reads).toBe(before);
  });

  test('stays verified when it is read again with the same hash, so that a neighbor of an attacker is not locked out', async () => {
    let hash = Buffer.alloc(32);
    const { known, listeners } = opened(() => Promise.resolve({ ...key(), hash }));
    (await known.find('a')).verifiedDigest = 'digest';
    listeners[0]?.reconnected();
    expect((await known.find('a')).verifiedDigest).toBe('digest');
    hash = Buffer.alloc(32, 1);
    listeners[0]?.reconnected();
    expect((await known.find('a')).verifiedDigest).toBeNull();
  });

  test('stays usable when it cannot be read again, while a channel was connected the whole time', async () => {
    let reading: () => Promise<KeyRecord> = () => Promise.resolve(good);
    const good = key();
    const { known, listeners, since } = opened(() => reading(), 2);
    await known.find('a');
    reading = () => Promise.reject(unavailable);
    // the first channel reconnects and may have missed a message; the second did not
    since[0] = Infinity;
    listeners[0]?.reconnected();
    expect((await known.find('a')).key).toBe(good);
    expect((await known.find('a')).key).toBe(good);
    since[1] = Infinity;
    await expect(Promise.resolve(known.find('a'))).rejects.toBe(unavailable);
    since[1] = 0;
    listeners[1]?.changed('a');
    await expect(Promise.resolve(known.find('a'))).rejects.toBe(unavailable);
  });
});
