/** @defer and @stream over HTTP: the format, the order, errors, limits and validation, over a small federation. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { pino } from 'pino';
import { graphqlApi } from '../../router/graphql/api.ts';
import { ANONYMOUS } from '../../schema/viewer.ts';
import { mergeParts, readParts } from './parts-reader.ts';
import { createSmallFederation } from './small-federation.ts';

const platform = createSmallFederation();
const app = Fastify();
let url = '';
const charged: number[] = [];

beforeAll(async () => {
  await app.register(graphqlApi, {
    graph: platform.graph,
    schemas: platform.schemas,
    admission: {
      admit: () =>
        Promise.resolve({
          kind: 'ADMITTED',
          viewer: ANONYMOUS,
          subject: 'someone',
          authenticated: false,
          writes: 'ALLOWED',
          headers: {},
          charge: (cost) => {
            charged.push(cost);
            return Promise.resolve(null);
          },
          settle: () => undefined,
        }),
    },
    callerOf: (request) => ({
      credentials: [],
      address: request.ip,
      host: request.host,
      requestId: request.id,
      traceparent: null,
    }),
    log: pino({ level: 'silent' }),
    newOperationsPerMinute: { anonymous: 1_000, keyed: 1_000 },
  });
  url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/graphql`;
});
afterAll(async () => {
  await app.close();
  await platform.graph.close();
});

const deferAccept = 'multipart/mixed;deferSpec=20220824, application/json';

function send(query: string, variables: object = {}, accept = deferAccept, signal?: AbortSignal): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: JSON.stringify({ query, variables }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** The parts, and the response of the same operation as one. */
async function both(query: string, variables: object = {}) {
  const parts = await readParts(await send(query, variables));
  const whole = (await (await send(query, variables, 'application/json')).json()) as { data: unknown; errors?: unknown };
  return { parts, whole };
}

describe('the format', () => {
  test('the first part comes with the fields outside, the second with the fragment', async () => {
    const response = await send('{ organization(id: "1") { name ... @defer(label: "squad") { athletes { displayName } } } }');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('multipart/mixed;boundary="-";deferSpec=20220824');
    expect(await readParts(response)).toEqual([
      { data: { organization: { name: 'Alpha' } }, hasNext: true },
      {
        incremental: [
          {
            data: { athletes: [{ displayName: 'Athlete a' }, { displayName: 'Athlete b' }] },
            path: ['organization'],
            label: 'squad',
          },
        ],
        hasNext: false,
      },
    ]);
  });

  test('@stream delivers the items after the first ones', async () => {
    const { parts, whole } = await both(
      '{ organization(id: "1") { athletes @stream(initialCount: 1, label: "rest") { displayName } } }',
    );
    expect(parts).toEqual([
      { data: { organization: { athletes: [{ displayName: 'Athlete a' }] } }, hasNext: true },
      {
        incremental: [{ items: [{ displayName: 'Athlete b' }], path: ['organization', 'athletes', 1], label: 'rest' }],
        hasNext: false,
      },
    ]);
    expect(mergeParts(parts)).toEqual(whole.data);
  });
});
