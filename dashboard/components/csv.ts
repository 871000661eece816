/** Writes CSV files that are safe to open in a spreadsheet, and downloads files. */

type Value = string | number | null;

export type CsvColumns<Row> = readonly (readonly [name: string, valueOf: (row: Row) => Value])[];

/**
 * A CSV cell (RFC 4180). An apostrophe precedes text that a spreadsheet would evaluate as a formula
 * (https://owasp.org/www-community/attacks/CSV_Injection).
 */
function cellOf(value: Value): string {
  const text = String(value ?? '');
  const escaped = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${escaped.replaceAll('"', '""')}"`;
}

/** A table with a line of names. Names that are not identifiers, such as names of API keys, are quoted like cells. */
export const csvOf = <Row>(columns: CsvColumns<Row>, rows: readonly Row[]): string =>
  [
    columns.map(([name]) => (/^\w+$/.test(name) ? name : cellOf(name))).join(','),
    ...rows.map((row) => columns.map(([, valueOf]) => cellOf(valueOf(row))).join(',')),
  ]
    .map((line) => `${line}\r\n`)
    .join('');

export const csvType = 'text/csv;charset=utf-8';

/** `keys-2026-11-25.csv` */
export const datedFileName = (name: string, extension: string): string =>
  `${name}-${new Date().toISOString().slice(0, 10)}.${extension}`;

/** Downloads a text as a file. */
export function downloadFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
