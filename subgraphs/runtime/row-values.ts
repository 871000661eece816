/** Typed row values from API inputs. */

/** Members of a row as an input gives them: absent members are not written, null deletes. */
export type RowValues<Row> = { readonly [Member in keyof Row]?: Row[Member] | null | undefined };

/**
 * The members of a row that a write sets, without the absent ones. Name every member in an object literal: renaming an input member or
 * a row member then does not compile. The cast is safe because an insert replaces null with the column's default, and `patchResource`
 * rejects null in required members.
 */
export function rowValues<Row>(values: RowValues<Row>): Partial<Row> {
  const given = Object.entries(values).filter(([, value]: [string, unknown]) => value !== undefined);
  return Object.fromEntries<unknown>(given) as Partial<Row>;
}
