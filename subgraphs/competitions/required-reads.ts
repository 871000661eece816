/** Loads rows that must be visible because a row that refers to them is. */
import type { BatchRead, Context } from '../runtime/subgraph.ts';

/** Loads a row by id. Throws Error when it is missing: visibility of both rows is the same, so a missing row is a defect. */
export async function loadRequired<Row>(context: Context, byId: BatchRead<string, Row | null>, id: string): Promise<Row> {
  const row = await context.load(byId, id);
  if (row === null) throw new Error(`${id} is not visible to a viewer that can read a resource with a reference to it`);
  return row;
}
