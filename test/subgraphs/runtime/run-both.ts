/** Runs one query of an area both compiled and on graphql-js. */
import type { SubgraphResponse, SubgraphClient, SubgraphRequest } from '../../../schema/subgraph-client.ts';

let requestCount = 0;

/** Areas execute the first request of a text with graphql-js and compile it for the second. */
export async function runBoth(
  area: SubgraphClient,
  request: SubgraphRequest,
): Promise<{ readonly compiled: SubgraphResponse; readonly interpreted: SubgraphResponse }> {
  requestCount += 1;
  const interpreted = await area.query({ ...request, query: `${request.query} # ${requestCount}` });
  const first = await area.query(request);
  return { compiled: isCompiled(first) ? first : await area.query(request), interpreted };
}

/** Objects of graphql-js have no prototype. */
export const isCompiled = ({ data }: SubgraphResponse): boolean =>
  data !== null && data !== undefined && Object.getPrototypeOf(data) === Object.prototype;

const places = (response: SubgraphResponse): string[] => (response.errors ?? []).map((error) => JSON.stringify(error)).sort();

/** A response in comparable form: the order of members counts, the order of errors and times do not. */
export const comparable = (response: SubgraphResponse): unknown => [
  JSON.stringify(response.data).replace(/(?<="updatedUntil":")[^"]+/, 'now'),
  places(response),
  response.extensions,
];
