/** A call of the router in the log line and the trace of its request, with its real outcome. */
import { noteOutcome } from '../../platform/telemetry/outcome.ts';
import { noteRequest, requestScope } from '../../platform/telemetry/request-scope.ts';
import { withRequest } from '../../platform/telemetry/tracing.ts';
import { periodicRequestIds, type SubgraphRequest, type SubgraphResponse } from '../../schema/subgraph-client.ts';

/** Executes a call, and reports the cause of a failure to the router. */
export async function observeCall(
  request: SubgraphRequest,
  execute: (request: SubgraphRequest) => Promise<SubgraphResponse>,
): Promise<SubgraphResponse> {
  const { requestId } = request;
  noteRequest({ requestId, isMinor: periodicRequestIds.has(requestId) });
  const response = await execute(request);
  noteOutcome(response.errors);
  const cause = requestScope()?.facts.cause;
  return cause === undefined || response.errors === undefined
    ? response
    : { ...response, extensions: { ...response.extensions, cause } };
}

/** The same for a call over a framed connection, which has no HTTP request with a span. */
export function observeFramedCall(
  request: SubgraphRequest & { readonly operation?: string | undefined; readonly traceparent?: string | undefined },
  execute: (request: SubgraphRequest) => Promise<SubgraphResponse>,
): Promise<SubgraphResponse> {
  const type = request.query.startsWith('mutation') ? 'mutation' : 'query';
  const { traceparent, operation } = request;
  noteRequest({ operation });
  // a router without a traced request: its periodic calls have no trace
  if (traceparent === undefined) return observeCall(request, execute);
  const attributes = { 'graphql.operation.type': type };
  return withRequest({ name: type, kind: 'SERVER', traceparent, attributes }, requestScope()?.facts ?? {}, () =>
    observeCall(request, execute),
  );
}
