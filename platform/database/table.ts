/** A table as data: one list of columns for all statements. */
import { entriesOf, keysOf } from '../../schema/records.ts';
import { join, raw, sql, type Sql } from './database.ts';

/** How a column is written: JSON needs conversion; an expression is read-only. */
export type ColumnType = 'plain' | 'jsonb' | Sql;

export interface Table<Row> {
  /** Unqualified: every area has its own search path. */
  readonly name: string;
  readonly fields: Readonly<Record<keyof Row & string, ColumnType>>;
  /** `id as "id", account_id as "accountId", …` */
  readonly columns: Sql;
}

/** A merge patch of a value: members of objects may be absent or null; lists are replaced. */
type ValuePatch<Value> = Value extends readonly (infer Item)[]
  ? readonly ValuePatch<Item>[]
  : Value extends object
    ? { readonly [Member in keyof Value]?: ValuePatch<Value[Member]> | null | undefined }
    : Value;

/** What an input may set of a row: members of objects may be absent, and null clears a column. */
export type InputPatch<Row> = { readonly [Field in keyof Row]?: ValuePatch<Row[Field]> | null | undefined };

/** Values for columns of a row. Absent ones are not written. */
export type RowPatch<Row> = Partial<Row> | InputPatch<Row>;

/** The members of `Values` that are not columns of the row. Their type is `never`, so that they do not compile. */
export type NoOtherColumns<Row, Values> = Readonly<Record<Exclude<keyof Values, keyof Row>, never>>;

/** `accountId` → `account_id`. */
export function columnName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** An expression as a column of a result. */
export const expressionAs = (expression: Sql, name: string): Sql => sql`(${expression}) as ${raw(`"${name}"`)}`;

function columnsAs(name: string, fields: readonly (readonly [string, ColumnType])[]): Sql {
  const columns = fields.map(([field, type]) =>
    typeof type === 'string' ? raw(`${name}.${columnName(field)} as "${field}"`) : expressionAs(type, field),
  );
  return join(columns, ', ');
}

/** Declares a table. Field names are the row's, in camel case; columns are the same in snake case. */
export function table<Row>(name: string, fields: Readonly<Record<keyof Row & string, ColumnType>>): Table<Row> {
  return { name, fields, columns: columnsAs(name, Object.entries<ColumnType>(fields)) };
}

/** Some of a table's columns, as `columns` has all of them. */
export function columnsOf<Row>({ name, fields }: Table<Row>, some: ReadonlySet<keyof Row & string>): Sql {
  return columnsAs(
    name,
    entriesOf(fields).filter(([field]) => some.has(field)),
  );
}

function value<Row>(of: Table<Row>, field: keyof Row & string, input: unknown): Sql {
  const json = of.fields[field] === 'jsonb' && input !== null && input !== undefined;
  return sql`${json ? JSON.stringify(input) : (input ?? null)}`;
}

/** The columns that a write sets. Throws Error for a member that is not a column, or that only an expression or the statement can set. */
function writtenFields<Row>(of: Table<Row>, values: RowPatch<Row>, setByStatement: readonly string[]): (keyof Row & string)[] {
  return keysOf(values).filter((field) => {
    const isWritable = Object.hasOwn(of.fields, field) && typeof of.fields[field] === 'string';
    if (!isWritable) throw new Error(`\`${field}\` is not a writable column of the table "${of.name}".`);
    if (setByStatement.includes(field)) throw new Error(`The statement sets \`${field}\` of the table "${of.name}".`);
    return values[field] !== undefined;
  });
}

/** A row's times are those of the statement that wrote it, not of its transaction: page.ts returns changes up to the start of the oldest one. */
const writtenAt = sql`statement_timestamp()`;

/** `insert … returning` all columns. Absent and null fields take the column's default. Throws Error for a member that is not a column. */
export function insertInto<Row>(of: Table<Row>, values: RowPatch<Row>, computed: Readonly<Record<string, Sql>> = {}): Sql {
  const times = ['createdAt', 'updatedAt'].filter((field) => Object.hasOwn(of.fields, field));
  const fields = writtenFields(of, values, times).filter((field) => values[field] !== null);
  const names = [...[...fields, ...times].map(columnName), ...Object.keys(computed)].map((name) => raw(name));
  const all = [
    ...fields.map((field) => value(of, field, values[field])),
    ...times.map(() => writtenAt),
    ...Object.values(computed),
  ];
  return sql`${raw(`/* ${of.name}.insert */`)} insert into ${raw(of.name)} (${join(names, ', ')})
    values (${join(all, ', ')}) returning ${of.columns}`;
}

/** `update … returning` all columns, one version up; no row when the version is no longer the expected one. Throws Error for a member that is not a column. */
export function updateRow<Row>(
  of: Table<Row>,
  at: { id: string; version: number },
  values: RowPatch<Row>,
  computed: Readonly<Record<string, Sql>> = {},
): Sql {
  const sets = [
    ...writtenFields(of, values, ['id', 'version', 'createdAt', 'updatedAt']).map(
      (field) => sql`${raw(columnName(field))} = ${value(of, field, values[field])}`,
    ),
    ...Object.entries(computed).map(([name, expression]) => sql`${raw(name)} = ${expression}`),
    sql`version = version + 1`,
    sql`updated_at = ${writtenAt}`,
  ];
  return sql`${raw(`/* ${of.name}.update */`)} update ${raw(of.name)} set ${join(sets, ', ')}
    where id = ${at.id} and version = ${at.version} returning ${of.columns}`;
}

/** A batch read in the order of its keys: null where there is no row. */
export function inOrder<Row>(keys: readonly string[], rows: readonly Row[], key: (row: Row) => string): (Row | null)[] {
  const byKey = new Map(rows.map((row) => [key(row), row]));
  return keys.map((each) => byKey.get(each) ?? null);
}
