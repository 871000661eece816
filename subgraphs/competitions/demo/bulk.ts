/** Rows for COPY: JSON as text, and lists of numbers as lists of text. */
import { entriesOf } from '../../../schema/records.ts';
import type { BulkRow, BulkValue } from '../../../platform/database/bulk-load.ts';
import type { Table } from '../../../platform/database/table.ts';

const plain = (value: unknown): BulkValue => {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map(String);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  throw new Error(`A column that is not JSON cannot have a value of type ${typeof value}.`);
};

/** The columns of a row that the table writes. */
export function bulkRow<Row>({ fields }: Table<Row>, row: { readonly [Member in keyof Row]: unknown }): BulkRow {
  const written = entriesOf(fields).filter(([, type]) => typeof type === 'string');
  return Object.fromEntries(
    written.map(([field, type]): [string, BulkValue] => {
      const value = row[field];
      return [field, type === 'jsonb' && value !== null && value !== undefined ? JSON.stringify(value) : plain(value)];
    }),
  );
}
