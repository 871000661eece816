/** Calls of a REST bridge to the router in another process. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { deferredPath } from '../../platform/http/deferred-peer.ts';
import { createEntryPointClient } from '../../platform/http/entry-point-client.ts';
import { sign, signBody } from '../../platform/security/signature.ts';
import { restServer } from '../../router/rest/server.ts';
import type { Caller, EntryPoint, OperationResponse } from '../../schema/entry-point.ts';

const key = Buffer.alloc(32, 7);
const caller: Caller = { credentials: ['k'], address: '127.0.0.1', host: 'localhost', requestId: 'r1', traceparent: null };

describe.each(['framed connections', 'HTTP'])('the REST entry point over %s', (transport) => {
  const settled: number[] = [];
  const entryPoint: EntryPoint = {
    async execute({ operation, input, caller: { credentials } }) {
      const settle: OperationResponse['settle'] = ({ status }) => void settled.push(status);
      const reply = { data: null, errors: [], headers: { ratelimit: 'x' }, authenticated: true, notes: {}, settle };
      if (credentials.includes('denied')) {
        const denied = { message: 'Invalid API key.', extensions: { code: 'api_key_invalid' } };
        return { ...reply, errors: [denied] };
      }
      const ready = typeof input === 'function' ? await input() : input;
      return ready === null ? reply : { ...reply, data: { operation, ...ready.variables, credentials } };
    },
  };
  const app = Fastify();
  const calls: string[] = [];
  app.addHook('onRequest', ({ url: path }, _reply, done) => {
    calls.push(path);
    done();
  });
  let url = '';
  beforeAll(async () => {
    await app.register(restServer, { entryPoint, key, isMutation: (id) => id.startsWith('create') });
    await app.ready();
    // a router of an earlier version
    if (transport === 'HTTP') app.server.removeAllListeners('upgrade');
    url = await app.listen({ port: 0, host: '127.0.0.1' });
  });
  afterAll(() => app.close());

  test('transfers the caller, the response with its headers, and the outcome', async () => {
    const client = createEntryPointClient({ url, key, isMutation: (id) => id.startsWith('create') });
    const reply = await client.execute({
      operation: 'createOne',
      input: { document: 'createOne', variables: { a: 1 } },
      caller,
    });
    expect(reply).toMatchObject({
      data: { operation: 'createOne', a: 1, credentials: ['k'] },
      headers: { ratelimit: 'x' },
      authenticated: true,
    });
    reply.settle({ status: 200 });
    const second = await client.execute({ operation: 'list', input: { document: 'list', variables: {} }, caller });
    second.settle({ status: 503 });
    await client.execute({ operation: 'list', input: { document: 'list', variables: {} }, caller });
    // pending outcomes are reported before the client closes
    await client.close();
    expect(settled).toEqual([200, 503]);
  });

  test('a call without a signature of a bridge, or a write signed as a read, runs nothing', async () => {
    const unsigned = await app.inject({
      method: 'POST',
      url: '/internal/execute',
      payload: { operation: 'list', input: null },
    });
    expect([unsigned.statusCode, unsigned.body]).toEqual([403, '']);
    const lying = createEntryPointClient({ url, key, isMutation: () => false });
    expect(
      (await lying.execute({ operation: 'createOne', input: { document: 'createOne', variables: {} }, caller })).errors[0]
        ?.extensions.code,
    ).toBe('upstream_unavailable');
    const foreign = createEntryPointClient({ url, key: Buffer.alloc(32, 8), isMutation: () => false });
    expect(
      (await foreign.execute({ operation: 'list', input: { document: 'list', variables: {} }, caller })).errors,
    ).toHaveLength(1);
    await Promise.all([lying.close(), foreign.close()]);
  });

  describe('with an input that is read after admission', () => {
    const open = (edge = key) => createEntryPointClient({ url, key: edge, isMutation: () => true });
    const input = { document: 'createOne', variables: { a: 1, text: 'ü'.repeat(100_000) } };

    test('executes the input in the same call that admits the caller', async () => {
      const client = open();
      calls.length = 0;
      let reads = 0;
      const read = () => {
        reads++;
        return Promise.resolve(input);
      };
      const response = await client.execute({ operation: 'createOne', input: read, caller });
      expect(response.data).toEqual({ operation: 'createOne', ...input.variables, credentials: ['k'] });
      expect([calls, reads]).toEqual([transport === 'HTTP' ? ['/frames', '/internal/execute-deferred'] : [], 1]);
      // the connection is reused
      await Promise.all([1, 2, 3].map(() => client.execute({ operation: 'createOne', input: read, caller })));
      expect(reads).toBe(4);
      await client.close();
    });

    test('never reads the input of a denied caller', async () => {
      const client = open();
      const read = () => Promise.reject(new Error('read'));
      const response = await client.execute({
        operation: 'createOne',
        input: read,
        caller: { ...caller, credentials: ['denied'] },
      });
      expect(response).toMatchObject({ errors: [{ extensions: { code: 'api_key_invalid' } }], headers: { ratelimit: 'x' } });
      // the client sends the next call over a connection in a known state
      const next = await client.execute({ operation: 'createOne', input: () => Promise.resolve(input), caller });
      expect(next.data).toMatchObject({ a: 1 });
      await client.close();
    });

    test('executes nothing for a rejected input', async () => {
      const client = open();
      const response = await client.execute({ operation: 'createOne', input: () => Promise.resolve(null), caller });
      expect(response).toMatchObject({ data: null, errors: [], headers: { ratelimit: 'x' } });
      await client.close();
    });

    test('rejects a call with another key, a changed body and a replay', async () => {
      const foreign = open(Buffer.alloc(32, 8));
      const response = await foreign.execute({ operation: 'createOne', input: () => Promise.resolve(input), caller });
      expect(response.errors[0]?.extensions.code).toBe('upstream_unavailable');
      await foreign.close();
      const subject = JSON.stringify({ caller, operation: 'createOne' });
      const headers = sign({ key, method: 'POST', path: deferredPath, subject, body: '', mutation: true });
      const nonce = headers['x-edge-nonce'] ?? '';
      const send = (body: string) =>
        fetch(url + deferredPath, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body });
      const body = JSON.stringify(input);
      expect((await send(`${signBody(key, nonce, body)}\n${body.replace('1', '2')}`)).status).toBe(403);
      expect((await send(`${signBody(key, nonce, body)}\n${body}`)).status).toBe(403);
    });
  });

  test('an unavailable router is a response with an error', async () => {
    const client = createEntryPointClient({ url: 'http://127.0.0.1:1', key, isMutation: () => false });
    expect(
      (await client.execute({ operation: 'list', input: { document: 'list', variables: {} }, caller })).errors[0]?.extensions
        .code,
    ).toBe('upstream_unavailable');
    await client.close();
  });
});
