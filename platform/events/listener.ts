/** Listens to notifications, such as those of committed events, on a separate connection. */
import pg from 'pg';

/** Limit of connecting, and of each statement. */
const timeoutMs = 5_000;

export interface Listener {
  isConnected(): boolean;
  /** Connects unless it is connected. Throws while the database is unavailable. */
  connect(): Promise<void>;
  close(): Promise<void>;
}

export interface ListenerOptions {
  /** The application_name in pg_stat_activity. */
  readonly name: string;
  readonly channels: readonly string[];
}

/**
 * @param url not through a pooler: LISTEN needs a session
 * @param onNotification called for each notification, and when the connection is lost: notifications may have been missed
 */
export function createListener(url: string, { name, channels }: ListenerOptions, onNotification: () => void): Listener {
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
        application_name: name,
        keepAlive: true,
        connectionTimeoutMillis: timeoutMs,
        query_timeout: timeoutMs,
      });
      client.on('error', () => onLost(client));
      client.on('end', () => onLost(client));
      client.on('notification', onNotification);
      try {
        await client.connect();
        await client.query(channels.map((channel) => `listen ${pg.escapeIdentifier(channel)}`).join('; '));
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
