/** Rejects requests of a public server under overload, before anything is parsed, fairly between keys. */
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { Problem } from '../../schema/errors.ts';
import type { LoadGate } from '../load-gate.ts';
import { isProbe } from './probes.ts';
import { pathOf, sendProblem } from './problem.ts';

/** The rejection of a request that did not start. */
export const overloadedProblem = (): Problem => new Problem('overloaded', 'The server is overloaded. Try again shortly.');

/** A credential as it was sent; it is not verified. */
function credentialOf({ headers }: FastifyRequest): string | null {
  const sent = headers['x-api-key'] ?? headers.authorization ?? headers.cookie;
  return sent === undefined ? null : createHash('sha256').update(String(sent)).digest('base64');
}

/**
 * Adds the gate to all routes but the probes. A credential is a caller after a request with it was not rejected with 401; before, requests
 * count for their address, so that invented keys get no share of the process. Streams and slow clients are not counted.
 */
export function limitRequests(app: FastifyInstance, gate: LoadGate): void {
  const known = new LRUCache<string, true>({ max: 10_000 });

  app.addHook('onRequest', (request, reply, done) => {
    // a WebSocket has no response that would end it
    if (isProbe(pathOf(request.url)) || request.headers.upgrade !== undefined) return done();
    const { raw } = reply;
    const credential = credentialOf(request);
    const leave = gate.enter({
      caller: credential !== null && known.has(credential) ? credential : request.clientAddress,
      start: () => done(),
      reject() {
        const { sendProblem: send } = request.routeOptions.config;
        if (send === undefined) sendProblem(reply, overloadedProblem());
        else send(request, reply, overloadedProblem());
      },
      isIdle: () => raw.headersSent || !request.raw.complete,
    });
    raw.once('close', () => {
      leave();
      if (credential !== null && raw.statusCode < 400) known.set(credential, true);
    });
  });
}
