/** Redirects from the id of a merged profile to the remaining profile, read from the athletes area. */
import type { Context } from '../runtime/subgraph.ts';
import { graphql } from './graphql.ts';

const query = graphql(`
  query athleteRedirect($id: ID!) {
    athleteRedirect(id: $id)
  }
`);

/** Notes the redirect of an id that returns nothing to the viewer. There is no redirect unless both profiles are visible to the viewer. */
export async function redirectTo(context: Pick<Context, 'graph' | 'notes'>, id: string): Promise<null> {
  const { athleteRedirect } = await context.graph(query, { id });
  noteRedirect(context, id, athleteRedirect);
  return null;
}

/** Notes in the response that an id redirects to another. Does nothing when there is no redirect. */
export function noteRedirect({ notes }: Pick<Context, 'notes'>, from: string, to: string | null | undefined): void {
  if (typeof to !== 'string' || to === from) return;
  notes.person = true;
  notes.moved = { from, to };
}
