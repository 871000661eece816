/** The channels of key changes: LISTEN in PostgreSQL, in the transaction of each change; and Redis pub/sub, after the commit. */
import pg from 'pg';
import { withinDeadline } from '../../platform/deadline.ts';
import type { RedisConnection } from '../../platform/redis/redis.ts';
import type { ChannelListener, KeyChangeChannel } from './key-changes.ts';

const postgresChannel = 'api_key';
export const redisChannel = 'talent:api_key';

const reconnectMs = 500;
const timeoutMs = 2_000;

const createClient = (url: string): pg.Client =>
  new pg.Client({
    connectionString: url,
    application_name: 'router-key-changes',
    keepAlive: true,
    connectionTimeoutMillis: timeoutMs,
  });

const inTime = (statement: Promise<unknown>): Promise<unknown> => withinDeadline(statement, timeoutMs);

/** Another PostgreSQL channel that the session listens to. */
export interface OtherChannel {
  readonly name: string;
  /** Called for each notification, and when the session was opened again: notifications may have been missed. */
  readonly onNotification: () => void;
}

/**
 * A direct session, because a pooler shares sessions and receives no notifications.
 * @param url connects as role talent_router
 * @param other received over the same session
 */
export function postgresKeyChannel(url: string, other?: OtherChannel): (listener: ChannelListener) => KeyChangeChannel {
  return (listener) => {
    let session: { readonly client: pg.Client; readonly end: () => void } | null = null;
    let retry: NodeJS.Timeout | undefined;
    let closed = false;

    async function connect(): Promise<void> {
      const client = createClient(url);
      const ending = new AbortController();
      const end = (): void => {
        if (ending.signal.aborted) return;
        ending.abort();
        if (session?.client === client) {
          session = null;
          listener.lost();
        }
        client.end().catch(() => undefined);
        if (!closed) retry = setTimeout(() => void connect(), reconnectMs).unref();
      };
      client.on('error', end);
      client.on('end', end);
      client.on('notification', ({ channel, payload = '' }) => {
        if (channel === postgresChannel) listener.message(payload);
        else other?.onNotification();
      });
      try {
        await client.connect();
        await inTime(client.query(`/* keyChanges.listen */ listen ${postgresChannel}`));
        if (other !== undefined) await inTime(client.query(`/* feed.listen */ listen ${other.name}`));
      } catch {
        return end();
      }
      if (closed || ending.signal.aborted) return end();
      session = { client, end };
      listener.connected();
      other?.onNotification();
    }
    const connecting = connect();

    return {
      isComplete: true,
      async send(payload) {
        if (session === null) throw new Error('The PostgreSQL session is closed.');
        const { client, end } = session;
        try {
          await inTime(client.query('/* keyChanges.heartbeat */ select pg_notify($1, $2)', [postgresChannel, payload]));
        } catch (error) {
          // also after a timeout: a hanging session is replaced
          end();
          throw error;
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

/** A best-effort fallback while PostgreSQL is down: changes made by the command line, for example, are not published here. */
export function redisKeyChannel(
  redis: Pick<RedisConnection, 'publish' | 'subscribe'>,
): (listener: ChannelListener) => KeyChangeChannel {
  return (listener) => {
    const subscription = redis.subscribe(redisChannel, {
      onMessage: (payload) => listener.message(payload),
      onSubscribed: () => listener.connected(),
    });
    return {
      isComplete: false,
      send: (payload) => redis.publish(redisChannel, payload),
      close: () => Promise.resolve(subscription.close()),
    };
  };
}
