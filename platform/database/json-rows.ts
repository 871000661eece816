/** Reads rows as one JSON text that PostgreSQL builds: for a page, Node.js spends half the time that it needs to decode each value. */
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { isRecord } from '../../schema/records.ts';

/** Sends a statement. Its result contains the rows and the types of their columns. */
export type Send = (text: string) => Promise<{ readonly rows: object[]; readonly fields: readonly pg.FieldDef[] }>;

/** Reads the rows of a select statement that starts with its name in a comment. */
export type ReadRows = (text: string, send: Send) => Promise<object[]>;

const { BOOL, INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC, TEXT, VARCHAR, UUID, DATE, JSON: PLAIN_JSON, JSONB } = pg.types.builtins;
const timestamptz: number = pg.types.builtins.TIMESTAMPTZ;
/** Arrays of int4, text and uuid, which `builtins` does not name. */
const arrays = [1007, 1009, 2951];

/** Types whose JSON form is the value that a statement returns. */
const sameInJson = new Set<number>([
  ...[BOOL, INT2, INT4, INT8, FLOAT4, FLOAT8, NUMERIC, TEXT, VARCHAR, UUID, DATE, PLAIN_JSON, JSONB],
  ...arrays,
]);

/** The columns with times; null when a column has a type that JSON represents differently. */
type Times = readonly string[] | null;

function timesOf(fields: readonly pg.FieldDef[]): Times {
  if (fields.some(({ dataTypeID }) => dataTypeID !== timestamptz && !sameInJson.has(dataTypeID))) return null;
  return fields.filter(({ dataTypeID }) => dataTypeID === timestamptz).map(({ name }) => name);
}

/** PostgreSQL's time in text or JSON (`2026-11-21 10:00:00.5+00`, `2026-11-21T10:00:00.5+00:00`) as `2026-11-21T10:00:00.500Z`. Sessions run in UTC. */
export function utcTime(text: string): string {
  const seconds = `${text.slice(0, 10)}T${text.slice(11, 19)}`;
  if (text[19] !== '.') return `${seconds}.000Z`;
  return `${seconds}.${text.slice(20, text.indexOf('+', 20)).slice(0, 3).padEnd(3, '0')}Z`;
}

/** Statement texts whose columns are remembered. */
const textsMax = 1_000;

const nameAtStart = /^\/\*.*?\*\//;

/** The statement with all its rows in one text. An aggregate reads the rows of a subquery in their order (PostgreSQL, section 9.21). */
function asJson(text: string): string {
  const [name = ''] = nameAtStart.exec(text) ?? [];
  // a column with the name of the alias would hide the row
  return `${name} select json_agg("row of page")::text as rows from (${text.slice(name.length)}) "row of page"`;
}

const isRows = (value: unknown): value is Record<string, unknown>[] => Array.isArray(value) && value.every(isRecord);

function parseRows(text: unknown, times: readonly string[]): object[] {
  // an aggregate of no rows is null
  const rows: unknown = typeof text === 'string' ? JSON.parse(text) : [];
  if (!isRows(rows)) throw new Error('PostgreSQL returned no list of rows.');
  for (const row of rows) {
    for (const name of times) {
      const time = row[name];
      if (typeof time === 'string') row[name] = utcTime(time);
    }
  }
  return rows;
}

/**
 * Returns a reader. The first execution of a text reads plain rows and remembers the types of their columns; later ones read JSON,
 * unless a column has a type that JSON represents differently.
 */
export function createJsonRows(): ReadRows {
  const known = new LRUCache<string, { readonly times: Times; readonly text: string }>({ max: textsMax });
  return async (text, send) => {
    const remembered = known.get(text);
    if (remembered?.times) {
      const { rows } = await send(remembered.text);
      const [row] = rows;
      return parseRows(isRecord(row) ? row['rows'] : null, remembered.times);
    }
    const { rows, fields } = await send(text);
    if (remembered === undefined) known.set(text, { times: timesOf(fields), text: asJson(text) });
    return rows;
  };
}
