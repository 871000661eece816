/** The REST door on the wire: signed calls of bridges in other processes (platform/http/entry-point-client.ts). */
import type { FastifyPluginCallback } from 'fastify';
import type { OperationCall, OperationReply, SettleCall } from '../platform/http/entry-point-client.ts';
import { createNonceMemory } from '../platform/security/signature.ts';
import { verifySignedRequest, parseBodiesAsText } from '../platform/http/signed-request.ts';
import type { Caller, EntryPoint } from '../schema/entry-point.ts';
import { createOpenAnswers } from './open-answers.ts';

export interface RestServerOptions {
  readonly door: EntryPoint;
  /** The key of the edge rest → router. */
  readonly key: Buffer;
  /** Whether a registered operation writes: then its call must have been signed as one. */
  readonly isMutation: (operation: string) => boolean;
}

const bodyLimitBytes = 16 * 1024 * 1024;

/** `POST /internal/execute` and `POST /internal/settle`; whatever is not signed by a bridge is 403 and says nothing else. */
export const restServer: FastifyPluginCallback<RestServerOptions> = (app, { door, key, isMutation }, done) => {
  const nonces = createNonceMemory();
  const open = createOpenAnswers();
  app.addHook('onClose', () => open.close());

  parseBodiesAsText(app, bodyLimitBytes);

  app.post('/internal/execute', async (request, reply): Promise<OperationReply> => {
    const signed = verifySignedRequest(request, key, nonces);
    if (signed === null) return reply.code(403).send();
    const call = signed.body as OperationCall;
    if (call.operation !== null && isMutation(call.operation) && !signed.mutation) return reply.code(403).send();
    const answer = await door.execute({ ...call, caller: JSON.parse(signed.subject) as Caller });
    const { data, errors, headers, keyed, notes } = answer;
    return { data, errors, headers, keyed, notes, settlement: open.keep(answer) };
  });

  app.post('/internal/settle', async (request, reply) => {
    const signed = verifySignedRequest(request, key, nonces);
    if (signed === null) return reply.code(403).send();
    const { outcomes } = signed.body as SettleCall;
    for (const { settlement, ...told } of outcomes) open.settle(settlement, told);
    return {};
  });
  done();
};
