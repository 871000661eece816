/** A signal for the work of a request, aborted when its client disconnects. */
import type { FastifyReply } from 'fastify';

/** Aborted when the connection closes before the response was sent completely. */
export function clientSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    // also emitted after a complete response, and each abort creates an error with a stack
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}
