/** Loads many rows by COPY over one connection: rows wait by table and leave in the order of their references. */
import { finished } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { columnName } from './table.ts';

/** A value as COPY takes it: lists become PostgreSQL arrays; give JSON as text. */
export type BulkValue = string | number | boolean | null | readonly string[];

/** A row; members are columns in camel case. Rows of one table all have the same members. */
export type BulkRow = Readonly<Record<string, BulkValue>>;

export interface BulkLoad {
  /** Lets a row wait. The member `search` is given as plain text: it is folded as platform/lists/search.ts folds. */
  add(table: string, row: BulkRow): void;
  /** Sends what waits when it is worth it, so that memory stays flat. @throws what an earlier statement failed with. */
  flushIfFull(): Promise<void>;
  /** Sends all that waits, and waits until it has arrived. */
  flush(): Promise<void>;
}

const waitingMax = 8_000;
const special = /[\\\t\n\r]/g;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

const escape = (text: string): string => text.replace(special, (character) => escapes[character] ?? character);

function encode(value: BulkValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'string') return escape(value);
  if (typeof value !== 'object') return String(value);
  return escape(`{${value.map((item) => `"${item.replace(/["\\]/g, '\\$&')}"`).join(',')}}`);
}

/**
 * @param tables in the order in which they are sent: whatever a row refers to comes before it.
 * @throws RangeError from `add` for a table that is not among them.
 */
export function createBulkLoad(client: ClientBase, tables: readonly string[]): BulkLoad {
  const waiting = new Map<string, BulkRow[]>(tables.map((table) => [table, []]));
  const folded = new Map<string, string>();
  let count = 0;
  let sending: Promise<void> = Promise.resolve();
  let failure: Error | null = null;

  /** Folds what is not known yet, word by word: demo names repeat, and folding never looks past a space. */
  async function fold(rows: readonly BulkRow[]): Promise<void> {
    const words = new Set(rows.flatMap(({ search }) => (typeof search === 'string' ? search.split(' ') : [])));
    const unknown = [...words].filter((word) => !folded.has(word));
    if (unknown.length === 0) return;
    const result = await client.query<{ word: string; folded: string }>(
      '/* bulkLoad.fold */ select word, platform.fold(word) as folded from unnest($1::text[]) word',
      [unknown],
    );
    for (const row of result.rows) folded.set(row.word, row.folded);
  }

  const searchable = (text: string): string =>
    text
      .split(' ')
      .map((word) => folded.get(word) ?? word)
      .join(' ');

  async function send(table: string, rows: readonly BulkRow[]): Promise<void> {
    const members = Object.keys(rows[0] ?? {});
    if (members.includes('search')) await fold(rows);
    const lines = rows.map((row) =>
      members
        .map((member) => {
          const value = row[member] ?? null;
          return encode(member === 'search' && typeof value === 'string' ? searchable(value) : value);
        })
        .join('\t'),
    );
    const stream = client.query(copyFrom(`/* bulkLoad.copy */ copy ${table} (${members.map(columnName).join(', ')}) from stdin`));
    stream.end(`${lines.join('\n')}\n`);
    await finished(stream);
  }

  async function sendAll(batch: readonly (readonly [string, readonly BulkRow[]])[]): Promise<void> {
    for (const [table, rows] of batch) if (rows.length > 0) await send(table, rows);
  }

  async function settled(): Promise<void> {
    await sending;
    if (failure !== null) throw failure;
  }

  /** Sends what waits once what is under way has arrived; while it travels, the next rows are made. */
  async function depart(): Promise<void> {
    await settled();
    const batch = [...waiting];
    for (const table of tables) waiting.set(table, []);
    count = 0;
    // kept for the next call: nobody waits for this one yet
    sending = sendAll(batch).catch((fault: unknown) => {
      failure = fault instanceof Error ? fault : new Error(String(fault));
    });
  }

  return {
    add(table, row) {
      const rows = waiting.get(table);
      if (!rows) throw new RangeError(`${table} is not among the tables of this load: ${tables.join(', ')}.`);
      rows.push(row);
      count += 1;
    },
    async flushIfFull() {
      if (count >= waitingMax) await depart();
    },
    async flush() {
      await depart();
      await settled();
    },
  };
}
