/** Rows of this area's tables as COPY takes them: JSON as text, lists of numbers as lists of text. */
import type { BulkRow, BulkValue } from '../../../platform/database/bulk-load.ts';
import type { Table } from '../../../platform/database/table.ts';

const plain = (value: unknown): BulkValue => {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map(String);
  return value as BulkValue; // a plain column holds a text, a number or a truth value
};

/** The columns of a row that are written, by the one list of them. */
export function bulkRow<Row>({ fields }: Table<Row>, row: { readonly [Member in keyof Row]: unknown }): BulkRow {
  const written = Object.entries<unknown>(fields).filter(([, type]) => typeof type === 'string');
  return Object.fromEntries(
    written.map(([field, type]): [string, BulkValue] => {
      const value = row[field as keyof Row]; // fields are those of the row
      return [field, type === 'jsonb' && value !== null && value !== undefined ? JSON.stringify(value) : plain(value)];
    }),
  );
}
