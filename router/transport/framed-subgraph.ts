/** The client of an area in another process: calls over framed connections, or signed HTTP requests to an area without them. */
import { writeAreaCall } from '../../platform/frames/area-call.ts';
import { createFrameClient } from '../../platform/frames/client.ts';
import { issueTicket } from '../../platform/security/ticket.ts';
import { currentTraceparent, requestScope } from '../../platform/telemetry/request-scope.ts';
import { operationTimeouts, type SubgraphClient } from '../../schema/subgraph-client.ts';
import { readResponse } from './area-response.ts';
import { createHttpSubgraph, peerNameOf, type HttpSubgraphOptions } from './http-subgraph.ts';

/**
 * `query` throws upstream_unavailable, upstream_timeout or overloaded. A mutation is never executed twice: it is sent again only if it
 * did not reach the area. Tickets are issued when the area requests one, and only for the viewer of a call in progress.
 */
export function createFramedSubgraph(options: HttpSubgraphOptions): SubgraphClient {
  const { area, process, url, key, ticketKey, deadlineMs: limitMs = operationTimeouts.queryMs } = options;
  const frames = createFrameClient({ name: peerNameOf(options), url, key });
  const overHttp = createHttpSubgraph(options);
  return {
    async query(request) {
      const { query, variables, operationName, viewer, requestId, signal } = request;
      const mutation = query.startsWith('mutation');
      const deadlineMs = request.deadlineMs ?? performance.now() + limitMs;
      const named = process === undefined ? undefined : area;
      const traceparent = currentTraceparent();
      const operation = requestScope()?.facts.operation;
      const call = {
        area: named,
        query,
        variables,
        operationName,
        viewer,
        requestId,
        operation,
        traceparent,
        mutation,
        deadlineMs,
      };
      const response = await frames.call({
        body: (texts) => writeAreaCall(call, texts),
        deadlineMs,
        signal,
        mutation,
        answer: () => issueTicket(ticketKey, process ?? area, viewer) ?? '',
      });
      return response === null ? await overHttp.query(request) : readResponse(area, JSON.parse(response));
    },
    async close() {
      await frames.close();
      await overHttp.close?.();
    },
  };
}
