/** Declares a table from typed columns, so that a row type, its column list and its erased values have one source. */
import { entriesOf, recordOf } from '../../schema/records.ts';
import type { Sql } from './database.ts';
import { table, type ColumnType, type InputPatch, type Table } from './table.ts';

/** A column of a table. `Value` is the type that a query returns for it. */
export interface Column<Value> {
  readonly type: ColumnType;
  /** Exists in the type only: it binds the column to the type of its values. */
  readonly value?: Value;
}

/** A column with personal data: `erased` replaces its value when the row is erased. */
export interface ErasableColumn<Value = unknown> extends Column<Value> {
  readonly erased: Value;
}

type Columns = Readonly<Record<string, Column<unknown>>>;

/** The row type of declared columns. */
export type RowOf<Declared extends Columns> = {
  readonly [Field in keyof Declared]: Declared[Field] extends Column<infer Value> ? Value : never;
};

/** A column whose values PostgreSQL accepts unchanged. */
export const column = <Value>(): Column<Value> => ({ type: 'plain' });

/** A `jsonb` column. */
export const jsonColumn = <Value>(): Column<Value> => ({ type: 'jsonb' });

/** A value that is selected by an expression and never written. */
export const computedColumn = <Value>(expression: Sql): Column<Value> => ({ type: expression });

/** Marks a column as personal data. `erased` must satisfy the constraints of the column. */
export const erasable = <Value>(declared: Column<Value>, erased: NoInfer<Value>): ErasableColumn<Value> => ({
  ...declared,
  erased,
});

/** The columns that every resource has. */
export const resourceColumns = {
  id: column<string>(),
  accountId: column<string>(),
  version: column<number>(),
  createdAt: column<string>(),
  updatedAt: column<string>(),
};

/** The table of declared columns. Fields are in camel case; columns have the same names in snake case. */
export function defineTable<Declared extends Columns>(name: string, columns: Declared): Table<RowOf<Declared>> {
  return table(name, recordOf(entriesOf(columns).map(([field, { type }]) => [field, type] as const)));
}

/** The values that erase columns. */
export function erasedValues<Declared extends Readonly<Record<string, ErasableColumn>>>(columns: Declared): RowOf<Declared> {
  // Cast: Object.fromEntries does not preserve the keys, and the type of each value depends on its column.
  return Object.fromEntries(Object.entries(columns).map(([field, { erased }]) => [field, erased])) as RowOf<Declared>;
}

/**
 * The members of an input as values of a row. It does not compile when a member is not a column of the table, or has another type,
 * so that a renamed input or column cannot be lost.
 */
export function rowValues<Row, Input extends InputPatch<Row>>(
  _: Table<Row>,
  input: Input & Readonly<Record<Exclude<keyof Input, keyof Row>, never>>,
): InputPatch<Row> {
  return input;
}
