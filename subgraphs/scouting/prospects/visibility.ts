/** Current visibility of athletes. The projection learns of a hidden profile later, and a score must be hidden immediately. */
import { graphql } from '../../clients/graphql.ts';
import type { Context } from '../../runtime/subgraph.ts';

const query = graphql(`
  query shownAthletes($ids: [ID!]!) {
    athletesById(ids: $ids) {
      id
      public
      minor
    }
  }
`);

/**
 * The ids of the public adults among at most 1000 athletes, as the athletes area reports them now, in one fetch.
 * Every list of prospects needs it, even if the client does not select `athlete`, because a score alone discloses data.
 */
export async function findVisibleAthleteIds(context: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const athletes = (await context.graph(query, { ids: [...ids] })).athletesById ?? [];
  return new Set(athletes.filter((athlete) => athlete.public && !athlete.minor).map((athlete) => athlete.id));
}
