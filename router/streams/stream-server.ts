/** Streams for REST bridges in other processes (platform/http/stream-client.ts). */
import type { FastifyPluginCallback } from 'fastify';
import { clientSignal } from '../../platform/http/client-signal.ts';
import { parseBodiesAsText, verifySignedRequest } from '../../platform/http/signed-request.ts';
import { replyHeader, streamPath, type StreamCall, type StreamReply } from '../../platform/http/stream-client.ts';
import { createNonceMemory } from '../../platform/security/signature.ts';
import type { Caller, EventStreams, GraphError } from '../../schema/entry-point.ts';
import { errors, isErrorCode } from '../../schema/errors.ts';
import { reportedError } from '../../schema/reported-error.ts';

export interface StreamServerOptions {
  readonly eventStreams: EventStreams;
  /** The key of the edge rest → router. */
  readonly key: Buffer;
}

function statusOf([error]: readonly GraphError[]): number {
  const code = error?.extensions.code;
  return isErrorCode(code) ? errors[code].status : 500;
}

const bodyLimitBytes = 64 * 1024;

/** `POST /internal/stream`. A call without a valid signature gets an empty 403. */
export const streamServer: FastifyPluginCallback<StreamServerOptions> = (app, { eventStreams, key }, done) => {
  const nonces = createNonceMemory();
  parseBodiesAsText(app, bodyLimitBytes);
  app.addHook('preClose', (closed) => {
    eventStreams.close();
    closed();
  });
  app.post(streamPath, async (request, reply) => {
    const signed = verifySignedRequest(request, key, nonces);
    if (signed === null) return reply.code(403).send();
    // Cast: only a bridge of this platform can sign a call.
    const [caller, call] = [JSON.parse(signed.subject) as Caller, signed.body as StreamCall];
    const { start, settle, ...response } = await eventStreams.open({ ...call, caller, signal: clientSignal(reply) });
    const body: StreamReply = response;
    if (start === null) {
      // the bridge sends the rejection with the status of its code
      settle({ status: statusOf(response.errors), error: reportedError(response.errors[0]) });
      return reply.send(body);
    }
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream', [replyHeader]: JSON.stringify(body) });
    start(reply.raw);
  });
  done();
};
