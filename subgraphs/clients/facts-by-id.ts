/** Reads facts of another area by id, in fetches of up to 1,000 ids. */
import type { Graph, GraphDocument } from '../../schema/entry-point.ts';

const chunkSize = 1000;

/** Ids in chunks of the size that internal fields accept. */
export const chunksOf = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / chunkSize) }, (_, index) => ids.slice(index * chunkSize, (index + 1) * chunkSize));

/**
 * Facts by id. Absent ids are ignored; unknown ids are missing in the result.
 * @param field the root field of the query, whose only variable is `ids`
 */
export async function factsById<Field extends string, Facts extends { readonly id: string }>(
  graph: Graph,
  query: GraphDocument<Readonly<Partial<Record<Field, readonly Facts[] | null>>>, { ids: string[] }>,
  field: Field,
  ids: readonly (string | null | undefined)[],
): Promise<ReadonlyMap<string, Facts>> {
  const wanted = [...new Set(ids.filter((id) => typeof id === 'string'))];
  const responses = await Promise.all(chunksOf(wanted).map((chunk) => graph(query, { ids: chunk })));
  const facts = responses.flatMap((data) => data[field] ?? []);
  return new Map(facts.map((each) => [each.id, each]));
}
