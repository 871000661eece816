/** The REST door on the wire: signed calls of bridges in other processes (platform/door-client.ts). */
import { randomUUID } from 'node:crypto';
import type { FastifyPluginCallback, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { DoorCall, DoorReply, SettleCall } from '../platform/door-client.ts';
import { createNonceMemory, verify } from '../platform/signature.ts';
import type { Caller, Door, DoorAnswer } from '../schema/door.ts';

export interface RestServerOptions {
  readonly door: Door;
  /** The key of the edge rest → router. */
  readonly key: Buffer;
  /** Whether a registered operation writes: then its call must have been signed as one. */
  readonly isMutation: (operation: string) => boolean;
}

/** Charges that may still be refunded: a bridge settles when it has answered, within seconds. */
const openSettlements = { max: 50_000, ttl: 60_000 };

/** `POST /internal/execute` and `POST /internal/settle`; whatever is not signed by a bridge is 403 and says nothing else. */
export const restServer: FastifyPluginCallback<RestServerOptions> = (app, { door, key, isMutation }, done) => {
  const nonces = createNonceMemory();
  const settlements = new LRUCache<string, DoorAnswer['settle']>(openSettlements);

  function accepted({ method, url, headers, body }: FastifyRequest): { caller: Caller; mutation: boolean } | null {
    if (!Buffer.isBuffer(body)) return null;
    const verdict = verify({ key, method, path: url, headers, body, nonces });
    return verdict.ok ? { caller: JSON.parse(verdict.subject) as Caller, mutation: verdict.mutation } : null;
  }

  // The signature is over the bytes, so they are parsed only after it was checked.
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer', bodyLimit: 16 * 1024 * 1024 }, (_request, body, parsed) =>
    parsed(null, body),
  );

  app.post('/internal/execute', async (request, reply): Promise<DoorReply> => {
    const signed = accepted(request);
    const call = signed === null ? null : (JSON.parse((request.body as Buffer).toString('utf8')) as DoorCall);
    if (signed === null || call === null) return reply.code(403).send();
    if (call.operation !== null && isMutation(call.operation) && !signed.mutation) return reply.code(403).send();
    const answer = await door.execute({ ...call, caller: signed.caller });
    const { data, errors, headers, keyed, notes } = answer;
    const settlement = randomUUID();
    settlements.set(settlement, (outcome) => answer.settle(outcome));
    return { data, errors, headers, keyed, notes, settlement };
  });

  app.post('/internal/settle', async (request, reply) => {
    if (accepted(request) === null) return reply.code(403).send();
    const { settlement, status } = JSON.parse((request.body as Buffer).toString('utf8')) as SettleCall;
    settlements.get(settlement)?.({ status });
    settlements.delete(settlement);
    return {};
  });
  done();
};
