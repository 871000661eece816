/** Bulk load with COPY over one connection: rows are buffered per table and sent in the order of their references. */
import { finished } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { columnName } from './table.ts';

/** A value for COPY: lists become PostgreSQL arrays; pass JSON as text. */
export type BulkValue = string | number | boolean | null | readonly string[];

/** A row; members are column names in camel case. All rows of a table have the same members. */
export type BulkRow = Readonly<Record<string, BulkValue>>;

export interface BulkLoad {
  /** Buffers a row. Pass the member `search` as plain text: it is folded like in platform/lists/search.ts. */
  add(table: string, row: BulkRow): void;
  /** Sends the buffer if it is full, so that memory use stays constant. @throws the error of an earlier statement */
  flushIfFull(): Promise<void>;
  /** Sends the buffer and waits until all rows are stored. */
  flush(): Promise<void>;
}

const bufferedMax = 8_000;
const special = /[\\\t\n\r]/g;
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

const escape = (text: string): string => text.replace(special, (character) => escapes[character] ?? character);

function encode(value: BulkValue): string {
  if (value === null) return '\\N';
  if (typeof value === 'string') return escape(value);
  if (typeof value !== 'object') return String(value);
  return escape(`{${value.map((item) => `"${item.replace(/["\\]/g, '\\$&')}"`).join(',')}}`);
}

/** Folds the search texts of rows with platform.fold. Caches the words: demo names repeat, and folding never depends on neighboring words. */
function createFolding(client: ClientBase) {
  const folded = new Map<string, string>();

  return {
    /** Folds the words of the rows that are not cached. */
    async prepare(rows: readonly BulkRow[]): Promise<void> {
      const words = new Set(rows.flatMap(({ search }) => (typeof search === 'string' ? search.split(' ') : [])));
      const unknown = [...words].filter((word) => !folded.has(word));
      if (unknown.length === 0) return;
      const result = await client.query<{ word: string; folded: string }>(
        '/* bulkLoad.fold */ select word, platform.fold(word) as folded from unnest($1::text[]) word',
        [unknown],
      );
      for (const row of result.rows) folded.set(row.word, row.folded);
    },
    /** The folded form of a search text; unprepared words stay. */
    searchable: (text: string): string =>
      text
        .split(' ')
        .map((word) => folded.get(word) ?? word)
        .join(' '),
  };
}

/**
 * @param tables in sending order: a referenced table comes before the tables that refer to it
 * @throws RangeError from `add` for any other table
 */
export function createBulkLoad(client: ClientBase, tables: readonly string[]): BulkLoad {
  const buffers = new Map<string, BulkRow[]>(tables.map((table) => [table, []]));
  const folding = createFolding(client);
  let count = 0;
  let sending: Promise<void> = Promise.resolve();
  let failure: Error | null = null;

  async function send(table: string, rows: readonly BulkRow[]): Promise<void> {
    const members = Object.keys(rows[0] ?? {});
    if (members.includes('search')) await folding.prepare(rows);
    const lines = rows.map((row) =>
      members
        .map((member) => {
          const value = row[member] ?? null;
          return encode(member === 'search' && typeof value === 'string' ? folding.searchable(value) : value);
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

  /** Sends the buffer when the previous batch has arrived; the caller generates the next rows in the meantime. */
  async function startSending(): Promise<void> {
    await settled();
    const batch = [...buffers];
    for (const table of tables) buffers.set(table, []);
    count = 0;
    // reported by the next call: no caller awaits this promise yet
    sending = sendAll(batch).catch((error: unknown) => {
      failure = error instanceof Error ? error : new Error(String(error));
    });
  }

  return {
    add(table, row) {
      const rows = buffers.get(table);
      if (!rows) throw new RangeError(`Unknown table ${table}. Tables of this load: ${tables.join(', ')}.`);
      rows.push(row);
      count += 1;
    },
    async flushIfFull() {
      if (count >= bufferedMax) await startSending();
    },
    async flush() {
      await startSending();
      await settled();
    },
  };
}
