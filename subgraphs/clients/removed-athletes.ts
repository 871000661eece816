/** Athletes that were erased or merged, read from the athletes area: other areas remove or move the data they hold of them. */
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { Graph } from '../../schema/entry-point.ts';
import { graphql } from './graphql.ts';

export interface RemovedAthletes {
  /** Ids of erased athletes: no data of them may remain. */
  readonly erased: readonly string[];
  readonly merged: readonly MergedAthlete[];
}

/** A merged profile, with the remaining profile and its account. */
export interface MergedAthlete {
  readonly id: string;
  readonly intoId: string;
  readonly accountId: string;
}

const query = graphql(`
  query removedAthletes($ids: [ID!]!) {
    removedAthletes(ids: $ids) {
      id
      mergedInto
      accountId
    }
  }
`);

/** The erased and merged athletes among at most 1,000 ids. */
export async function removedAthletes(graph: Graph, ids: readonly string[]): Promise<RemovedAthletes> {
  const rows = (await graph(query, { ids: [...ids] })).removedAthletes ?? [];
  return {
    erased: rows.flatMap(({ id, mergedInto }) => (mergedInto ? [] : [id])),
    merged: rows.flatMap(({ id, mergedInto, accountId }) => (mergedInto ? [{ id, intoId: mergedInto, accountId }] : [])),
  };
}

/** Erases and merges the rows of an area for the removed athletes among at most 1,000 ids. */
export async function applyRemovals(
  graph: Graph,
  ids: readonly string[],
  handlers: {
    readonly erase: (ids: readonly string[]) => Promise<void>;
    readonly merge: (merged: MergedAthlete) => Promise<void>;
  },
): Promise<void> {
  const { erased, merged } = await removedAthletes(graph, ids);
  if (erased.length > 0) await handlers.erase(erased);
  for (const each of merged) await handlers.merge(each);
}

const idsMax = 1000;

/**
 * Repeats the removal for recently written athletes: a write that started before an athlete was removed may commit after the removal.
 * @param follow handles at most 1,000 ids in their own transaction
 */
export async function followAgain(
  database: Database,
  ids: readonly string[],
  follow: (transaction: Queryable, some: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < ids.length; from += idsMax)
    await database.transaction((transaction) => follow(transaction, ids.slice(from, from + idsMax)));
}
