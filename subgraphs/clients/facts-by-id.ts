/** Facts of other areas by id, asked through the graph: one fetch for up to 1000 of them. */
import type { Graph } from '../../schema/entry-point.ts';

const chunkSize = 1000;

/**
 * What an area tells of the ids; absent ids are passed over, unknown ones are missing.
 * @param field the root field that `query` asks, whose one variable is `ids`
 */
export async function factsById<Facts extends { readonly id: string }>(
  graph: Graph,
  query: string,
  field: string,
  ids: readonly (string | null | undefined)[],
): Promise<ReadonlyMap<string, Facts>> {
  const wanted = [...new Set(ids.filter((id) => typeof id === 'string'))];
  const chunks = Array.from({ length: Math.ceil(wanted.length / chunkSize) }, (_, index) =>
    wanted.slice(index * chunkSize, (index + 1) * chunkSize),
  );
  const answers = await Promise.all(chunks.map((chunk) => graph(query, { ids: chunk })));
  const facts = answers.flatMap((data) => data[field] as Facts[]);
  return new Map(facts.map((each) => [each.id, each]));
}
