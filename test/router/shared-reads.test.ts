/** Identical public reads at the same time share one execution, over both APIs; other requests never do. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { pino } from 'pino';
import type { Admission } from '../../router/admission/admission.ts';
import { graphqlApi } from '../../router/graphql/api.ts';
import { createRestEntryPoint } from '../../router/rest/entry-point.ts';
import type { Caller } from '../../schema/entry-point.ts';
import { ANONYMOUS, type Viewer } from '../../schema/viewer.ts';
import { anonymousHolder } from './anonymous-holder.ts';
import { createSmallFederation } from './small-federation.ts';

const platform = createSmallFederation();
const log = pino({ level: 'silent' });
let viewer: Viewer = ANONYMOUS;
let admitted = 0;
let charged = 0;

/** A stub of admission, which has its own tests. */
const admission: Pick<Admission, 'admit'> = {
  admit() {
    admitted += 1;
    return Promise.resolve({
      kind: 'ADMITTED',
      holder: anonymousHolder,
      quota: null,
      registeredDocumentsOnly: false,
      viewer,
      subject: 'someone',
      authenticated: false,
      writes: 'ALLOWED',
      headers: {},
      charge(units) {
        charged += units;
        return Promise.resolve(null);
      },
      keep: () => undefined,
      notModifiedHeaders: {},
      settle: () => undefined,
    });
  },
};
const caller: Caller = { credentials: [], address: '::1', host: 'h', requestId: 'r', traceparent: null };
const entryPoint = createRestEntryPoint({ graph: platform.graph, admission, log });
const app = Fastify();

beforeAll(async () => {
  platform.graph.register(
    new Map([
      ['list', () => 'query list($limit: Int! = 20) { organizations(first: $limit) { nodes { athletes { displayName } } } }'],
    ]),
  );
  await app.register(graphqlApi, {
    graph: platform.graph,
    schemas: platform.schemas,
    admission,
    callerOf: () => caller,
    log,
    newOperationsPerMinute: { anonymous: 1_000, keyed: 1_000 },
  });
  await app.ready();
});
afterEach(() => {
  platform.fetches.length = admitted = charged = 0;
  platform.held.clear();
  viewer = ANONYMOUS;
});
afterAll(async () => {
  await app.close();
  await platform.graph.close();
});

const settledTurns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

/** Starts requests while the areas respond to nothing, waits until all are admitted, and then lets the areas respond. */
async function concurrently<Response>(count: number, request: (index: number) => Promise<Response>): Promise<Response[]> {
  const released = Promise.withResolvers<undefined>();
  platform.held.set('organizations', released.promise);
  const responses = Array.from({ length: count }, (_, index) => request(index));
  while (admitted < count) await settledTurns();
  await settledTurns();
  released.resolve(undefined);
  return await Promise.all(responses);
}

const overRest = (limit: number) =>
  entryPoint.execute({ operation: 'list', input: { document: 'list', variables: { limit } }, caller });
const text = '{ organizations(first: 40) { nodes { name athletes { displayName } } } }';
async function overGraphql(query = text): Promise<unknown> {
  const response = await app.inject({ method: 'POST', url: '/graphql', payload: { query } });
  return response.json();
}
const areasOf = (): string[] => platform.fetches.map(({ area }) => area);

describe('100 identical requests without a key at the same time', () => {
  test('cause one fetch per area over REST, and each is answered', async () => {
    await overRest(2);
    platform.fetches.length = admitted = 0;
    const responses = await concurrently(100, () => overRest(2));
    expect(areasOf()).toEqual(['organizations', 'athletes']);
    expect(new Set(responses.map(({ data }) => JSON.stringify(data)))).toEqual(
      new Set([
        '{"organizations":{"nodes":[{"athletes":[{"displayName":"Athlete a"},{"displayName":"Athlete b"}]},{"athletes":[{"displayName":"Athlete a"}]}]}}',
      ]),
    );
  });

  test('cause one fetch per area over GraphQL, and each is charged', async () => {
    await overGraphql();
    platform.fetches.length = admitted = charged = 0;
    const responses = await concurrently(100, () => overGraphql());
    expect(areasOf()).toEqual(['organizations', 'athletes']);
    expect(new Set(responses.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(charged).toBe(400);
  });
});

describe('requests are executed separately', () => {
  test('with other variables or another text', async () => {
    await concurrently(4, (index) => overRest(1 + (index % 2)));
    expect(areasOf().filter((area) => area === 'organizations')).toHaveLength(2);
  });

  test('with a key, also with the same one', async () => {
    viewer = { ...ANONYMOUS, kind: 'KEY', accountId: 'a', keyId: 'k' };
    await concurrently(3, () => overRest(2));
    expect(areasOf().filter((area) => area === 'organizations')).toHaveLength(3);
  });

  test('on the hosts of different sports', async () => {
    await concurrently(2, (index) => {
      viewer = { ...ANONYMOUS, sport: index === 0 ? 'FOOTBALL' : 'SWIMMING' };
      return overRest(2);
    });
    expect(areasOf().filter((area) => area === 'organizations')).toHaveLength(2);
  });

  test('after the first one has been answered', async () => {
    await overRest(2);
    await overRest(2);
    expect(areasOf()).toEqual(['organizations', 'athletes', 'organizations', 'athletes']);
  });
});

describe('a caller that disconnects', () => {
  const run = (signal: AbortSignal) => {
    const operation = { text: '{ organization(id: "1") { name } }', operationName: null, audience: 'public' } as const;
    admitted += 1;
    return platform.graph.execute(operation, { variables: {}, viewer: ANONYMOUS, requestId: 'r', signal });
  };

  test('does not end the execution for others; the last one does', async () => {
    const controllers = Array.from({ length: 3 }, () => new AbortController());
    const started = concurrently(3, (index) => run((controllers[index] ?? new AbortController()).signal));
    controllers[0]?.abort();
    const [, second] = await started;
    expect(second?.data).toEqual({ organization: { name: 'Alpha' } });
    expect(platform.fetches).toHaveLength(1);
    expect(platform.fetches[0]?.signal?.aborted).toBe(false);
    for (const controller of controllers) controller.abort();
    expect(platform.fetches[0]?.signal?.aborted).toBe(true);
  });
});
