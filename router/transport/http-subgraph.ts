/** The client of an area in another process: signed calls with the viewer, and a ticket for the area's own queries. */
import { createPeer } from '../../platform/http/peer.ts';
import { issueTicket } from '../../platform/security/ticket.ts';
import type { Area } from '../../schema/areas.ts';
import { Problem } from '../../schema/errors.ts';
import type { SubgraphResponse, SubgraphClient, SubgraphError } from '../../schema/subgraph-client.ts';

export interface HttpSubgraphOptions {
  readonly area: Area;
  /** Origin of the area's server, which serves `POST /graphql`. */
  readonly url: string;
  /** The key of the edge router → area. */
  readonly key: Buffer;
  /** The key that signs tickets. */
  readonly ticketKey: Buffer;
  /** Default 10,000 ms. */
  readonly deadlineMs?: number;
  /** Maximum connections; default 64. */
  readonly connections?: number;
}

/** Mercurius writes list indexes in paths as strings; a response key never starts with a digit. */
function normalized(error: SubgraphError): SubgraphError {
  if (error.path === undefined) return error;
  return { ...error, path: error.path.map((step) => (typeof step === 'string' && /^\d+$/.test(step) ? Number(step) : step)) };
}

/** `query` throws upstream_unavailable or upstream_timeout; a mutation is never sent twice. */
export function createHttpSubgraph(options: HttpSubgraphOptions): SubgraphClient {
  const { area, url, key, ticketKey, deadlineMs = 10_000, connections = 64 } = options;
  const name = `The area ${area}`;
  const peer = createPeer({ name, url, key, deadlineMs, connections });
  return {
    async query({ query, variables, operationName, viewer, requestId, signal }) {
      const { status, body } = await peer.post({
        path: '/graphql',
        subject: JSON.stringify(viewer),
        payload: { query, variables, operationName, ticket: issueTicket(ticketKey, area, viewer) },
        mutation: query.startsWith('mutation'),
        requestId,
        signal,
      });
      if (status !== 200) throw new Problem('upstream_unavailable', `${name} is unavailable. Retry the request.`);
      // Cast: an area of this platform responds in the format of GraphQL over HTTP
      const answer = body as SubgraphResponse;
      return answer.errors === undefined ? answer : { ...answer, errors: answer.errors.map(normalized) };
    },
    close: () => peer.close(),
  };
}
