/** Where the id of a second profile leads, asked of the athletes area: for what other areas read by the id of an athlete. */
import type { Context } from '../runtime/subgraph.ts';

const query = /* GraphQL */ `
  query athleteRedirect($id: ID!) {
    athleteRedirect(id: $id)
  }
`;

/** Tells the door where an id leads by which the viewer is shown nothing; nowhere, unless the viewer may know of both profiles. */
export async function redirectTo(context: Pick<Context, 'graph' | 'notes'>, id: string): Promise<null> {
  const { athleteRedirect } = await context.graph(query, { id });
  noteRedirect(context, id, athleteRedirect);
  return null;
}

/** Tells the door that an id leads to another, where it does. */
export function noteRedirect({ notes }: Pick<Context, 'notes'>, from: string, to: unknown): void {
  if (typeof to !== 'string' || to === from) return;
  notes.person = true;
  notes.moved = { from, to };
}
