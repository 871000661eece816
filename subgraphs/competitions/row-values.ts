/** Typed row values from API inputs. */

/** Members of a row as an input gives them: absent members are not written, null deletes. */
export type RowValues<Row> = { readonly [Member in keyof Row]?: Row[Member] | null | undefined };

/**
 * The members of a row that a write sets. Name every member in an object literal: renaming an input member or a row member then
 * does not compile. The cast is safe because the table writes no undefined values, an insert replaces null with the column's
 * default, and `patchResource` rejects null in required members.
 */
export const rowValues = <Row>(values: RowValues<Row>): Partial<Row> => values as Partial<Row>;

/** A row with values applied. Absent (undefined) members keep the value of the row. */
export function withValues<Row extends object>(before: Row, values: Partial<Row>): Row {
  const given = Object.entries(values).filter(([, value]: [string, unknown]) => value !== undefined);
  return { ...before, ...Object.fromEntries<unknown>(given) };
}
