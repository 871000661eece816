/** Received messages in a SQLite file. A message is stored once, before it is acknowledged, and processed afterwards. */
import { DatabaseSync } from 'node:sqlite';

export interface Message {
  readonly id: string;
  readonly body: string;
}

/** Messages are repeated within the three days of retries, and when an operator replays up to 30 days. */
const retentionDays = 31;

export function openInbox(file: string) {
  const database = new DatabaseSync(file);
  database.exec(`
    create table if not exists message (
      id text primary key, body text not null, received_at text not null default current_timestamp, processed integer not null default 0
    );
    create index if not exists message_waiting on message (received_at) where processed = 0;
  `);
  const insert = database.prepare('insert or ignore into message (id, body) values (?, ?)');
  const waiting = database.prepare('select id, body from message where processed = 0 order by received_at, rowid limit 1');
  const finish = database.prepare('update message set processed = 1 where id = ?');
  const prune = database.prepare("delete from message where processed = 1 and received_at < datetime('now', ?)");
  return {
    /** Stores a message. Returns false if it has been received before. */
    add: (id: string, body: string): boolean => Number(insert.run(id, body).changes) === 1,

    /**
     * Calls `handle` with every message that is not yet processed, oldest first. A message is marked in the transaction of its handling: write
     * your own tables of the same file in `handle`, and an event has its effect once.
     */
    process(handle: (message: Message) => void): void {
      for (let row = waiting.get(); row !== undefined; row = waiting.get()) {
        const { id, body } = row;
        if (typeof id !== 'string' || typeof body !== 'string') return;
        database.exec('begin');
        try {
          handle({ id, body });
          finish.run(id);
          database.exec('commit');
        } catch (error) {
          database.exec('rollback');
          throw error;
        }
      }
      prune.run(`-${retentionDays} days`);
    },

    close: (): void => database.close(),
  };
}

export type Inbox = ReturnType<typeof openInbox>;
