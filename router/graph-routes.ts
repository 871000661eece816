/** The graph for other processes: POST /internal/graph/<caller>, signed by the worker or the sandbox process, or by an area with a ticket. */
import type { FastifyPluginAsync } from 'fastify';
import { clientSignal } from '../platform/http/client-signal.ts';
import { toProblem } from '../platform/http/problem.ts';
import { createNonceMemory } from '../platform/security/signature.ts';
import { verifySignedRequest, parseBodiesAsText } from '../platform/http/signed-request.ts';
import { noteRequest } from '../platform/telemetry/request-scope.ts';
import { verifyTicket } from '../platform/security/ticket.ts';
import { parseSandboxSubject } from '../platform/security/sandbox-subject.ts';
import { parseWorkerSubject } from '../platform/security/worker-subject.ts';
import type { ResponseNotes } from '../schema/entry-point.ts';
import { errors } from '../schema/errors.ts';
import type { Viewer } from '../schema/viewer.ts';
import type { RouterGraph } from './graph.ts';

export interface GraphRoutesOptions {
  readonly graph: Pick<RouterGraph, 'internal'>;
  /** Keys of the edges <caller> → router, by caller: every area, `worker` and `sandbox`. */
  readonly keys: ReadonlyMap<string, Buffer>;
  /** The key that signs tickets. */
  readonly ticketKey: Buffer;
}

interface GraphCall {
  readonly operation: string;
  readonly variables: Record<string, unknown>;
}

const bodyLimitBytes = 1024 * 1024;

/** The viewer of a signed call; null for one that the caller may not act for. */
function viewerOf(caller: string, subject: string, ticketKey: Buffer): Viewer | null {
  if (caller === 'worker') return parseWorkerSubject(subject);
  const ofTicket = verifyTicket(ticketKey, caller, subject);
  if (caller !== 'sandbox') return ofTicket;
  const viewer = ofTicket ?? parseSandboxSubject(subject);
  return viewer?.sandbox === undefined ? null : viewer;
}

/**
 * Responds with `{data, notes}`, or with `{code, detail, extensions}` and the status of the problem. An unsigned call gets an empty 403.
 * An area can act only for viewers that queried it within the last minute; only the worker acts as the system, or as an account that did not query.
 * The sandbox process does both, on test data only.
 */
export const graphRoutes: FastifyPluginAsync<GraphRoutesOptions> = async (app, { graph, keys, ticketKey }) => {
  const nonces = createNonceMemory();
  await app.register((scope, _, done) => {
    parseBodiesAsText(scope, bodyLimitBytes);
    scope.post<{ Params: { caller: string } }>('/internal/graph/:caller', async (request, reply) => {
      const { caller } = request.params;
      const key = keys.get(caller);
      const signed = key === undefined ? null : verifySignedRequest(request, key, nonces);
      if (signed === null) return reply.code(403).send();
      const viewer = viewerOf(caller, signed.subject, ticketKey);
      if (viewer === null) {
        request.log.warn({ caller }, 'internal graph query rejected: invalid or expired ticket');
        return reply.code(403).send();
      }
      // Cast: only peers of this platform can sign a call.
      const { operation, variables } = signed.body as GraphCall;
      try {
        const notes: ResponseNotes = {};
        const data = await graph.internal(viewer, request.id, clientSignal(reply))(operation, variables, notes);
        return { data, notes };
      } catch (error) {
        const problem = toProblem(error);
        noteRequest({ code: problem.code });
        return reply
          .code(errors[problem.code].status)
          .send({ code: problem.code, detail: problem.message, extensions: problem.extensions });
      }
    });
    done();
  });
};
