/** What operations with @defer and @stream cost, their limits, and which of them are valid. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { pino } from 'pino';
import { limitConnections } from '../../platform/http/connection-limits.ts';
import type { PartBatch } from '../../router/executor/executor.ts';
import { sendInParts } from '../../router/graphql/incremental-response.ts';
import { eventually } from '../eventually.ts';
import { partsOf } from './parts-reader.ts';
import { deferAccept, openSmallApi, type SmallApi } from './small-api.ts';

let api: SmallApi;
beforeAll(async () => void (api = await openSmallApi()));
afterAll(() => api.close());

const squad = '{ organization(id: "1") { name ... @defer(label: "squad") { athletes { displayName } } } }';

describe('limits', () => {
  test('an operation costs the same as without these directives, once', async () => {
    const list = (directive: string): string =>
      `{ organizations(first: 100) { nodes { id athletes { id organization { id } } ... ${directive} { name } } } }`;
    api.charged.length = 0;
    await (await api.send(list(''))).text();
    const [cost, ...others] = api.charged;
    expect({ cost, others }).toEqual({ cost: expect.any(Number), others: [] });
    await api.allOf(list('@defer'));
    expect(api.charged).toEqual([cost, cost]);
  });

  test('all requests of an operation have one deadline', async () => {
    api.platform.fetches.length = 0;
    await api.allOf(squad);
    expect(api.platform.fetches.map(({ area }) => area)).toEqual(['organizations', 'athletes']);
    expect(new Set(api.platform.fetches.map(({ deadlineMs }) => deadlineMs)).size).toBe(1);
  });

  test('a client that leaves cancels what is still being fetched', async () => {
    const released = Promise.withResolvers<undefined>();
    api.platform.held.set('athletes', released.promise);
    api.platform.fetches.length = 0;
    const leaving = new AbortController();
    const parts = partsOf(await api.send(squad, {}, deferAccept, leaving.signal));
    await parts.next();
    leaving.abort();
    await eventually(() => Promise.resolve(expect(api.platform.fetches[1]?.signal?.aborted).toBe(true)));
    released.resolve(undefined);
    api.platform.held.clear();
  });

  test('a client that does not read stops the making of parts, and is disconnected', async () => {
    const made = { batches: 0, isEnded: false };
    const largeBatches = async function* (): AsyncGenerator<PartBatch> {
      try {
        for (;;) {
          made.batches += 1;
          const data = { text: 'x'.repeat(1024 * 1024) };
          const part = { id: '0', path: [], label: null, result: { kind: 'DATA', data }, errors: [] } as const;
          yield await Promise.resolve({ delivered: [part], announced: [], hasNext: true });
        }
      } finally {
        made.isEnded = true;
      }
    };
    const announced = [{ id: '0', path: [], label: null }];
    const app = Fastify();
    limitConnections(app, { stalledTimeoutMs: 300 });
    app.get('/', (_, reply) => {
      const later = { announced, batches: largeBatches(), fetched: Promise.resolve() };
      return sendInParts(reply, '{"data":{}}', { format: 'DEFER_20220824', later }, pino({ level: 'silent' }));
    });
    const socket = connect(Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await eventually(() => Promise.resolve(expect(made.isEnded).toBe(true)));
    // what fits into the buffers of both sockets
    expect(made.batches).toBeGreaterThan(0);
    expect(made.batches).toBeLessThan(20);
    socket.destroy();
    await app.close();
  });

  test('an operation with too many points for its fragments gets one response', async () => {
    const fragments = Array.from({ length: 11 }, () => '... @defer { name }').join(' ');
    const list = (first: number): string => `{ organizations(first: ${first}) { nodes { id athletes { id } ${fragments} } } }`;
    expect((await api.send(list(100))).headers.get('content-type')).toMatch(/^multipart/);
    expect((await api.send(list(100).replaceAll('athletes', 'a: athletes { id } athletes'))).headers.get('content-type')).toMatch(
      /json/,
    );
  });

  test.each([
    ['50 fragments are accepted', 50, 200],
    ['more are rejected', 51, 400],
  ])('%s', async (_, count, status) => {
    const fragments = Array.from({ length: count }, (_each, index) => `... @defer(label: "${index}") { name }`);
    const accept = 'multipart/mixed, application/graphql-response+json';
    const response = await api.send(`{ organization(id: "1") { ${fragments.join(' ')} } }`, {}, accept);
    expect(response.status).toBe(status);
    const text = await response.text();
    if (status !== 200) expect(text).toMatch('query_too_complex');
  });
});

describe('validation', () => {
  test.each([
    [
      'two fragments with one label',
      '{ ... @defer(label: "a") { __typename } ... @defer(label: "a") { __typename } }',
      /used twice/,
    ],
    ['a variable as a label', 'query ($label: String) { ... @defer(label: $label) { __typename } }', /not a variable/],
    ['a long label', `{ ... @defer(label: "${'a'.repeat(101)}") { __typename } }`, /at most 100 characters/],
    ['@stream on an object', '{ organization(id: "1") @stream { name } }', /lists only/],
    ['a negative number of items', '{ named @stream(initialCount: -1) { name } }', /at least 0/],
    [
      '@defer on root fields of a mutation',
      'mutation { ... @defer { createOrganization(input: {name: "A"}) { id } } }',
      /root fields of a mutation/,
    ],
  ])('%s is rejected', async (_, query, message) => {
    const { errors } = (await (await api.send(query)).json()) as { errors: { message: string; extensions: { code: string } }[] };
    expect(errors[0]?.message).toMatch(message);
    expect(errors[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  test('a negative number of items in a variable is rejected', async () => {
    const response = await api.send('query ($count: Int!) { named @stream(initialCount: $count) { name } }', { count: -1 });
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'parameter_invalid' } }] });
  });
});
