/** A session with PostgreSQL outside of the pools: it receives notifications and runs the statements of the lease. */
import pg from 'pg';
import { withinDeadline } from '../deadline.ts';
import type { Sql } from '../database/database.ts';
import { withInnerName } from '../database/statement-name.ts';

/** Limit of connecting, and of each statement. */
const timeoutMs = 2_000;

export interface Session {
  /** Listens to a channel. `onNotification` is also called each time the session starts to listen: notifications may have been missed. */
  listen(channel: string, onNotification: () => void): void;
  /** Connects unless connected. Throws while the database is unavailable. */
  connect(): Promise<unknown>;
  /** Runs a statement; connects before unless connected. A session that fails is replaced with the next statement. Throws its error. */
  query(statement: Sql): Promise<readonly object[]>;
  close(): Promise<void>;
}

export interface SessionOptions {
  /** Not through a pooler: LISTEN needs a direct connection. */
  readonly url: string;
  /** The application_name in pg_stat_activity. */
  readonly name: string;
  /** Called with every statement before it runs: tests count them. */
  readonly onStatement?: ((text: string) => void) | undefined;
}

const listenOn = (client: pg.Client, channel: string): Promise<unknown> =>
  withinDeadline(client.query(`listen /* session.listen */ ${pg.escapeIdentifier(channel)}`), timeoutMs);

/** Connects on first use. */
export function createSession({ url, name, onStatement }: SessionOptions): Session {
  const receivers: { readonly channel: string; readonly onNotification: () => void }[] = [];
  /** Null while disconnected. */
  let current: pg.Client | null = null;
  let opening: Promise<pg.Client> | null = null;

  function drop(client: pg.Client): void {
    if (current === client) current = null;
    // also after a timeout: the connection may be half open
    client.end().catch(() => undefined);
  }

  async function open(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: url,
      application_name: name,
      keepAlive: true,
      connectionTimeoutMillis: timeoutMs,
    });
    client.on('error', () => drop(client));
    client.on('end', () => drop(client));
    client.on('notification', ({ channel }) => {
      for (const receiver of receivers) if (receiver.channel === channel) receiver.onNotification();
    });
    try {
      await client.connect();
      current = client;
      for (const { channel } of receivers) await listenOn(client, channel);
    } catch (error) {
      drop(client);
      throw error;
    }
    for (const { onNotification } of receivers) onNotification();
    return client;
  }

  async function connect(): Promise<pg.Client> {
    if (opening === null && current !== null) return current;
    opening ??= open().finally(() => (opening = null));
    return await opening;
  }

  return {
    connect,
    listen(channel, onNotification) {
      receivers.push({ channel, onNotification });
      const client = current;
      if (client !== null) listenOn(client, channel).then(onNotification, () => drop(client));
    },
    async query({ text, values }) {
      const client = await connect();
      onStatement?.(text);
      try {
        const { rows } = await withinDeadline(client.query<object>(withInnerName(text), values), timeoutMs);
        return rows;
      } catch (error) {
        drop(client);
        throw error;
      }
    },
    async close() {
      await opening?.catch(() => undefined);
      const client = current;
      current = null;
      await client?.end();
    },
  };
}
