/** Rejects requests of a public server under overload, before anything is parsed, fairly between keys. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../../schema/errors.ts';
import { createKnownCallers } from '../known-callers.ts';
import type { LoadGate } from '../load-gate.ts';
import { credentialsOf } from './caller.ts';
import { isProbe } from './probes.ts';
import { pathOf, sendProblem } from './problem.ts';
import { isUpgrade } from './web-sockets.ts';

/** The rejection of a request that did not start. */
export const overloadedProblem = (): Problem => new Problem('overloaded', 'The server is overloaded. Try again shortly.');

/** The credential as it was sent: not verified. */
const credentialOf = ({ raw: { rawHeaders }, headers: { cookie } }: FastifyRequest): string | null =>
  credentialsOf(rawHeaders)[0] ?? cookie ?? null;

/**
 * Adds the gate to all routes but the probes and WebSockets. A credential is a caller after a key or session in it was accepted; before,
 * requests count for their address, so that invented keys get no share of the process. Streams are not counted, nor are requests while their
 * body arrives.
 */
export function limitRequests(app: FastifyInstance, gate: LoadGate): void {
  const knownCallerOf = createKnownCallers();

  app.addHook('onRequest', (request, reply, done) => {
    const { config } = request.routeOptions;
    // a WebSocket stays open for hours
    if (isProbe(pathOf(request.url)) || config.isWebSocket === true) return done();
    const { raw } = reply;
    const { caller, accept } = knownCallerOf(credentialOf(request), request.clientAddress);
    const leave = gate.enter({
      caller,
      start: () => done(),
      reject() {
        const { sendProblem: send } = config;
        if (send === undefined) sendProblem(reply, overloadedProblem());
        else send(request, reply, overloadedProblem());
      },
      isServed: () => raw.headersSent,
      isIdle: () => !request.raw.complete,
    });
    const end = (): void => {
      leave();
      const { isAuthenticated, session } = request.scope?.facts ?? {};
      if (isAuthenticated === true) accept(session);
    };
    raw.once('close', end);
    if (isUpgrade(request.raw)) request.raw.socket.once('close', end);
  });
}
