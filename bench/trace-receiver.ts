/** Receives the traces of contenders and discards them. */
import { once } from 'node:events';
import { createServer } from 'node:http';

/** Returns its address; `resources` closes it. */
export async function openTraceReceiver(resources: AsyncDisposableStack): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.setHeader('content-type', 'application/json').end('{}'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  resources.defer(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
}
