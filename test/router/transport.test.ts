/** Signed calls of a router to an area over HTTP. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createNonceMemory, verify } from '../../platform/security/signature.ts';
import { createHttpSubgraph } from '../../router/transport/http-subgraph.ts';
import { Problem } from '../../schema/errors.ts';
import { ANONYMOUS } from '../../schema/viewer.ts';

const key = Buffer.alloc(32, 7);

describe('an area over HTTP', () => {
  let behave: 'answer' | 'hang' | 'reset' | 'refuse' = 'answer';
  let requestCount = 0;
  const nonces = createNonceMemory();
  const server = createServer((request, response) => {
    requestCount++;
    if (behave === 'hang') return;
    if (behave === 'reset' && requestCount === 1) {
      request.socket.destroy();
      return;
    }
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const verification = verify({ key, method: 'POST', path: request.url ?? '', headers: request.headers, body, nonces });
      response.statusCode = verification.ok && behave !== 'refuse' ? 200 : 403;
      response.end(
        JSON.stringify({
          data: { a: null },
          errors: [{ message: 'no', path: ['list', '0', 'a'] }],
          extensions: { notes: { person: true } },
        }),
      );
    });
  });
  beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
  afterEach(() => {
    behave = 'answer';
    requestCount = 0;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const client = (deadlineMs = 10_000) =>
    createHttpSubgraph({
      area: 'athletes',
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      key,
      ticketKey: Buffer.alloc(32, 9),
      deadlineMs,
    });
  const request = (query: string, signal?: AbortSignal) => ({
    query,
    variables: {},
    operationName: null,
    viewer: ANONYMOUS,
    requestId: 'r',
    signal,
  });

  test('gets signed calls, and list indexes in error paths are numbers', async () => {
    const area = client();
    const reply = await area.query(request('{a}'));
    expect(reply.errors).toEqual([{ message: 'no', path: ['list', 0, 'a'] }]);
    expect(reply.extensions?.notes).toEqual({ person: true });
    await area.close?.();
  });

  test.each([
    ['hang', 'upstream_timeout'],
    ['refuse', 'upstream_unavailable'],
  ] as const)('an unresponsive area (%s) has its own error code: %s', async (behavior, code) => {
    behave = behavior;
    const area = client(behavior === 'hang' ? 300 : undefined);
    await expect(area.query(request('{a}'))).rejects.toMatchObject({ code });
  });

  test('a query is retried once after a connection reset, a mutation never', async () => {
    behave = 'reset';
    const area = client();
    expect((await area.query(request('{a}'))).data).toEqual({ a: null });
    expect(requestCount).toBe(2);
    requestCount = 0;
    await expect(area.query(request('mutation{a}'))).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(requestCount).toBe(1);
    await area.close?.();
  });

  test('a call ends at the deadline of its operation', async () => {
    behave = 'hang';
    const area = client();
    const call = { ...request('{a}'), deadlineMs: performance.now() + 250 };
    await expect(area.query(call)).rejects.toMatchObject({
      code: 'upstream_timeout',
      message: expect.stringMatching(/ 2\d\d ms/),
    });
  });

  test('a disconnecting client cancels the call', async () => {
    behave = 'hang';
    const leaving = new AbortController();
    setTimeout(() => leaving.abort(), 20);
    const call = { ...request('{a}', leaving.signal), deadlineMs: performance.now() + 60_000 };
    await expect(client().query(call)).rejects.toBeInstanceOf(Problem);
  });
});
