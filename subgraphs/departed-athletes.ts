/** Who is no more under an id, asked of the athletes area: for what other areas hold of athletes. */
import type { Graph } from '../schema/door.ts';

export interface DepartedAthletes {
  /** Nothing of these is to be left. */
  readonly erased: readonly string[];
  /** Second profiles, and the first ones that they count for. */
  readonly merged: readonly { readonly id: string; readonly intoId: string }[];
}

const query = /* GraphQL */ `
  query departedAthletes($ids: [ID!]!) {
    departedAthletes(ids: $ids) {
      id
      mergedInto
    }
  }
`;

/** Those of at most 1000 ids who are erased or merged, as it is now. */
export async function departedAthletes(graph: Graph, ids: readonly string[]): Promise<DepartedAthletes> {
  const data = await graph(query, { ids });
  const rows = data['departedAthletes'] as readonly { id: string; mergedInto: string | null }[];
  return {
    erased: rows.flatMap(({ id, mergedInto }) => (mergedInto === null ? [id] : [])),
    merged: rows.flatMap(({ id, mergedInto }) => (mergedInto === null ? [] : [{ id, intoId: mergedInto }])),
  };
}
