/** What a router knows of keys: as long as it would hear of a change, and no longer. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase, sql, type Database } from '../../platform/database/database.ts';
import { openRedis, type RedisConnection } from '../../platform/redis/redis.ts';
import {
  createKeyChanges,
  type KeyChanges,
  type OpenKeyChanges,
  type KeyChangeListener,
} from '../../router/admission/key-changes.ts';
import type { KeyRecord } from '../../router/admission/key-record.ts';
import { postgresKeyChannel, redisKeyChannel } from '../../router/admission/key-change-channels.ts';
import { createKeyCheck } from '../../router/admission/key-check.ts';
import { createKeyCache } from '../../router/admission/key-cache.ts';
import { Problem } from '../../schema/errors.ts';
import { startRedis, type RedisServer } from '../redis.ts';
import { caller, createWorld, eventually, type IssuedKey, type Router, type World } from './admission-world.ts';

const silent = { warn: () => undefined };

let platform: World;
let server: RedisServer;
let redis: RedisConnection;
beforeAll(async () => {
  [platform, server] = await Promise.all([createWorld(), startRedis()]);
  redis = await openRedis({ urls: [server.url], name: 'test', log: silent });
});
afterAll(async () => {
  await platform.close();
  await redis.close();
  await server.close();
});

/** A channel that the test can ask whether it is heard. */
function watched(open: OpenKeyChanges) {
  const opened: KeyChanges[] = [];
  const isHeard = (): boolean => opened.length > 0 && opened.every((news) => news.reliableSince() < Infinity);
  const channel: OpenKeyChanges = (told) => {
    const news = open(told);
    opened.push(news);
    return news;
  };
  return { channel, isHeard, heard: () => eventually(() => Promise.resolve(isHeard())) };
}
const byPostgres = () => watched(createKeyChanges('postgresql', postgresKeyChannel(platform.routerUrl), silent));
const byRedis = () => watched(createKeyChanges('redis', redisKeyChannel(redis), silent));

const codeOf = async ({ admission }: Router, key: string, address?: string): Promise<string> => {
  const result = await admission.admit(caller(key, address));
  return result.kind === 'REJECTED' ? result.problem.code : 'admitted';
};
const becomes = (router: Router, key: string, code: string) => eventually(async () => (await codeOf(router, key)) === code);
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

