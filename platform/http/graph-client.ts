/** Client of the graph for other processes: signed calls of an area, which presents its ticket, or of the worker. */
import { addContentNotes, createGraphCaller, type Graph, type ResponseNotes } from '../../schema/entry-point.ts';
import { isErrorCode, Problem, type ProblemExtensions } from '../../schema/errors.ts';
import type { Viewer } from '../../schema/viewer.ts';
import { currentRequestId } from '../telemetry/request-scope.ts';
import { formatWorkerSubject } from '../security/worker-subject.ts';
import type { Origins } from './instances.ts';
import { createPeer } from './peer.ts';

export interface GraphClientOptions {
  /** Internal URL of the router, or those of its instances. */
  readonly url: Origins;
  /** The calling area, or `worker`. */
  readonly caller: string;
  /** The key for calls from the caller to the router. */
  readonly key: Buffer;
  /** The signed text for a viewer of `asViewer`; default: that of the worker. */
  readonly subjectOf?: ((viewer: Viewer) => string) | undefined;
}

export interface GraphClient {
  /** The graph with the rights of the ticket's viewer; the worker has no ticket and the rights of the system. An aborted signal ends its queries. */
  as(ticket: string | (() => Promise<string | null>) | null, requestId: string, signal?: AbortSignal): Graph;
  /** The graph as a viewer, for the worker and sandboxes only: the system or an account. */
  asViewer(viewer: Viewer, requestId: string, signal?: AbortSignal): Graph;
  close(): Promise<void>;
}

interface GraphReply {
  readonly data?: Record<string, unknown>;
  /** What the data contains; absent from an older router. */
  readonly notes?: ResponseNotes;
  readonly code?: string;
  readonly detail?: string;
  readonly extensions?: ProblemExtensions;
}

/** Supports queries only: the router rejects other operations. */
export function createGraphClient({ url, caller, key, subjectOf = formatWorkerSubject }: GraphClientOptions): GraphClient {
  const peer = createPeer({ name: 'The router', url, key, deadlineMs: 10_000, connections: 16 });
  const path = `/internal/graph/${caller}`;
  const as: GraphClient['as'] = (ticket, requestId, signal) =>
    createGraphCaller(async (operation, variables, notes) => {
      const payload = { operation, variables };
      const proof = typeof ticket === 'function' ? await ticket() : ticket;
      const { body } = await peer.post({
        path,
        subject: proof ?? caller,
        payload,
        mutation: false,
        requestId: currentRequestId(requestId),
        signal,
      });
      // Cast: the call is signed, and the router responds with its own type.
      const { data, notes: ofData = {}, code, detail, extensions } = body as GraphReply;
      addContentNotes(notes, ofData);
      if (data) return data;
      throw new Problem(isErrorCode(code) ? code : 'internal', detail ?? 'The graph returned no data.', extensions);
    });
  return {
    as,
    asViewer: (viewer, requestId, signal) => as(subjectOf(viewer), requestId, signal),
    close: () => peer.close(),
  };
}
