/** Streams that a REST bridge passes on from a router in another process. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { createStreamClient, replyHeader } from '../../platform/http/stream-client.ts';
import { caller } from '../router/admission-platform.ts';

test('a stream whose router sends nothing more, not even heartbeats, ends so that the client connects again', async () => {
  const router = createServer((_, response) => {
    response.writeHead(200, { [replyHeader]: JSON.stringify({ errors: [], headers: {} }) });
    response.write(': heartbeat\n\n');
  }).listen(0, '127.0.0.1');
  await once(router, 'listening');
  const url = `http://127.0.0.1:${(router.address() as AddressInfo).port}`;
  const client = createStreamClient({ url, key: Buffer.alloc(32), silenceMs: 200 });
  const { start } = await client.open({ caller: caller(), operation: 'listEvents', filter: {}, cursor: null });
  const output = new PassThrough();
  start?.(output);
  expect(await text(output)).toMatch(/^: heartbeat\n\nretry: \d+\n: the connection to the router was lost\n\n$/);
  client.close();
  router.closeAllConnections();
  router.close();
});
