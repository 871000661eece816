/** Calls to another process that restarts, hangs, rejects the call or returns an invalid response. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createPeer, type Peer, type PeerOptions } from '../../platform/http/peer.ts';
import { createLog } from '../../platform/log.ts';
import { createService, listen } from '../../platform/http/service.ts';
import { createNonceMemory, sign } from '../../platform/security/signature.ts';
import { verifySignedRequest, parseBodiesAsText } from '../../platform/http/signed-request.ts';

const key = Buffer.alloc(32, 3);
let nonces: string[] = [];
let respond: (request: IncomingMessage, response: ServerResponse) => void;
const server = createServer((request, response) => {
  nonces.push(String(request.headers['x-edge-nonce']));
  respond(request, response);
});
const peers: Peer[] = [];
const peer = (options: Partial<PeerOptions> = {}): Peer => {
  const { port } = server.address() as AddressInfo;
  const created = createPeer({ name: 'The other', url: `http://127.0.0.1:${port}`, key, deadlineMs: 300, ...options });
  peers.push(created);
  return created;
};
const call = { path: '/graphql', subject: 'me', payload: { a: 1 }, mutation: false, requestId: 'r' };
const resetFirst: typeof respond = (request, response) => {
  if (nonces.length === 1) request.socket.destroy();
  else response.end('{"ok":true}');
};

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterEach(async () => {
  nonces = [];
  server.closeAllConnections();
  for (const each of peers.splice(0)) await each.close();
});
afterAll(() => void server.close());

describe('a call to another process', () => {
  test('is repeated once with a new signature if it is a query and the connection is reset', async () => {
    respond = resetFirst;
    expect(await peer().post(call)).toMatchObject({ status: 200, body: { ok: true } });
    expect(new Set(nonces).size).toBe(2);
    respond = (request) => request.socket.destroy();
    nonces = [];
    await expect(peer().post(call)).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(nonces).toHaveLength(2);
  });

  test('is never repeated if it is a mutation', async () => {
    respond = resetFirst;
    await expect(peer().post({ ...call, mutation: true })).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(nonces).toHaveLength(1);
  });

  test('ends at the deadline, even while the response trickles in', async () => {
    respond = (_request, response) => {
      response.write('{"ok":');
      const drip = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(drip));
    };
    await expect(peer().post(call)).rejects.toMatchObject({
      code: 'upstream_timeout',
      message: 'The other did not respond within 300 ms.',
    });
    expect(nonces).toHaveLength(1);
  });

  test('is canceled with its signal and not repeated', async () => {
    const leaving = new AbortController();
    // once the request has arrived
    respond = () => leaving.abort();
    await expect(peer().post({ ...call, signal: leaving.signal })).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(nonces).toHaveLength(1);
  });

  test('ends at its own time limit, if that is earlier than the limit of the peer', async () => {
    respond = () => undefined;
    await expect(peer().post({ ...call, timeoutMs: 50 })).rejects.toMatchObject({
      code: 'upstream_timeout',
      message: 'The other did not respond within 50 ms.',
    });
  });

  test('fails at the size limit without reading the rest of the response', async () => {
    let written = 0;
    const closed = Promise.withResolvers<undefined>();
    respond = (_request, response) => {
      const part = Buffer.alloc(1024 * 1024, ' ');
      const write = (): void => {
        while (!response.destroyed && written < 200) {
          written += 1;
          if (!response.write(part)) return void response.once('drain', write);
        }
      };
      response.once('close', () => closed.resolve(undefined));
      write();
    };
    const small = peer({ deadlineMs: 10_000, maxResponseBytes: 1024 * 1024 });
    await expect(small.post(call)).rejects.toMatchObject({ code: 'upstream_unavailable' });
    await closed.promise;
    expect(written).toBeLessThan(100);
    expect(nonces).toHaveLength(1);
  });

  test('is repeated only within the retry budget: ten times, then once per five calls', async () => {
    respond = (request) => request.socket.destroy();
    const one = peer();
    for (let calls = 0; calls < 40; calls += 1) await one.post(call).catch(() => undefined);
    // 40 calls, and 10 + 40 / 5 retries
    expect(nonces.length).toBeLessThanOrEqual(58);
    expect(nonces.length).toBeGreaterThanOrEqual(56);
  });

  test('fails if the response is not JSON', async () => {
    respond = (_request, response) => void response.end('<html>');
    await expect(peer().post(call)).rejects.toMatchObject({ code: 'upstream_unavailable' });
  });
});

describe('a call from another process', () => {
  test('is rejected with a reason in the log but not in the response', async () => {
    const lines: string[] = [];
    const log = createLog({ name: 'test', level: 'warn', destination: { write: (line: string) => void lines.push(line) } });
    await using app = createService({ log });
    const nonces = createNonceMemory();
    parseBodiesAsText(app, 1_000);
    app.post('/graphql', (request, reply) => verifySignedRequest(request, key, nonces) ?? reply.code(403).send());
    const url = await listen(app, { host: '127.0.0.1', port: 0 });
    const send = async (headers: Record<string, string>): Promise<(string | number)[]> => {
      const sent = await fetch(`${url}/graphql`, {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json', ...headers },
      });
      return [sent.status, await sent.text(), lines.splice(0).join('')];
    };
    const signed = { key, method: 'POST', path: '/graphql', subject: 'me', body: '{}', mutation: false };
    expect(await send(sign(signed, Date.now() - 61_000))).toEqual([
      403,
      '',
      expect.stringContaining('synchronize the clocks of both machines'),
    ]);
    expect(await send(sign({ ...signed, key: Buffer.alloc(32) }))).toEqual([403, '', expect.stringContaining('another key')]);
    expect(await send({})).toEqual([403, '', expect.stringContaining('no signature')]);
    expect((await send(sign(signed)))[0]).toBe(200);
  });
});
