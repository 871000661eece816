/** Calls to the URLs of users: servers that are slow, endless, invalid or hostile end a call, never the process or other calls. */
import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { createOutgoingClient, type OutgoingCall } from '../../platform/http/outgoing-client.ts';
import { eventually } from '../eventually.ts';
import { certificate, certificateKey } from './test-certificate.ts';

const client = createOutgoingClient({ allowLocal: true });
const servers: Server[] = [];
const sockets = new Set<Socket>();

/** Starts a server and returns its port. */
async function start(server: Server): Promise<number> {
  servers.push(server);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

const http = async (listener: RequestListener): Promise<string> => `http://127.0.0.1:${await start(createHttpServer(listener))}/`;
/** A server that gets the socket after the first bytes of the request. */
const raw = async (respond: (socket: Socket) => void): Promise<string> =>
  `http://127.0.0.1:${await start(createServer((socket) => void socket.once('data', () => respond(socket))))}/`;
const repeat = (socket: Socket, text: string, everyMs: number, first = text): void => {
  socket.write(first);
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.on('close', () => clearInterval(timer));
};
const call: OutgoingCall = { headers: { 'content-type': 'application/json' }, body: '{"a":1}', timeoutMs: 2_000 };
const short: OutgoingCall = { ...call, timeoutMs: 200 };

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});
afterAll(() => client.close());

