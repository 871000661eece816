/** Prepared statements: PostgreSQL parses and plans a text once per connection, not once per execution. */
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { withInnerName } from './statement-name.ts';

/** Texts that are prepared at the same time, and twice as many per connection before it is replaced: PostgreSQL keeps each until its connection ends. */
const textsMax = 250;

/**
 * The plan of a page depends on its values: the one for average values can read millions of rows for rare ones. So does the plan of a list of
 * values whose length differs. Such texts are planned at each execution.
 */
const dependsOnValues = /\blimit\s+\$|\bunnest\(/i;

interface KnownText {
  readonly text: string;
  readonly isPreparable: boolean;
  /** Null until the second execution: most texts with a rare combination of filters run once. */
  name: string | null;
}

/** The connections that reach their PostgreSQL session directly, with the names that each has prepared. */
const preparedNames = new WeakMap<pg.ClientBase, Set<string>>();

const isIn = (client: pg.ClientBase, processId: unknown): boolean => 'processID' in client && client.processID === processId;

/**
 * Lets the statements of a new connection be prepared unless a pooler is in between: its next statement may run in another session. A pooler
 * reports a process ID that is not the one of PostgreSQL.
 */
export async function allowPreparation(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ processId: number }>('select /* connection.session */ pg_backend_pid() as "processId"');
  if (isIn(client, rows[0]?.processId)) preparedNames.set(client, new Set());
}

/** True for a connection with so many prepared statements that it must be replaced. */
export const isFull = (client: pg.ClientBase): boolean => (preparedNames.get(client)?.size ?? 0) >= 2 * textsMax;

/**
 * What is sent for a statement on a connection. The names are unique in the pool. A text without values is never prepared: it may contain
 * several commands.
 */
export type Prepare = (client: pg.ClientBase, text: string, values: unknown[]) => pg.QueryConfig;

/** Creates the prepared statements of a pool. */
export function createPreparedStatements(): Prepare {
  const known = new LRUCache<string, KnownText>({ max: textsMax });
  let count = 0;
  return (client, text, values) => {
    const remembered = known.get(text);
    if (remembered === undefined) {
      const first = { text: withInnerName(text), isPreparable: !dependsOnValues.test(text), name: null };
      known.set(text, first);
      return { text: first.text, values };
    }
    const names = preparedNames.get(client);
    if (names === undefined || !remembered.isPreparable || values.length === 0) return { text: remembered.text, values };
    const name = (remembered.name ??= `statement_${++count}`);
    names.add(name);
    return { text: remembered.text, values, name };
  };
}
