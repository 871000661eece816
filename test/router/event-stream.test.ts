/** Event streams of subscriptions whose clients do not read. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { createEventStreams, type EventStream } from '../../router/subscriptions/event-stream.ts';

const app = Fastify();
const streams = createEventStreams();
const opened: { stream: EventStream; closed: Promise<unknown> }[] = [];
let port = 0;

beforeAll(async () => {
  app.get('/stream', (_, reply) => {
    const closing = Promise.withResolvers<null>();
    opened.push({ stream: streams.open(reply, { ratelimit: 'x' }, () => closing.resolve(null)), closed: closing.promise });
    return reply;
  });
  port = Number(new URL(await app.listen({ port: 0 })).port);
});
afterAll(() => app.close());

test('a client that does not read is disconnected, and what waits for it is bounded', async () => {
  const socket = connect(port, 'localhost');
  socket.write('GET /stream HTTP/1.1\r\nhost: localhost\r\n\r\n');
  await once(socket, 'readable');
  // nothing is read from here on
  const [own] = opened;
  if (own === undefined) throw new Error('the stream is not open');
  const chunk = Buffer.alloc(64 * 1024, 'x');
  let written = 0;
  const state = { isClosed: false };
  void own.closed.then(() => (state.isClosed = true));
  while (!state.isClosed && written < 1_000) {
    own.stream.write(chunk);
    written += 1;
    await new Promise(setImmediate);
  }
  expect(state.isClosed).toBe(true);
  // the buffers of both sockets, and 256 KiB
  expect(written * chunk.length).toBeLessThan(32 * 1024 * 1024);
  own.stream.write(chunk);
  socket.destroy();
});
