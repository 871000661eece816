/** Who is no more under an id, asked of the athletes area: for what other areas hold of athletes. */
import type { Graph } from '../schema/door.ts';

export interface DepartedAthletes {
  /** Nothing of these is to be left. */
  readonly erased: readonly string[];
  /** Second profiles, the first ones that they count for, and whose those are. */
  readonly merged: readonly { readonly id: string; readonly intoId: string; readonly accountId: string }[];
}

const query = /* GraphQL */ `
  query departedAthletes($ids: [ID!]!) {
    departedAthletes(ids: $ids) {
      id
      mergedInto
      accountId
    }
  }
`;

/** Those of at most 1000 ids who are erased or merged, as it is now. */
export async function departedAthletes(graph: Graph, ids: readonly string[]): Promise<DepartedAthletes> {
  const data = await graph(query, { ids });
  const rows = data['departedAthletes'] as readonly { id: string; mergedInto: string | null; accountId: string }[];
  return {
    erased: rows.flatMap(({ id, mergedInto }) => (mergedInto === null ? [id] : [])),
    merged: rows.flatMap(({ id, mergedInto, accountId }) => (mergedInto === null ? [] : [{ id, intoId: mergedInto, accountId }])),
  };
}
