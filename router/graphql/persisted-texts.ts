/** The texts of automatic persisted queries: in memory, and in Redis so that a client registers a query with one router only. */
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { redisScript, type RedisConnection } from '../../platform/redis/redis.ts';
import { documentHash } from './precheck.ts';

/** The interface of caches of Apollo Server. A key is `apq:` and the SHA-256 of the text in hex. */
export interface PersistedTexts {
  get(key: string): Promise<string | undefined>;
  set(key: string, text: string): Promise<void>;
  delete(key: string): Promise<boolean>;
}

/** Total characters of the texts in memory. */
const bounds = { max: 10_000, maxSize: 20_000_000, sizeCalculation: (text: string): number => text.length + 1 };
/** A text that no client has sent for this time is forgotten; its next client sends it again. */
const lifeSeconds = 86_400;
/** Redis is not asked for this time after a failure: a server that does not respond costs its timeout. */
const pauseMs = 5_000;
const hashOf = (key: string): string => key.slice(key.lastIndexOf(':') + 1);

/** Reading a text extends its life. */
const read = redisScript(`local text = redis.call('get', KEYS[1])
if text then redis.call('expire', KEYS[1], ARGV[1]) end
return text`);
const write = redisScript(`return redis.call('set', KEYS[1], ARGV[2], 'ex', ARGV[1])`);

/** Without Redis, or while it is unavailable, texts are kept by this process only. Texts are validated before they are stored. */
export function createPersistedTexts(redis: Pick<RedisConnection, 'run'> | undefined, log: Pick<Logger, 'warn'>): PersistedTexts {
  const local = new LRUCache<string, string>(bounds);
  let pausedUntilMs = 0;

  /** Undefined while Redis is unavailable. */
  async function run(script: typeof read, hash: string, ...args: readonly string[]): Promise<unknown> {
    if (redis === undefined || performance.now() < pausedUntilMs) return undefined;
    try {
      return await redis.run(script, [`talent:persisted:${hash}`], [lifeSeconds, ...args]);
    } catch (err) {
      log.warn({ err }, 'persisted queries are not shared: Redis is unavailable');
      pausedUntilMs = performance.now() + pauseMs;
      return undefined;
    }
  }

  return {
    async get(key) {
      const hash = hashOf(key);
      const known = local.get(hash);
      if (known !== undefined) return known;
      const text = await run(read, hash);
      // other processes write to Redis: a text is only as good as its hash
      if (typeof text !== 'string' || documentHash(text) !== hash) return undefined;
      local.set(hash, text);
      return text;
    },
    async set(key, text) {
      const hash = hashOf(key);
      local.set(hash, text);
      await run(write, hash, text);
    },
    delete: (key) => Promise.resolve(local.delete(hashOf(key))),
  };
}
