/** The REST entry point over HTTP: signed calls of bridges in other processes (platform/http/entry-point-client.ts). */
import type { FastifyPluginCallback } from 'fastify';
import type { OperationCall, OperationReply, SettleCall } from '../../platform/http/entry-point-client.ts';
import { createNonceMemory } from '../../platform/security/signature.ts';
import { verifySignedRequest, parseBodiesAsText } from '../../platform/http/signed-request.ts';
import type { Caller, EntryPoint } from '../../schema/entry-point.ts';
import { createPendingResponses } from './pending-responses.ts';

export interface RestServerOptions {
  readonly entryPoint: EntryPoint;
  /** The key of the edge rest → router. */
  readonly key: Buffer;
  /** Whether a registered operation is a mutation, whose call must be signed as one. */
  readonly isMutation: (operation: string) => boolean;
}

const bodyLimitBytes = 16 * 1024 * 1024;

/** `POST /internal/execute` and `POST /internal/settle`. A call without a valid signature gets an empty 403. */
export const restServer: FastifyPluginCallback<RestServerOptions> = (app, { entryPoint, key, isMutation }, done) => {
  const nonces = createNonceMemory();
  const pending = createPendingResponses();
  app.addHook('onClose', () => pending.close());

  parseBodiesAsText(app, bodyLimitBytes);

  // the casts below: only a bridge of this platform can sign a call, and its types are these
  app.post('/internal/execute', async (request, reply): Promise<OperationReply> => {
    const signed = verifySignedRequest(request, key, nonces);
    if (signed === null) return reply.code(403).send();
    const call = signed.body as OperationCall;
    if (call.operation !== null && isMutation(call.operation) && !signed.mutation) return reply.code(403).send();
    const response = await entryPoint.execute({ ...call, caller: JSON.parse(signed.subject) as Caller });
    const { data, errors, headers, authenticated, notes } = response;
    return { data, errors, headers, authenticated, notes, settlement: pending.add(response) };
  });

  app.post('/internal/settle', async (request, reply) => {
    const signed = verifySignedRequest(request, key, nonces);
    if (signed === null) return reply.code(403).send();
    const { outcomes } = signed.body as SettleCall;
    for (const { settlement, ...outcome } of outcomes) pending.settle(settlement, outcome);
    return {};
  });
  done();
};
