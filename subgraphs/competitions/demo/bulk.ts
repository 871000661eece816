/** Rows for COPY: JSON as text, and lists of numbers as lists of text. */
import type { BulkRow, BulkValue } from '../../../platform/database/bulk-load.ts';
import type { Table } from '../../../platform/database/table.ts';

const plain = (value: unknown): BulkValue => {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map(String);
  // The other columns have text, numbers and booleans only.
  return value as BulkValue;
};

/** The columns of a row that the table writes. */
export function bulkRow<Row>({ fields }: Table<Row>, row: { readonly [Member in keyof Row]: unknown }): BulkRow {
  const written = Object.entries<unknown>(fields).filter(([, type]) => typeof type === 'string');
  return Object.fromEntries(
    written.map(([field, type]): [string, BulkValue] => {
      // The keys of `fields` are those of the row.
      const value = row[field as keyof Row];
      return [field, type === 'jsonb' && value !== null && value !== undefined ? JSON.stringify(value) : plain(value)];
    }),
  );
}