describe('a call', () => {
  test('sends the body and the headers, and returns the status, the time and the start of the response', async () => {
    let body = '';
    let type: string | undefined;
    const url = await http((request, response) => {
      type = request.headers['content-type'];
      request.on('data', (part: Buffer) => (body += part.toString()));
      request.on('end', () => response.writeHead(503, { 'retry-after': '120' }).end('later \0 \u{1f3c0}'));
    });
    const response = await client.post(`${url}hooks?team=1`, call);
    expect(response).toEqual({
      status: 503,
      retryAfter: '120',
      bodyStart: 'later \ufffd \u{1f3c0}',
      durationMs: expect.any(Number),
    });
    expect({ body, type }).toEqual({ body: '{"a":1}', type: 'application/json' });
  });

  test('does not follow a redirect, also not to the metadata of a cloud', async () => {
    const paths: (string | undefined)[] = [];
    const url = await http((request, response) => {
      paths.push(request.url);
      response
        .writeHead(307, { location: request.url === '/' ? 'http://169.254.169.254/latest/meta-data/' : '/elsewhere' })
        .end();
    });
    expect(await client.post(url, call)).toMatchObject({ status: 307, bodyStart: '' });
    expect(await client.post(`${url}own`, call)).toMatchObject({ status: 307 });
    expect(paths).toEqual(['/', '/own']);
  });

  test('reads the start of an endless body only, and ends the connection', async () => {
    let written = 0;
    let ended = false;
    const url = await raw((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const part = Buffer.alloc(64 * 1024, 'é');
      const write = (): void => {
        while (!socket.destroyed && (written += part.length) < 1e9 && socket.write(part));
      };
      socket.on('drain', write).on('close', () => (ended = true));
      write();
    });
    const { status, bodyStart } = await client.post(url, call);
    expect({ status, bodyStart }).toEqual({ status: 200, bodyStart: 'é'.repeat(512) });
    await eventually(async () => expect(await Promise.resolve(ended)).toBe(true));
    expect(written).toBeLessThan(16 * 1024 * 1024);
  });

  test('keeps its connection for the next call to the origin', async () => {
    const ports = new Set<number | undefined>();
    const url = await http((request, response) => {
      ports.add(request.socket.remotePort);
      response.writeHead(204).end();
    });
    for (let count = 0; count < 10; count += 1) expect(await client.post(url, call)).toMatchObject({ status: 204 });
    // undici returns a response a moment before its connection is free again
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  test('ends with the reason of its signal, also while it waits for other calls', async () => {
    const url = await raw(() => undefined);
    const leaving = new AbortController();
    const calls = Array.from({ length: 40 }, () => client.post(url, { ...call, signal: leaving.signal }));
    setTimeout(() => leaving.abort(new Error('stopping')), 50);
    for (const result of await Promise.allSettled(calls)) expect(result).toMatchObject({ reason: { message: 'stopping' } });
    await expect(client.post(url, { ...call, signal: leaving.signal })).rejects.toThrow('stopping');
  });
});

describe('a call ends at its time limit if the server', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['never responds', () => undefined],
    ['sends its headers slowly', (socket) => repeat(socket, 'a: b\r\n', 20, 'HTTP/1.1 200 OK\r\n')],
    ['sends its body slowly', (socket) => repeat(socket, '.', 20, 'HTTP/1.1 200 OK\r\n\r\n')],
    ['announces a body and sends none', (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n')],
  ])('%s', async (_, respond) => {
    await expect(client.post(await raw(respond), short)).rejects.toMatchObject({
      kind: 'TIMEOUT',
      message: 'The endpoint did not respond within 200 ms.',
    });
  });

  test('accepts the connection and never answers the TLS handshake', async () => {
    const port = await start(createServer(() => undefined));
    await expect(client.post(`https://127.0.0.1:${port}/`, short)).rejects.toMatchObject({ kind: 'TIMEOUT' });
  });
});

describe('a call is an error of kind RESPONSE if the server', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['closes the connection', (socket) => void socket.end()],
    ['resets the connection', (socket) => void socket.resetAndDestroy()],
    ['ends in the middle of the body', (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc')],
    ['sends no HTTP', (socket) => void socket.end('220 mail.example.com ESMTP\r\n')],
    ['sends a header of 1 MB', (socket) => void socket.write(`HTTP/1.1 200 OK\r\na: ${'b'.repeat(1_000_000)}\r\n\r\n`)],
    ['sends 10,000 headers', (socket) => void socket.write(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(10_000)}\r\n`)],
    ['sends 100 Continue again and again', (socket) => repeat(socket, 'HTTP/1.1 100 Continue\r\n\r\n', 1)],
    ['sends 103 Early Hints again and again', (socket) => repeat(socket, 'HTTP/1.1 103 Early Hints\r\na: b\r\n\r\n', 1)],
    ['sends two lengths', (socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab')],
  ])('%s', async (_, respond) => {
    await expect(client.post(await raw(respond), call)).rejects.toMatchObject({ kind: 'RESPONSE' });
  });
});

test('a call is an error of kind CONNECT if the server is down', async () => {
  const port = await start(createServer());
  await new Promise((resolve) => servers.pop()?.close(resolve));
  await expect(client.post(`http://127.0.0.1:${port}/`, call)).rejects.toMatchObject({
    kind: 'CONNECT',
    message: 'No connection to 127.0.0.1 (ECONNREFUSED).',
  });
});

describe('a call over TLS', () => {
  const https = async (): Promise<number> =>
    start(createHttpsServer({ key: certificateKey, cert: certificate }, (_, response) => void response.writeHead(204).end()));

  test('is an error of kind TLS without a trusted certificate of the host, or without TLS', async () => {
    await expect(client.post(`https://localhost:${await https()}/`, call)).rejects.toMatchObject({
      kind: 'TLS',
      message: 'The TLS handshake with localhost failed (DEPTH_ZERO_SELF_SIGNED_CERT).',
    });
    const plain = await http((_, response) => void response.end());
    await expect(client.post(plain.replace('http', 'https'), call)).rejects.toMatchObject({ kind: 'TLS' });
  });

  test('succeeds with a trusted certificate, and only for the names of the certificate', async () => {
    const authorities = getCACertificates('default');
    setDefaultCACertificates([...authorities, certificate]);
    try {
      const port = await https();
      expect(await client.post(`https://localhost:${port}/`, call)).toMatchObject({ status: 204 });
      await expect(client.post(`https://127.0.0.1:${port}/`, call)).rejects.toMatchObject({
        kind: 'TLS',
        message: 'The TLS handshake with 127.0.0.1 failed (ERR_TLS_CERT_ALTNAME_INVALID).',
      });
    } finally {
      setDefaultCACertificates(authorities);
    }
  });
});

test('an origin that hangs holds 32 connections, and calls to fifty others are not delayed', async () => {
  let connections = 0;
  const hanging = await start(createServer(() => (connections += 1)));
  const stop = new AbortController();
  const slow = Array.from({ length: 300 }, () => client.post(`http://127.0.0.1:${hanging}/`, { ...call, signal: stop.signal }));
  let endedCount = 0;
  const ended = Promise.all(slow.map((each) => each.catch(() => undefined).finally(() => (endedCount += 1))));
  await eventually(async () => expect(await Promise.resolve(connections)).toBe(32));
  const fast = await Promise.all(Array.from({ length: 50 }, () => http((_, response) => void response.writeHead(204).end())));
  await Promise.all(fast.map((url) => client.post(url, call)));
  expect(endedCount).toBe(0);
  expect(connections).toBe(32);
  stop.abort(new Error('stopping'));
  await ended;
});

test('closing waits for the calls in progress', async () => {
  const closing = createOutgoingClient({ allowLocal: true });
  const url = await http((_, response) => setTimeout(() => response.writeHead(204).end(), 100));
  const response = closing.post(url, call);
  await closing.close();
  expect(await response).toMatchObject({ status: 204 });
  await eventually(async () => expect(await Promise.resolve(sockets.size)).toBe(0));
});
