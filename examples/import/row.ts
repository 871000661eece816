/** A row of the source on its way to the API, and its result. */
import { keyOf } from './key.ts';

export interface ExternalId {
  readonly scheme: string;
  readonly value: string;
}

/** The body of one resource. The first external ID identifies the resource in later imports. */
export type Item = Readonly<Record<string, unknown>> & { readonly externalIds: readonly [ExternalId, ...ExternalId[]] };

export interface Row {
  /** Position in the source: `line 12`, `CZE 4`. */
  readonly place: string;
  readonly label: string;
  readonly item: Item;
  /** Members that only a new resource gets. */
  readonly initial?: Readonly<Record<string, unknown>>;
}

export interface Rejection {
  readonly place: string;
  readonly label: string;
  readonly reasons: readonly string[];
}

/** VALID: read with `--check`, not sent. */
export type Outcome = 'CREATED' | 'UPDATED' | 'UNCHANGED' | 'FAILED' | 'VALID';

export interface Result {
  readonly row: Row;
  readonly outcome: Outcome;
  /** The ID from the API; null when the API rejected the row. */
  readonly id: string | null;
  readonly reasons: readonly string[];
  /** Code of the problem that rejected the row; null for other outcomes. */
  readonly code?: string | null;
}

/** A parsed source: rows to send, and rows rejected before anything is sent. */
export interface Source {
  readonly rows: readonly Row[];
  readonly rejected: readonly Rejection[];
}

export const externalIdOf = (row: Row): string => row.item.externalIds[0].value;

/**
 * Retains the first row of every external ID and rejects the others:
 * rows with the same external ID would overwrite each other, so a second import could never be without changes.
 */
function distinct(rows: readonly Row[]): Source {
  const first = new Map<string, Row>();
  const rejected: Rejection[] = [];
  for (const row of rows) {
    const known = first.get(externalIdOf(row));
    if (known === undefined) first.set(externalIdOf(row), row);
    else rejected.push({ place: row.place, label: row.label, reasons: [`same key as ${known.place} (${externalIdOf(row)})`] });
  }
  return { rows: [...first.values()], rejected };
}

/** Builds a source from parsed entries and earlier rejections. */
export function sourceOf(mapped: readonly (Row | Rejection)[], rejected: readonly Rejection[] = []): Source {
  const unique = distinct(mapped.filter((entry) => 'item' in entry));
  return { rows: unique.rows, rejected: [...rejected, ...mapped.filter((entry) => 'reasons' in entry), ...unique.rejected] };
}

/** An external ID from parts, each normalized; null when a part has no letter or digit. */
export function externalId(scheme: string, ...parts: readonly string[]): ExternalId | null {
  const keys = parts.map(keyOf);
  return keys.includes('') ? null : { scheme, value: keys.join('/') };
}
