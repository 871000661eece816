/** The wires of news of keys: LISTEN in PostgreSQL, in the transaction of each change; a channel of Redis, told after the commit. */
import pg from 'pg';
import type { RedisConnection } from '../../platform/redis/redis.ts';
import type { ChannelListener, KeyChangeChannel } from './key-changes.ts';

const postgresChannel = 'api_key';
export const redisChannel = 'talent:api_key';

const retryMs = 500;
const timeoutMs = 2_000;

/** A session of its own, not through a pooler: these share sessions, and hear nothing. @param url as role talent_router. */
export function postgresKeyChannel(url: string): (ear: ChannelListener) => KeyChangeChannel {
  return (ear) => {
    let session: { readonly client: pg.Client; readonly end: () => void } | null = null;
    let retry: NodeJS.Timeout | undefined;
    let closed = false;

    async function connect(): Promise<void> {
      const client = new pg.Client({
        connectionString: url,
        application_name: 'router-news',
        keepAlive: true,
        connectionTimeoutMillis: timeoutMs,
        query_timeout: timeoutMs,
      });
      const ending = new AbortController();
      const end = (): void => {
        if (ending.signal.aborted) return;
        ending.abort();
        if (session?.client === client) {
          session = null;
          ear.lost();
        }
        client.end().catch(() => undefined);
        if (!closed) retry = setTimeout(() => void connect(), retryMs).unref();
      };
      client.on('error', end);
      client.on('end', end);
      client.on('notification', ({ payload = '' }) => ear.message(payload));
      try {
        await client.connect();
        await client.query(`/* keyNews.listen */ listen ${postgresChannel}`);
      } catch {
        return end();
      }
      if (closed || ending.signal.aborted) return end();
      session = { client, end };
      ear.connected();
    }
    const connecting = connect();

    return {
      isComplete: true,
      async send(payload) {
        if (session === null) throw new Error('There is no session.');
        const { client, end } = session;
        try {
          await client.query('/* keyNews.beat */ select pg_notify($1, $2)', [postgresChannel, payload]);
        } catch (fault) {
          // also when it does not answer in time: a session that hangs is given up
          end();
          throw fault;
        }
      },
      async close() {
        closed = true;
        clearTimeout(retry);
        await connecting;
        const last = session;
        session = null;
        await last?.client.end();
      },
    };
  };
}

/** Best effort beside PostgreSQL, for when that is away: of what the command line changes, for one, it is not told. */
export function redisKeyChannel(
  redis: Pick<RedisConnection, 'publish' | 'subscribe'>,
): (ear: ChannelListener) => KeyChangeChannel {
  return (ear) => {
    const subscription = redis.subscribe(redisChannel, {
      onMessage: (payload) => ear.message(payload),
      onSubscribed: () => ear.connected(),
    });
    return {
      isComplete: false,
      send: (payload) => redis.publish(redisChannel, payload),
      close: () => Promise.resolve(subscription.close()),
    };
  };
}
