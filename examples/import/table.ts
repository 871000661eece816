/** Reads a CSV file with a header into records with their line numbers. */
import { parse } from 'csv-parse/sync';
import type { Rejection } from './row.ts';

export interface TableRecord<Column extends string> {
  readonly place: string;
  /** Every column, trimmed; '' for an empty field. */
  readonly values: Readonly<Record<Column, string>>;
}

export interface Table<Column extends string> {
  readonly records: readonly TableRecord<Column>[];
  readonly rejected: readonly Rejection[];
}

interface Parsed {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/**
 * Parses CSV (RFC 4180, UTF-8 with or without a byte order mark). A record with the wrong number of fields is rejected separately.
 * @throws {Error} when the header lacks a column, or a quote is never closed.
 */
export function readTable<Column extends string>(text: string, columns: readonly Column[]): Table<Column> {
  const parsed = parse(text, {
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  }) as unknown as Parsed[];
  const header = parsed[0]?.record ?? [];
  const missing = columns.filter((column) => !header.includes(column));
  if (missing.length > 0)
    throw new Error(`The file has no column ${missing.join(', ')}; its header is: ${header.join(', ') || '(empty)'}`);
  const records: TableRecord<Column>[] = [];
  const rejected: Rejection[] = [];
  for (const { record, info } of parsed.slice(1)) {
    const place = `line ${info.lines}`;
    if (record.length !== header.length) {
      rejected.push({ place, label: record[0] ?? '', reasons: [`has ${record.length} fields, the header has ${header.length}`] });
      continue;
    }
    const values = Object.fromEntries(columns.map((column) => [column, record[header.indexOf(column)] ?? ''])) as Record<
      Column,
      string
    >;
    records.push({ place, values });
  }
  return { records, rejected };
}
