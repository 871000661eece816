/** The graph as a process without it calls it: over HTTP, signed by an area that shows its ticket, or by the worker. */
import { createGraphCaller, type Graph } from '../../schema/entry-point.ts';
import { isErrorCode, Problem, type ProblemExtensions } from '../../schema/errors.ts';
import { createPeer } from './peer.ts';

export interface GraphClientOptions {
  /** Where the router listens for other processes. */
  readonly url: string;
  /** The area that calls, or `worker`. */
  readonly caller: string;
  /** Key of the edge caller → router. */
  readonly key: Buffer;
}

export interface GraphClient {
  /** The graph as the viewer of this ticket sees it; the worker needs none, and sees it as the system. */
  as(ticket: string | null, requestId: string): Graph;
  close(): Promise<void>;
}

interface Told {
  readonly data?: Record<string, unknown>;
  readonly code?: string;
  readonly detail?: string;
  readonly extensions?: ProblemExtensions;
}

/** Operations are queries: the router refuses others. */
export function createGraphClient({ url, caller, key }: GraphClientOptions): GraphClient {
  const peer = createPeer({ name: 'The router', url, key, deadlineMs: 10_000, connections: 16 });
  const path = `/internal/graph/${caller}`;
  return {
    as: (ticket, requestId) =>
      createGraphCaller(async (operation, variables) => {
        const payload = { operation, variables };
        const { body } = await peer.post({ path, subject: ticket ?? caller, payload, mutation: false, requestId });
        const { data, code, detail, extensions } = body as Told;
        if (data) return data;
        throw new Problem(isErrorCode(code) ? code : 'internal', detail ?? 'The graph returned no data.', extensions);
      }),
    close: () => peer.close(),
  };
}
