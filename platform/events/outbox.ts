/** The wake-up of the relay: one debounced NOTIFY per process, after the commit. */
import { sql, type Database } from '../database/database.ts';

/** PostgreSQL channel on which writers say that there are new events. */
export const outboxChannel = 'outbox';

const debounceMs = 10;

/** NOTIFY inside the write transaction would serialize commits (architecture.md section 7); the relay's poll covers a lost one. */
export function createRelayWakeUp(database: Database): () => void {
  let timer: NodeJS.Timeout | null = null;
  return () => {
    timer ??= setTimeout(() => {
      timer = null;
      void database.query(sql`/* outbox.wake */ select pg_notify(${outboxChannel}, '')`).catch(() => undefined);
    }, debounceMs);
  };
}
