/** Election of the active relay by a session lock of PostgreSQL. */
import pg from 'pg';
import { outboxChannel } from './outbox.ts';

const leaderLock = 7_105_114_101;
/** Limit of connecting, and of each statement: neither waits for a lock. */
const timeoutMs = 5_000;

interface LeaderEvents {
  readonly onNotification: () => void;
  readonly onLost: (client: pg.Client) => void;
}

/** A session with the leader lock that listens to the outbox channel, or null if another relay is the leader. */
export async function connectLeader(url: string, { onNotification, onLost }: LeaderEvents): Promise<pg.Client | null> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'relay',
    keepAlive: true,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on('error', () => onLost(client));
  client.on('end', () => onLost(client));
  client.on('notification', onNotification);
  await client.connect();
  try {
    const { rows } = await client.query<{ leader: boolean }>('select pg_try_advisory_lock($1) as leader', [leaderLock]);
    if (rows[0]?.leader === true) {
      await client.query(`listen ${outboxChannel}`);
      return client;
    }
  } catch (error) {
    // also after a timeout: a hanging session would keep the lock
    client.end().catch(() => undefined);
    throw error;
  }
  await client.end();
  return null;
}