describe('a router that hears of changes', () => {
  const lookups: string[] = [];
  let news: ReturnType<typeof byPostgres>;
  let router: Router;
  beforeAll(async () => {
    news = byPostgres();
    router = await platform.router((text) => void (text.includes('keyByPublicId') && lookups.push(text)), [news.channel]);
    await news.heard();
  });

  /** A key of whose issue the router has heard: what comes later was told later. */
  async function issueAndTell(): Promise<IssuedKey> {
    const [issued, later] = [await platform.issue(), await platform.issue()];
    expect(await codeOf(router, later.key)).toBe('admitted');
    await change(later, 'disable');
    await becomes(router, later.key, 'api_key_disabled');
    return issued;
  }

  test('keeps what it knows past the second that another keeps it', async () => {
    const { key } = await issueAndTell();
    const others: string[] = [];
    const other = await platform.router((text) => void (text.includes('keyByPublicId') && others.push(text)));
    lookups.length = 0;
    await eventually(async () => {
      await Promise.all([codeOf(router, key), codeOf(other, key)]);
      return others.length === 2;
    });
    expect(lookups).toHaveLength(1);
  });

  test('sees each change of a key and of its account long before a minute has passed', async () => {
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

  test('whose session ends reads everything again when it has another', async () => {
    const issued = await issueAndTell();
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
    await news.heard();
  });
});

test('a router that hears by Redis alone sees what nobody told there, too, as long as it can ask PostgreSQL', async () => {
  const news = byRedis();
  const router = await platform.router(undefined, [news.channel]);
  await news.heard();
  const { key, publicId } = await platform.issue();
  expect(await codeOf(router, key)).toBe('admitted');
  // as the command line does, which has no Redis
  await change({ key, publicId, subject: '' }, 'revoke');
  await becomes(router, key, 'api_key_revoked');
});

test('a router that hears of changes by Redis alone sees them, and uses its keys on while PostgreSQL is away', async () => {
  const news = byRedis();
  const database: Database = openDatabase({ url: platform.routerUrl, name: 'test-away', poolSize: 1 });
  const keys = createKeyCheck(database, platform.secrets, [news.channel]);
  const [kept, changed, asked] = await Promise.all([platform.issue(), platform.issue(), platform.issue()]);
  await news.heard();
  for (const { key } of [kept, changed]) expect(await keys.check(caller(key))).not.toBeNull();
  await change(changed, 'disable');
  await redis.publish('talent:api_key', changed.publicId);
  await eventually(() =>
    keys.check(caller(changed.key)).then(
      () => false,
      (fault: unknown) => fault instanceof Problem && fault.code === 'api_key_disabled',
    ),
  );
  await database.close();
  await expect(keys.check(caller(asked.key))).rejects.toThrow();
  expect(await keys.check(caller(kept.key))).not.toBeNull();
  // Redis forgets nothing of it; its silence does
  await server.kill();
  await eventually(() => Promise.resolve(!news.isHeard()));
  await server.start();
  await news.heard();
  await expect(keys.check(caller(kept.key))).rejects.toThrow();
  await keys.close();
});

describe('what is known', () => {
  const away = new Problem('upstream_unavailable', 'away');
  const key = (): KeyRecord =>
    ({ hash: Buffer.alloc(32), pepperVersion: 1, found: { changesAt: Infinity } }) as unknown as KeyRecord;

  /** Keys read as the test says, over channels of which it is told. */
  function opened(read: (publicId: string) => Promise<KeyRecord>, channels = 1) {
    const ears: KeyChangeListener[] = [];
    const since = Array<number>(channels).fill(0);
    const open = since.map((_, index): OpenKeyChanges => (told) => {
      ears.push(told);
      return { isComplete: true, reliableSince: () => since[index] ?? Infinity, close: () => Promise.resolve() };
    });
    return { known: createKeyCache(read, open), ears, since };
  }

  test('is not what was being read when word of a change came', async () => {
    const answers = [Promise.withResolvers<KeyRecord>(), Promise.withResolvers<KeyRecord>()];
    let reads = 0;
    const { known, ears } = opened(() => answers[(reads += 1) - 1]?.promise ?? Promise.reject(away));
    for (const word of [
      (told: KeyChangeListener) => told.changed('a'),
      (told: KeyChangeListener) => told.changedAll(),
      (told: KeyChangeListener) => told.reconnected(),
    ]) {
      reads = 0;
      answers.splice(0, 2, Promise.withResolvers<KeyRecord>(), Promise.withResolvers<KeyRecord>());
      const [before, after] = [key(), key()];
      const asked = known.find('a');
      for (const ear of ears) word(ear);
      const again = known.find('a');
      answers[1]?.resolve(after);
      expect((await again).key).toBe(after);
      answers[0]?.resolve(before);
      expect((await asked).key).toBe(before);
      expect((await known.find('a')).key).toBe(after);
      ears[0]?.changed('a');
    }
  });

  test('of ids that no key has does not push out keys', async () => {
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

  test('stays verifiedDigest when it is read again with the same hash, so that who is next to a guesser is not locked out with him', async () => {
    let hash = Buffer.alloc(32);
    const { known, ears } = opened(() => Promise.resolve({ ...key(), hash }));
    (await known.find('a')).verifiedDigest = 'digest';
    ears[0]?.reconnected();
    expect((await known.find('a')).verifiedDigest).toBe('digest');
    hash = Buffer.alloc(32, 1);
    ears[0]?.reconnected();
    expect((await known.find('a')).verifiedDigest).toBeNull();
  });

  test('is used on when it cannot be read again, as long as a channel was heard all the time', async () => {
    let reading: () => Promise<KeyRecord> = () => Promise.resolve(good);
    const good = key();
    const { known, ears, since } = opened(() => reading(), 2);
    await known.find('a');
    reading = () => Promise.reject(away);
    // the first channel comes back, and may have missed a word; the second did not
    since[0] = Infinity;
    ears[0]?.reconnected();
    expect((await known.find('a')).key).toBe(good);
    expect((await known.find('a')).key).toBe(good);
    since[1] = Infinity;
    await expect(Promise.resolve(known.find('a'))).rejects.toBe(away);
    since[1] = 0;
    ears[1]?.changed('a');
    await expect(Promise.resolve(known.find('a'))).rejects.toBe(away);
  });
});
