/** The client of an area in another process: signed calls with the viewer, and a ticket for the area's own queries. */
import { createPeer } from '../../platform/http/peer.ts';
import { issueTicket } from '../../platform/security/ticket.ts';
import type { Area } from '../../schema/areas.ts';
import { operationTimeouts, type SubgraphClient } from '../../schema/subgraph-client.ts';
import { readResponse } from './area-response.ts';

export interface HttpSubgraphOptions {
  readonly area: Area;
  /** Origin of the area's server, which serves `POST /graphql`. */
  readonly url: string;
  /** The key of the edge router → area. */
  readonly key: Buffer;
  /** The key that signs tickets. */
  readonly ticketKey: Buffer;
  /** Time limit of calls without a deadline; default: that of a query. */
  readonly deadlineMs?: number;
  /** Maximum connections; default 64. */
  readonly connections?: number;
}

/** `query` throws upstream_unavailable or upstream_timeout; a mutation is never sent twice. */
export function createHttpSubgraph(options: HttpSubgraphOptions): SubgraphClient {
  const { area, url, key, ticketKey, deadlineMs = operationTimeouts.queryMs, connections = 64 } = options;
  const name = `The area ${area}`;
  const peer = createPeer({ name, url, key, deadlineMs: operationTimeouts.mutationMs, connections });
  return {
    async query({
      query,
      variables,
      operationName,
      viewer,
      requestId,
      signal,
      deadlineMs: until = performance.now() + deadlineMs,
    }) {
      const { status, body } = await peer.post({
        path: '/graphql',
        subject: JSON.stringify(viewer),
        payload: { query, variables, operationName, ticket: issueTicket(ticketKey, area, viewer) },
        mutation: query.startsWith('mutation'),
        requestId,
        signal,
        timeoutMs: until - performance.now(),
      });
      return readResponse(area, status === 200 ? body : undefined);
    },
    close: () => peer.close(),
  };
}
