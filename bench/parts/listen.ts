/** Listens on a free port of the loopback interface, the same for every part of the benchmark. */
import type { FastifyInstance } from 'fastify';
import type { OpenPart } from '../part.ts';

/** Listens. `close` closes the server first, then its resources. */
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
