/** How every part of the bench listens: on a free port of the loopback. */
import type { FastifyInstance } from 'fastify';
import type { OpenPart } from '../part.ts';

/** Listens; closing closes the server, then what it used. */
export async function listen(app: FastifyInstance, closeables: readonly { close(): Promise<void> }[]): Promise<OpenPart> {
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    async close() {
      await app.close();
      for (const closeable of closeables) await closeable.close();
    },
  };
}
