/** Typed access to records. TypeScript widens the keys of `Object.keys`, `Object.entries` and `Object.fromEntries` to string. */

/** Whether a value is an object that is not a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The keys of a record. The type is correct only if the record has no members in addition to those of its type. */
export function keysOf<Of extends object>(record: Of): (keyof Of & string)[] {
  // Cast: Object.keys returns strings, because a value can have more members than its type.
  return Object.keys(record) as (keyof Of & string)[];
}

/** The entries of a record. The type is correct only if the record has no members in addition to those of its type. */
export function entriesOf<Of extends object>(record: Of): [keyof Of & string, Of[keyof Of & string]][] {
  // Cast: Object.entries returns strings, because a value can have more members than its type.
  return Object.entries(record) as [keyof Of & string, Of[keyof Of & string]][];
}

/** A record of entries. The entries must contain every key of the type. */
export function recordOf<Key extends string, Value>(entries: Iterable<readonly [Key, Value]>): Record<Key, Value> {
  // Cast: Object.fromEntries does not preserve the type of the keys.
  return Object.fromEntries(entries) as Record<Key, Value>;
}

/** Whether a list contains a value. Narrows the value to the type of the list. */
export const isOneOf = <Item>(list: readonly Item[], value: unknown): value is Item => list.some((item) => item === value);
