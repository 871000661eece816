/** Reads rows as one JSON text that PostgreSQL builds: for a page, Node.js spends half the time that it needs to decode each value. */
import { LRUCache } from 'lru-cache';
import pg from 'pg';
import { isRecord } from '../../schema/records.ts';
import { generate, mayGenerateCode, quoted } from '../code-generation.ts';

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

interface Column {
  readonly name: string;
  readonly isTime: boolean;
}

/** PostgreSQL's limit of arguments of a function. */
const columnsMax = 100;

/** Null when a column has a type that JSON represents differently, or when the names do not identify the columns. */
function columnsOf(fields: readonly pg.FieldDef[]): readonly Column[] | null {
  const columns = fields.map(({ name, dataTypeID }) => ({ name, isTime: dataTypeID === timestamptz }));
  const isReadable = fields.every(({ dataTypeID }) => dataTypeID === timestamptz || sameInJson.has(dataTypeID));
  const areUnique = new Set(columns.map(({ name }) => name)).size === columns.length;
  return isReadable && areUnique && columns.length <= columnsMax ? columns : null;
}

/** PostgreSQL's time in text or JSON (`2026-11-21 10:00:00.5+00`, `2026-11-21T10:00:00.5+00:00`) as `2026-11-21T10:00:00.500Z`. Sessions run in UTC. */
export function utcTime(text: string): string {
  // the form in JSON of a time with milliseconds
  if (text.length === 29 && text[10] === 'T') return `${text.slice(0, 23)}Z`;
  const seconds = `${text.slice(0, 10)}T${text.slice(11, 19)}`;
  if (text[19] !== '.') return `${seconds}.000Z`;
  return `${seconds}.${text.slice(20, text.indexOf('+', 20)).slice(0, 3).padEnd(3, '0')}Z`;
}

/** Statement texts whose columns are remembered. */
const textsMax = 1_000;

const nameAtStart = /^\/\*.*?\*\//;

/**
 * The statement with all its rows in one text, each as a list of values: without the names it is a third shorter. An aggregate reads the rows
 * of a subquery in their order (PostgreSQL, section 9.21).
 */
function asJson(text: string, columns: readonly Column[]): string {
  const [name = ''] = nameAtStart.exec(text) ?? [];
  const values = columns.map((column) => pg.escapeIdentifier(column.name)).join(', ');
  return `${name} select json_agg(json_build_array(${values}))::text as rows from (${text.slice(name.length)}) page`;
}

const isRows = (value: unknown): value is unknown[][] => Array.isArray(value) && value.every((row) => Array.isArray(row));

type CreateRow = (values: readonly unknown[]) => object;

const valueOf = ({ isTime }: Column, value: unknown): unknown => (isTime && typeof value === 'string' ? utcTime(value) : value);

/** Code is generated once per statement text: assigning the members of each row one after the other takes as long as parsing their names. */
function compileRow(columns: readonly Column[]): CreateRow {
  if (!mayGenerateCode)
    return (values) => Object.fromEntries(columns.map((column, index) => [column.name, valueOf(column, values[index])]));
  const members = columns.map(({ name, isTime }, index) => {
    const value = `values[${index}]`;
    return `${quoted(name)}: ${isTime ? `${value} === null ? null : utcTime(${value})` : value}`;
  });
  return generate<CreateRow>({ utcTime }, `return (values) => ({ ${members.join(', ')} });`);
}

function parseRows(text: unknown, createRow: CreateRow): object[] {
  // an aggregate of no rows is null
  const rows: unknown = typeof text === 'string' ? JSON.parse(text) : [];
  if (!isRows(rows)) throw new Error('PostgreSQL returned no list of rows.');
  return rows.map(createRow);
}

/** How a statement text is read after its first execution; without a text it keeps plain rows. */
type Page = { readonly text: string; readonly createRow: CreateRow } | { readonly createRow: null };

const plainRows: Page = { createRow: null };

/**
 * Returns a reader. The first execution of a text reads plain rows and remembers the types of their columns; later ones read JSON,
 * unless a column has a type that JSON represents differently.
 */
export function createJsonRows(): ReadRows {
  const known = new LRUCache<string, Page>({ max: textsMax });
  return async (text, send) => {
    const remembered = known.get(text);
    if (remembered?.createRow) {
      const { rows } = await send(remembered.text);
      const [row] = rows;
      return parseRows(isRecord(row) ? row['rows'] : null, remembered.createRow);
    }
    const { rows, fields } = await send(text);
    if (remembered === undefined) {
      const columns = columnsOf(fields);
      known.set(text, columns === null ? plainRows : { text: asJson(text, columns), createRow: compileRow(columns) });
    }
    return rows;
  };
}
