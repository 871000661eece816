/** An area in another process: the router's client and the area's server over framed connections. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { createFrameClient } from '../../platform/frames/client.ts';
import { writeAreaCall } from '../../platform/frames/area-call.ts';
import { createLog } from '../../platform/log.ts';
import { verifyTicket } from '../../platform/security/ticket.ts';
import { createFramedSubgraph } from '../../router/transport/framed-subgraph.ts';
import { createHttpSubgraph } from '../../router/transport/http-subgraph.ts';
import type { SubgraphClient, SubgraphRequest, SubgraphResponse } from '../../schema/subgraph-client.ts';
import { ANONYMOUS, SYSTEM, type Viewer } from '../../schema/viewer.ts';
import { createAreaServer } from '../../subgraphs/runtime/server.ts';
import { eventually } from '../eventually.ts';

const key = Buffer.alloc(32, 7);
const ticketKey = Buffer.alloc(32, 9);
const lines: string[] = [];
const log = createLog({ name: 'test', level: 'info', destination: { write: (line: string) => void lines.push(line) } });
let received: SubgraphRequest[] = [];
let respond: (request: SubgraphRequest) => Promise<SubgraphResponse> | SubgraphResponse;
let app: FastifyInstance;
let area: SubgraphClient;
let url = '';

beforeAll(async () => {
  app = createAreaServer(
    {
      async query(request) {
        received.push(request);
        return await respond(request);
      },
      close: () => Promise.resolve(),
    },
    { key, log, readiness: {} },
  );
  url = await app.listen({ port: 0, host: '127.0.0.1' });
  area = createFramedSubgraph({ area: 'athletes', url, key, ticketKey });
});
afterEach(() => {
  received = [];
  lines.length = 0;
});
afterAll(async () => {
  await area.close?.();
  await app.close();
});

const viewer: Viewer = { ...ANONYMOUS, kind: 'KEY', accountId: 'a', keyId: 'sp_live_ü' };
const request: SubgraphRequest = {
  query: 'query Q($id: ID) { a(id: $id) }',
  variables: { id: 'ü "quoted"' },
  operationName: 'Q',
  viewer,
  requestId: 'r-1',
  signal: undefined,
};

describe('a query to an area', () => {
  test('arrives with its variables, viewer and request id; list indexes in error paths are numbers', async () => {
    respond = () => ({
      data: { a: null },
      errors: [{ message: 'no', path: ['list', '0', 'a'] }],
      extensions: { notes: { person: true } },
    });
    for (let times = 0; times < 2; times += 1)
      expect(await area.query(request)).toEqual({
        data: { a: null },
        errors: [{ message: 'no', path: ['list', 0, 'a'] }],
        extensions: { notes: { person: true } },
      });
    const { query, variables, operationName, requestId } = request;
    expect(received).toHaveLength(2);
    for (const each of received) expect(each).toMatchObject({ query, variables, operationName, viewer, requestId });
  });

  test('is upstream_unavailable if the response is not GraphQL', async () => {
    respond = () => ({});
    await expect(area.query(request)).rejects.toMatchObject({ code: 'upstream_unavailable' });
  });

  test('is canceled in the area when its caller disconnects or its deadline passes', async () => {
    respond = () => new Promise(() => undefined);
    const leaving = new AbortController();
    const left = area.query({ ...request, signal: leaving.signal });
    const late = area.query({ ...request, deadlineMs: performance.now() + 200 });
    await eventually(() => Promise.resolve(expect(received).toHaveLength(2)));
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'upstream_unavailable' });
    await expect(late).rejects.toMatchObject({ code: 'upstream_timeout' });
    await eventually(() => Promise.resolve(expect(received.map(({ signal }) => signal?.aborted)).toEqual([true, true])));
  });
});

describe('a ticket', () => {
  const ticketFor = async (requested: Viewer): Promise<string | null> => {
    let ticket: string | null = null;
    respond = async (call) => {
      ticket = typeof call.ticket === 'function' ? await call.ticket() : 'none';
      return { data: {} };
    };
    await area.query({ ...request, viewer: requested });
    return ticket;
  };

  test('is issued on request for the viewer of the call', async () => {
    expect(verifyTicket(ticketKey, 'athletes', (await ticketFor(viewer)) ?? '')).toEqual(viewer);
    expect(verifyTicket(ticketKey, 'scouting', (await ticketFor(viewer)) ?? '')).toBeNull();
  });

  test('is never issued for the system', async () => expect(await ticketFor(SYSTEM)).toBeNull());
});

test('a mutation that is sent as a query is not executed', async () => {
  respond = () => ({ data: { a: 1 } });
  const client = createFrameClient({ name: 'The area', url, key });
  const deadlineMs = performance.now() + 5_000;
  const { signal, ...call } = request;
  const send = (query: string, mutation: boolean) =>
    client.call({
      body: (texts) => writeAreaCall({ ...call, query, operationName: null, mutation, deadlineMs }, texts),
      deadlineMs,
      signal,
      mutation,
      answer: () => '',
    });
  await expect(send(' mutation { a }', false)).rejects.toMatchObject({ code: 'upstream_unavailable' });
  expect(received).toEqual([]);
  expect(lines.join('')).toContain('rejected a mutation that was sent as a query');
  expect(await send(' mutation { a }', true)).toBe('{"data":{"a":1}}');
  await client.close();
});

test('a router without framed connections still calls the area over HTTP', async () => {
  respond = () => ({ data: { a: 1 } });
  const overHttp = createHttpSubgraph({ area: 'athletes', url, key, ticketKey });
  expect(await overHttp.query(request)).toEqual({ data: { a: 1 } });
  await overHttp.close?.();
});

test('an area without framed connections is called over HTTP, and a wrong key is rejected both ways', async () => {
  const foreign = createFramedSubgraph({ area: 'athletes', url, key: Buffer.alloc(32, 8), ticketKey });
  await expect(foreign.query(request)).rejects.toMatchObject({ code: 'upstream_unavailable' });
  expect(lines.map((line) => (JSON.parse(line) as { path: string }).path)).toEqual(
    expect.arrayContaining(['/frames', '/graphql']),
  );
  expect(received).toEqual([]);
  await foreign.close?.();
});
