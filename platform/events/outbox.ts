/** Wakes up the relay after a commit: one debounced NOTIFY per process. */
import { sql, type Database } from '../database/database.ts';

/** PostgreSQL channel that announces new events. */
export const outboxChannel = 'outbox';

const debounceMs = 10;

/** A NOTIFY inside the write transaction would serialize commits (docs/architecture.md). The relay's poll covers a lost notification. */
export function createRelayWakeUp(database: Database): () => void {
  let timer: NodeJS.Timeout | null = null;
  return () => {
    timer ??= setTimeout(() => {
      timer = null;
      void database.query(sql`/* outbox.wake */ select pg_notify(${outboxChannel}, '')`).catch(() => undefined);
    }, debounceMs);
  };
}
