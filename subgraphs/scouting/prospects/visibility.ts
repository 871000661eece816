/** Whom everybody may see at this moment: the projection hears of a hidden profile later, and a score must not outlive it. */
import type { Context } from '../../runtime/subgraph.ts';

const query = /* GraphQL */ `
  query shownAthletes($ids: [ID!]!) {
    athletesById(ids: $ids) {
      id
      public
      minor
    }
  }
`;

/**
 * Those of the athletes (at most 1000) who are public and adult by the word of their own area, in one fetch for all of them.
 * It does not wait for the client to ask for `athlete`: a score alone tells of somebody as well.
 */
export async function findVisibleAthleteIds(context: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const data = await context.graph(query, { ids });
  const athletes = data['athletesById'] as readonly { id: string; public: boolean; minor: boolean }[];
  return new Set(athletes.filter((athlete) => athlete.public && !athlete.minor).map((athlete) => athlete.id));
}
