/** Invalid documents: answered from memory, counted as new operations, and rejected before they are parsed above the limit. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { pino } from 'pino';
import { graphqlApi } from '../../router/graphql/api.ts';
import { ANONYMOUS } from '../../schema/viewer.ts';
import { anonymousHolder } from './anonymous-holder.ts';
import { createSmallFederation } from './small-federation.ts';

const platform = createSmallFederation();
const app = Fastify();

beforeAll(async () => {
  await app.register(graphqlApi, {
    graph: platform.graph,
    schemas: platform.schemas,
    admission: {
      admit: ({ address }) =>
        Promise.resolve({
          kind: 'ADMITTED',
          holder: anonymousHolder,
          quota: null,
          registeredDocumentsOnly: false,
          viewer: ANONYMOUS,
          subject: address,
          authenticated: false,
          writes: 'ALLOWED',
          headers: {},
          charge: () => Promise.resolve(null),
          keep: () => undefined,
          notModifiedHeaders: {},
          settle: () => undefined,
        }),
    },
    callerOf: ({ headers, host, id }) => ({
      credentials: [],
      address: String(headers['x-test-address']),
      host,
      requestId: id,
      traceparent: null,
    }),
    log: pino({ level: 'silent' }),
    newOperationsPerMinute: { anonymous: 3, keyed: 100 },
  });
  await app.ready();
});
afterAll(async () => {
  await app.close();
  await platform.graph.close();
});

async function send(address: string, query: string, accept = 'application/graphql-response+json') {
  const headers = { 'content-type': 'application/json', 'x-test-address': address, accept };
  const response = await app.inject({ method: 'POST', url: '/graphql', headers, payload: JSON.stringify({ query }) });
  const { errors } = response.json<{ errors?: { extensions: { code: string } }[] }>();
  return {
    status: response.statusCode,
    headers: response.headers,
    payload: response.payload,
    code: errors?.[0]?.extensions.code,
  };
}

describe('an invalid document', () => {
  test.each([
    ['that cannot be parsed', '{ organization(id: '],
    ['that does not fit the schema', '{ nothing { at all } }'],
  ])('%s has the same response from memory, for every caller', async (_, query) => {
    const first = await send('a', query);
    expect(first.status).toBe(400);
    for (const address of ['a', 'b', 'c']) {
      const again = await send(address, query);
      expect({ status: again.status, payload: again.payload, type: again.headers['content-type'] }).toEqual({
        status: 400,
        payload: first.payload,
        type: first.headers['content-type'],
      });
    }
    expect((await send('d', query, 'application/json')).status).toBe(200);
  });

  test('has at most ten errors', async () => {
    const query = `{ ${Array.from({ length: 500 }, (_, index) => `organisation${index}`).join(' ')} }`;
    // the tenth error is followed by one that says so
    expect(JSON.parse((await send('many', query)).payload)).toMatchObject({ errors: { length: 11 } });
  });
});

describe('the limit of new operations', () => {
  const invalid = (name: string): string => `{ unknown_${name} }`;

  test('counts distinct invalid documents, and rejects others before they are parsed', async () => {
    for (const name of ['one', 'two', 'three', 'one', 'one', 'two'])
      expect((await send('counted', invalid(name))).code).toBe('GRAPHQL_VALIDATION_FAILED');
    for (const query of [invalid('four'), '{ cut off']) {
      const { status, code, headers } = await send('counted', query);
      expect([status, code]).toEqual([429, 'rate_limited']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    }
    expect((await send('counted', invalid('one'))).code).toBe('GRAPHQL_VALIDATION_FAILED');
    expect((await send('another', invalid('four'))).code).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  test('still accepts documents that are known to be valid', async () => {
    const known = '{ organization(id: "1") { name } }';
    expect((await send('first', known)).status).toBe(200);
    expect((await send('second', known)).status).toBe(200);
    for (const name of ['five', 'six', 'seven']) await send('second', invalid(name));
    expect((await send('second', invalid('eight'))).code).toBe('rate_limited');
    expect((await send('second', known)).status).toBe(200);
  });

  test('invalid documents and new valid documents share it', async () => {
    for (const name of ['nine', 'ten', 'eleven']) await send('shared', invalid(name));
    expect((await send('shared', '{ organization(id: "2") { name id } }')).code).toBe('rate_limited');
  });
});
