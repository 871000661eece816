/** The client of an area in another process: signed calls with the viewer, and a ticket for the area's own queries. */
import type { Origins } from '../../platform/http/instances.ts';
import { createPeer } from '../../platform/http/peer.ts';
import { issueTicket } from '../../platform/security/ticket.ts';
import type { Area } from '../../schema/areas.ts';
import { operationTimeouts, type SubgraphClient } from '../../schema/subgraph-client.ts';
import { readResponse } from './area-response.ts';

export interface HttpSubgraphOptions {
  readonly area: Area;
  /** The process, if it serves several areas: a call names its area, and tickets are those of the process. Default: the area's own. */
  readonly process?: string | undefined;
  /** Origin of the area's server, which serves `POST /graphql`, or those of its instances. */
  readonly url: Origins;
  /** The key of the edge router → area. */
  readonly key: Buffer;
  /** The key that signs tickets. */
  readonly ticketKey: Buffer;
  /** Time limit of calls without a deadline; default: that of a query. */
  readonly deadlineMs?: number;
  /** Maximum connections; default 64. */
  readonly connections?: number;
}

/** The name of the other process in error messages. */
export const peerNameOf = ({ area, process }: HttpSubgraphOptions): string =>
  process === undefined ? `The area ${area}` : `The process ${process}`;

/** `query` throws upstream_unavailable or upstream_timeout; a mutation is never sent twice. */
export function createHttpSubgraph(options: HttpSubgraphOptions): SubgraphClient {
  const { area, process, url, key, ticketKey, deadlineMs = operationTimeouts.queryMs, connections = 64 } = options;
  const peer = createPeer({ name: peerNameOf(options), url, key, deadlineMs: operationTimeouts.mutationMs, connections });
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
        payload: {
          ...(process !== undefined && { area }),
          query,
          variables,
          operationName,
          ticket: issueTicket(ticketKey, process ?? area, viewer),
        },
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
