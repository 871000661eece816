/** Typed row values from API inputs. */

/** Members of a row as an input gives them: absent members are not written, null deletes. */
export type RowValues<Row> = { readonly [Member in keyof Row]?: Row[Member] | null | undefined };

/**
 * The members of a row that a write sets, without the absent ones. Name every member in an object literal: renaming an input member or
 * a row member then does not compile. `unmapped` is what is left of the input: a member that the literal does not map does not compile.
 */
export function rowValues<Row>(values: RowValues<Row>, _unmapped: Readonly<Record<string, never>> = {}): Partial<Row> {
  const given = Object.entries(values).filter(([, value]: [string, unknown]) => value !== undefined);
  // Cast: null in a required column is safe, because an insert replaces it with the default and `patchResource` rejects it.
  return Object.fromEntries<unknown>(given) as Partial<Row>;
}

/** A row with values applied. Absent (undefined) members keep the value of the row. */
export function withValues<Row extends object>(before: Row, values: Partial<Row>): Row {
  const given = Object.entries(values).filter(([, value]: [string, unknown]) => value !== undefined);
  return { ...before, ...Object.fromEntries<unknown>(given) };
}
