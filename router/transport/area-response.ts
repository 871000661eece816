/** The response of an area in another process. */
import { isSubgraphResponse, unavailableArea } from '../../schema/subgraph-client.ts';
import type { SubgraphError, SubgraphResponse } from '../../schema/subgraph-client.ts';

/** Mercurius writes list indexes in paths as strings; a response key never starts with a digit. */
function normalized(error: SubgraphError): SubgraphError {
  if (error.path === undefined) return error;
  return { ...error, path: error.path.map((step) => (typeof step === 'string' && /^\d+$/.test(step) ? Number(step) : step)) };
}

/** Checks a received response. Throws upstream_unavailable when it is not a GraphQL response. */
export function readResponse(area: string, body: unknown): SubgraphResponse {
  if (!isSubgraphResponse(body)) throw unavailableArea(area);
  return body.errors === undefined ? body : { ...body, errors: body.errors.map(normalized) };
}
