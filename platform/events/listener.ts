/** Listens to the notifications of committed events, on a separate connection. */
import pg from 'pg';
import { outboxChannel } from './outbox.ts';

/** Limit of connecting, and of each statement. */
const timeoutMs = 5_000;

export interface Listener {
  isConnected(): boolean;
  /** Connects unless it is connected. Throws while the database is unavailable. */
  connect(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param url not through a pooler: LISTEN needs a session
 * @param onNotification called for each notification, and when the connection is lost: notifications may have been missed
 */
export function createListener(url: string, onNotification: () => void): Listener {
  let session: pg.Client | null = null;

  function onLost(client: pg.Client): void {
    if (session !== client) return;
    session = null;
    onNotification();
  }

  return {
    isConnected: () => session !== null,
    async connect() {
      if (session !== null) return;
      const client = new pg.Client({
        connectionString: url,
        application_name: 'relay listener',
        keepAlive: true,
        connectionTimeoutMillis: timeoutMs,
        query_timeout: timeoutMs,
      });
      client.on('error', () => onLost(client));
      client.on('end', () => onLost(client));
      client.on('notification', onNotification);
      try {
        await client.connect();
        await client.query(`listen ${outboxChannel}`);
      } catch (error) {
        // also after a timeout: the connection may be half open
        client.end().catch(() => undefined);
        throw error;
      }
      session = client;
    },
    async close() {
      const client = session;
      session = null;
      await client?.end();
    },
  };
}
