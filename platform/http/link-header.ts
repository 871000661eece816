/** The Link header (RFC 8288), to which several parts of the server add. */
import type { FastifyReply } from 'fastify';

/** Adds an entry to the Link header. */
export function addLink(reply: FastifyReply, link: string): FastifyReply {
  const set = reply.getHeader('link');
  return reply.header('link', typeof set === 'string' ? `${set}, ${link}` : link);
}
