/** A fetch as a span, a metric, and a time in the log line of its request. */
import { recordFetch } from '../../platform/telemetry/metrics.ts';
import { isFailure, outcomeOf } from '../../platform/telemetry/outcome.ts';
import { noteCause, noteFetch } from '../../platform/telemetry/request-scope.ts';
import { withSpan } from '../../platform/telemetry/tracing.ts';
import { Problem } from '../../schema/errors.ts';
import { isSubgraphResponse, unavailableArea } from '../../schema/subgraph-client.ts';
import type { SubgraphClient, SubgraphError, SubgraphRequest, SubgraphResponse } from '../../schema/subgraph-client.ts';

function record(area: string, startedMs: number, errors: readonly SubgraphError[] | undefined, cause?: string): void {
  const durationMs = performance.now() - startedMs;
  noteFetch(area, durationMs);
  recordFetch({ area, outcome: outcomeOf(errors) ?? 'ok' }, durationMs);
  const failure = errors?.find(isFailure);
  if (failure !== undefined) noteCause(cause ?? failure.message, area);
}

/** Sends a fetch of an area. Rejects as the client does, and with upstream_unavailable when the response is not a GraphQL response. */
export async function observeFetch(client: SubgraphClient, area: string, request: SubgraphRequest): Promise<SubgraphResponse> {
  const startedMs = performance.now();
  try {
    const attributes = { 'platform.area': area };
    const response = await withSpan({ name: `fetch ${area}`, kind: 'CLIENT', attributes }, () => client.query(request));
    if (!isSubgraphResponse(response)) throw unavailableArea(area);
    record(area, startedMs, response.errors, response.extensions?.cause);
    return response;
  } catch (error) {
    record(area, startedMs, [error instanceof Problem ? error : { message: String(error) }]);
    throw error;
  }
}
