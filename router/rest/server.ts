/** The REST entry point for bridges in other processes: framed connections, and signed HTTP calls (platform/http/entry-point-client.ts). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { acceptFrames } from '../../platform/frames/server.ts';
import { clientSignal } from '../../platform/http/client-signal.ts';
import { startDeferred, type DeferredOperation } from '../../platform/http/deferred-operation.ts';
import { deferredPath } from '../../platform/http/deferred-peer.ts';
import type { DeferredCall, OperationCall, OperationReply, SettleCall } from '../../platform/http/entry-point-client.ts';
import { createNonceMemory, verifyBody } from '../../platform/security/signature.ts';
import { noteOutcome } from '../../platform/telemetry/outcome.ts';
import { noteRequest, requestScope } from '../../platform/telemetry/request-scope.ts';
import { parseBodiesAsText, verifySignedHeaders, verifySignedRequest } from '../../platform/http/signed-request.ts';
import type { Caller, EntryPoint, OperationInput, OperationResponse } from '../../schema/entry-point.ts';
import { createFramedCalls, inputOf } from './framed-calls.ts';
import { createPendingResponses } from './pending-responses.ts';

export interface RestServerOptions {
  readonly entryPoint: EntryPoint;
  /** The key of the edge rest → router. */
  readonly key: Buffer;
  /** Whether a registered operation is a mutation, whose call must be signed as one. */
  readonly isMutation: (operation: string) => boolean;
}

const bodyLimitBytes = 16 * 1024 * 1024;

/** The input of a deferred call; undefined when its signature is invalid. */
function signedInput({ body, headers }: FastifyRequest, key: Buffer): OperationInput | null | undefined {
  const nonce = headers['x-edge-nonce'];
  if (typeof body !== 'string' || typeof nonce !== 'string') return undefined;
  const end = body.indexOf('\n');
  const text = body.slice(end + 1);
  if (!verifyBody(key, nonce, text, body.slice(0, Math.max(0, end)))) return undefined;
  return inputOf(text);
}

/** `POST /internal/execute`, `/internal/execute-deferred` and `/internal/settle`. A call without a valid signature gets an empty 403. */
export const restServer: FastifyPluginCallback<RestServerOptions> = (app, { entryPoint, key, isMutation }, done) => {
  const nonces = createNonceMemory();
  const pending = createPendingResponses();
  app.addHook('onClose', () => pending.close());

  parseBodiesAsText(app, bodyLimitBytes);

  const replyOf = (response: OperationResponse): OperationReply => {
    const { settle: _, ...reply } = response;
    noteOutcome(response.errors);
    const { area, cause, cost, areaMs } = requestScope()?.facts ?? {};
    return { ...reply, settlement: pending.add(response), facts: { area, cause, cost, areaMs } };
  };

  const settle = ({ outcomes }: SettleCall): void => {
    noteRequest({ isMinor: true });
    for (const { settlement, ...outcome } of outcomes) pending.settle(settlement, outcome);
  };

  const createHandler = () => createFramedCalls({ entryPoint, isMutation, replyOf, settle });
  const frames = acceptFrames(app.server, { key, nonces, log: app.log, createHandler });
  app.addHook('preClose', () => frames.drain());

  app.post('/internal/execute', async (request, reply): Promise<OperationReply> => {
    const signed = verifySignedRequest(request, key, nonces);
    if (signed === null) return reply.code(403).send();
    // Cast: only a bridge of this platform can sign a call.
    const call = signed.body as OperationCall;
    if (call.operation !== null && isMutation(call.operation) && !signed.mutation) return reply.code(403).send();
    // Cast: only a bridge of this platform can sign a call.
    const caller = JSON.parse(signed.subject) as Caller;
    noteRequest({ operation: call.operation ?? undefined });
    return replyOf(await entryPoint.execute({ ...call, caller, signal: clientSignal(reply) }));
  });

  const deferred = new WeakMap<FastifyRequest, DeferredOperation>();

  /** Admits the caller before the body is sent: `100 Continue` asks for it. */
  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
    const signed = verifySignedHeaders(request, key, nonces);
    if (signed?.mutation !== true) return reply.code(403).send();
    const proceed = (): void => (request.headers.expect === undefined ? undefined : reply.raw.writeContinue());
    // Cast: only a bridge of this platform can sign a call.
    const call = JSON.parse(signed.subject) as DeferredCall;
    noteRequest({ operation: call.operation });
    const operation = startDeferred(entryPoint, call, reply, proceed);
    deferred.set(request, operation);
    const rejection = await operation.rejection;
    return rejection === null ? undefined : reply.send(replyOf(rejection));
  }

  app.post(deferredPath, { onRequest: admit }, async (request, reply): Promise<OperationReply> => {
    const operation = deferred.get(request);
    const input = signedInput(request, key);
    if (operation === undefined || input === undefined) return reply.code(403).send();
    operation.provide(input);
    return replyOf(await operation.response);
  });

  // Node.js answers `Expect: 100-continue` automatically unless the server listens for it.
  app.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    if (request.url !== deferredPath) response.writeContinue();
    app.routing(request, response);
  });

  app.post('/internal/settle', async (request, reply) => {
    const signed = verifySignedRequest(request, key, nonces);
    if (signed === null) return reply.code(403).send();
    // Cast: only a bridge of this platform can sign a call.
    settle(signed.body as SettleCall);
    return {};
  });
  done();
};
