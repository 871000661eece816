/** The protection of an area that hangs, fails, recovers or is overloaded. */
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createLog } from '../../platform/log.ts';
import { protectSubgraph } from '../../router/protection/protected-subgraph.ts';
import { Problem } from '../../schema/errors.ts';
import type { SubgraphClient, SubgraphRequest, SubgraphResponse } from '../../schema/subgraph-client.ts';
import { ANONYMOUS } from '../../schema/viewer.ts';
import { blockBeforeTimers } from '../block-process.ts';
import { eventually } from '../eventually.ts';
import { execute } from './scripted-areas.ts';

let lines: Record<string, unknown>[] = [];
const log = createLog({
  name: 'test',
  level: 'info',
  destination: { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
});
const messages = (): unknown[] => lines.map(({ msg }) => msg);
const opened: SubgraphClient[] = [];
afterEach(async () => {
  lines = [];
  for (const each of opened.splice(0)) await each.close?.();
});

const answer: SubgraphResponse = { data: { a: 1 } };
const never = new Promise<SubgraphResponse>(() => undefined);
const unavailable = new Problem('upstream_unavailable', 'No.');

/** An area whose behavior the test changes. */
function createArea(behave: (request: SubgraphRequest) => Promise<SubgraphResponse> | SubgraphResponse) {
  const area = { behave, received: [] as SubgraphRequest[] };
  const client = protectSubgraph(
    {
      async query(request) {
        area.received.push(request);
        return await area.behave(request);
      },
    },
    { area: 'athletes', log, timeoutMs: 400 },
  );
  opened.push(client);
  const query = (request: Partial<SubgraphRequest> = {}): Promise<SubgraphResponse> =>
    client.query({
      query: '{a}',
      variables: {},
      operationName: null,
      viewer: ANONYMOUS,
      requestId: 'r',
      signal: undefined,
      ...request,
    });
  return { area, query };
}

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'ok',
    (error: unknown) => (error instanceof Problem ? error.code : error),
  );

describe('a protected area', () => {
  test('that hangs is a timeout; its circuit opens, later calls fail at once without reaching it, and it recovers', async () => {
    const { area, query } = createArea(() => never);
    const codes = await Promise.all(Array.from({ length: 5 }, () => codeOf(query())));
    expect(codes).toEqual(Array.from({ length: 5 }, () => 'upstream_timeout'));
    expect(lines).toEqual([expect.objectContaining({ msg: 'circuit opened', area: 'athletes', level: 40 })]);
    const before = area.received.length;
    expect(await codeOf(query())).toBe('upstream_unavailable');
    expect(area.received).toHaveLength(before);
    area.behave = () => answer;
    await eventually(async () => expect(await query()).toEqual(answer), 5_000);
    expect(messages()).toEqual(['circuit opened', 'circuit half open', 'circuit closed']);
  });

  test('does not open for the errors that it returns, for callers that disconnect, and for rejections', async () => {
    const { area, query } = createArea(() => ({ data: null, errors: [{ message: 'No.', extensions: { code: 'gone' } }] }));
    for (let calls = 0; calls < 30; calls += 1) await query();
    area.behave = () => Promise.reject(unavailable);
    const signal = AbortSignal.abort();
    for (let calls = 0; calls < 30; calls += 1) await codeOf(query({ signal }));
    area.behave = () => Promise.reject(new Problem('overloaded', 'No.'));
    for (let calls = 0; calls < 30; calls += 1) await codeOf(query());
    expect(messages()).toEqual([]);
  });

  test('opens for responses that are not GraphQL, and stays open while trials fail', async () => {
    const { area, query } = createArea(() => ({}));
    for (let calls = 0; calls < 5; calls += 1) expect(await codeOf(query())).toBe('upstream_unavailable');
    expect(messages()).toEqual(['circuit opened']);
    // it responds to probes only
    area.behave = ({ requestId }) => (requestId === 'circuit-probe' ? answer : Promise.reject(unavailable));
    await eventually(async () => {
      await codeOf(query());
      expect(messages().slice(0, 3)).toEqual(['circuit opened', 'circuit half open', 'circuit opened']);
    });
  });

  test('opens before the deadline when many calls wait and none is answered: all fail at once, except mutations', async () => {
    const released = Promise.withResolvers<SubgraphResponse>();
    const client = protectSubgraph({ query: () => released.promise }, { area: 'athletes', log, timeoutMs: 60_000 });
    opened.push(client);
    const request = { variables: {}, operationName: null, viewer: ANONYMOUS, requestId: 'r', signal: undefined };
    const mutation = codeOf(client.query({ ...request, query: 'mutation{a}' }));
    const codes = await Promise.all(Array.from({ length: 5 }, () => codeOf(client.query({ ...request, query: '{a}' }))));
    expect(codes).toEqual(Array.from({ length: 5 }, () => 'upstream_unavailable'));
    expect(lines[0]).toMatchObject({ msg: 'circuit opened', reason: expect.stringContaining('no response for') });
    released.resolve(answer);
    expect(await mutation).toBe('ok');
  });

  test('receives at most its limit of calls at once; the others wait for their turn, except nested calls', async () => {
    const released = Promise.withResolvers<SubgraphResponse>();
    const { area, query } = createArea(() => released.promise);
    const calls = Array.from({ length: 130 }, () => codeOf(query()));
    await sleep(0);
    expect(area.received).toHaveLength(100);
    calls.push(codeOf(query({ isNested: true })));
    await sleep(0);
    expect(area.received).toHaveLength(101);
    released.resolve(answer);
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['ok']));
    expect(area.received).toHaveLength(131);
  });

  test('rejects calls as overloaded when too many wait, and waiting calls when its circuit opens', async () => {
    const { query } = createArea(() => never);
    const calls = Array.from({ length: 1_100 }, () => codeOf(query()));
    expect(await codeOf(query())).toBe('overloaded');
    const codes = await Promise.all(calls);
    expect(codes.filter((code) => code === 'upstream_timeout').length).toBeGreaterThanOrEqual(100);
    expect(new Set(codes)).toEqual(new Set(['upstream_timeout', 'upstream_unavailable']));
  });
});

test('the fetches of an operation share its deadline: what is missing then is a timeout', async () => {
  const slow = (data: Record<string, unknown>) => async () => {
    await sleep(150);
    return { data };
  };
  const { data, errors } = await execute({
    areas: {
      products: 'type Query { product: Product } type Product @key(fields: "id") { id: ID! name: String }',
      reviews: 'type Product @key(fields: "id") { id: ID! stars: Int }',
    },
    operation: '{ product { name stars } }',
    responses: {
      products: [slow({ product: { __typename: 'Product', id: '7', name: 'Ball' } })],
      reviews: [slow({ _entities: [{ stars: 4 }] })],
    },
    operationTimeoutMs: 200,
    through(area, client) {
      const protectedClient = protectSubgraph(client, { area, log });
      opened.push(protectedClient);
      return protectedClient;
    },
  });
  expect(data).toEqual({ product: { name: 'Ball', stars: null } });
  expect(errors).toMatchObject([{ path: ['product'], extensions: { code: 'upstream_timeout' } }]);
});

test('responses that arrived while the process was blocked are read, although their deadlines are over', async () => {
  // a read of a file ends in the same phase of the event loop as a response
  const { query } = createArea(() => readFile(import.meta.filename).then(() => answer));
  const calls = Promise.all(Array.from({ length: 6 }, () => codeOf(query())));
  await blockBeforeTimers(3_100, 1);
  expect(await calls).toEqual(Array(6).fill('ok'));
  expect(messages()).toEqual([]);
});
