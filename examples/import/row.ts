/** A row of the source on its way to the API, and what became of it. */
import { keyOf } from './key.ts';

export interface ExternalId {
  readonly scheme: string;
  readonly value: string;
}

/** The body of one resource; the first external id decides which resource a repeated import meets again. */
export type Item = Readonly<Record<string, unknown>> & { readonly externalIds: readonly [ExternalId, ...ExternalId[]] };

export interface Row {
  /** Where it stands in the source: `line 12`, `CZE 4`. */
  readonly place: string;
  readonly label: string;
  readonly item: Item;
}

export interface Rejection {
  readonly place: string;
  readonly label: string;
  readonly reasons: readonly string[];
}

export type Outcome = 'CREATED' | 'UPDATED' | 'UNCHANGED' | 'FAILED';

export interface Result {
  readonly row: Row;
  readonly outcome: Outcome;
  /** The id the API gave; null when it refused the row. */
  readonly id: string | null;
  readonly reasons: readonly string[];
}

/** What a source holds: rows to send, and rows refused before anything is sent. */
export interface Source {
  readonly rows: readonly Row[];
  readonly rejected: readonly Rejection[];
}

export const externalIdOf = (row: Row): string => row.item.externalIds[0].value;

/**
 * Keeps the first row of every external id and rejects the others:
 * two rows that share one would overwrite each other in every import, so that no second import were without changes.
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

/** A source out of what its entries became and what was rejected before that. */
export function sourceOf(mapped: readonly (Row | Rejection)[], rejected: readonly Rejection[] = []): Source {
  const unique = distinct(mapped.filter((entry) => 'item' in entry));
  return { rows: unique.rows, rejected: [...rejected, ...mapped.filter((entry) => 'reasons' in entry), ...unique.rejected] };
}

/** An external id made of parts, each in the spelling of keys; null when a part has no letter or digit. */
export function externalId(scheme: string, ...parts: readonly string[]): ExternalId | null {
  const keys = parts.map(keyOf);
  return keys.includes('') ? null : { scheme, value: keys.join('/') };
}
