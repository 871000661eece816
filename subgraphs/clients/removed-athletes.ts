/** Who is no more under an id, asked of the athletes area: for what other areas hold of athletes. */
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { Graph } from '../../schema/entry-point.ts';

export interface RemovedAthletes {
  /** Nothing of these is to be left. */
  readonly erased: readonly string[];
  /** Second profiles, the first ones that they count for, and whose those are. */
  readonly merged: readonly { readonly id: string; readonly intoId: string; readonly accountId: string }[];
}

const query = /* GraphQL */ `
  query removedAthletes($ids: [ID!]!) {
    removedAthletes(ids: $ids) {
      id
      mergedInto
      accountId
    }
  }
`;

/** Those of at most 1000 ids who are erased or merged, as it is now. */
export async function removedAthletes(graph: Graph, ids: readonly string[]): Promise<RemovedAthletes> {
  const data = await graph(query, { ids });
  const rows = data['removedAthletes'] as readonly { id: string; mergedInto: string | null; accountId: string }[];
  return {
    erased: rows.flatMap(({ id, mergedInto }) => (mergedInto === null ? [id] : [])),
    merged: rows.flatMap(({ id, mergedInto, accountId }) => (mergedInto === null ? [] : [{ id, intoId: mergedInto, accountId }])),
  };
}

const idsMax = 1000;

/**
 * Follows again who was written of lately: a write that began before the athlete departed may have ended after that was followed.
 * @param follow of at most 1000 ids, in a transaction of theirs
 */
export async function followAgain(
  database: Database,
  ids: readonly string[],
  follow: (transaction: Queryable, some: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < ids.length; from += idsMax)
    await database.transaction((transaction) => follow(transaction, ids.slice(from, from + idsMax)));
}
