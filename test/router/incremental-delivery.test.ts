/** @defer and @stream over HTTP: the format, the order, errors, limits and validation, over a small federation. */
import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { pino } from 'pino';
import { graphqlApi } from '../../router/graphql/api.ts';
import { Problem } from '../../schema/errors.ts';
import { ANONYMOUS } from '../../schema/viewer.ts';
import { eventually } from '../eventually.ts';
import { mergeParts, partsOf, readParts } from './parts-reader.ts';
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

const allOf = async (query: string, variables: object = {}) => readParts(await send(query, variables));

const squad = '{ organization(id: "1") { name ... @defer(label: "squad") { athletes { displayName } } } }';
const athletes = [{ displayName: 'Athlete a' }, { displayName: 'Athlete b' }];

describe('the format', () => {
  test('the first part has the fields outside of the fragment, the second one those of the fragment', async () => {
    const response = await send(squad);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('multipart/mixed;boundary="-";deferSpec=20220824');
    expect(await readParts(response)).toEqual([
      { data: { organization: { name: 'Alpha' } }, hasNext: true },
      { incremental: [{ data: { athletes }, path: ['organization'], label: 'squad' }], hasNext: false },
    ]);
  });

  test('@stream delivers the items after the first ones', async () => {
    const rest = '{ organization(id: "1") { athletes @stream(initialCount: 1, label: "rest") { displayName } } }';
    expect(await allOf(rest)).toEqual([
      { data: { organization: { athletes: athletes.slice(0, 1) } }, hasNext: true },
      {
        incremental: [{ items: athletes.slice(1), path: ['organization', 'athletes', 1], label: 'rest' }],
        hasNext: false,
      },
    ]);
  });

  test('a list that another selection also selects is not streamed', async () => {
    const twice = '{ organization(id: "1") { athletes @stream { displayName } ... @defer { athletes { id } } } }';
    const [first] = await allOf(twice);
    expect(first?.data).toEqual({ organization: { athletes } });
  });

  test('the newer format announces each part', async () => {
    const nested = `{ organization(id: "1") { name ... @defer(label: "squad") {
      athletes @stream(initialCount: 1, label: "rest") { displayName ... @defer { id } } } } }`;
    const response = await send(nested, {}, 'multipart/mixed;incrementalSpec=v0.2');
    expect(response.headers.get('content-type')).toBe('multipart/mixed;boundary="-";incrementalSpec=v0.2');
    const [first, second, ...others] = await readParts(response);
    expect(first).toEqual({
      data: { organization: { name: 'Alpha' } },
      pending: [{ id: '0', path: ['organization'], label: 'squad' }],
      hasNext: true,
    });
    expect(second).toEqual({
      pending: [
        { id: '1', path: ['organization', 'athletes'], label: 'rest' },
        { id: '2', path: ['organization', 'athletes', 0] },
      ],
      incremental: [{ id: '0', data: { athletes: athletes.slice(0, 1) } }],
      completed: [{ id: '0' }],
      hasNext: true,
    });
    expect(others).toEqual([
      {
        pending: [{ id: '3', path: ['organization', 'athletes', 1] }],
        incremental: [
          { id: '1', items: athletes.slice(1) },
          { id: '2', data: { id: 'a' } },
        ],
        completed: [{ id: '1' }, { id: '2' }],
        hasNext: true,
      },
      { incremental: [{ id: '3', data: { id: 'b' } }], completed: [{ id: '3' }], hasNext: false },
    ]);
  });

  test.each([
    ['without a version', 'application/json, multipart/mixed', 'deferSpec=20220824'],
    ['with a quoted version', 'multipart/mixed; boundary="-"; deferSpec="20220824"', 'deferSpec=20220824'],
    ['with both versions', 'multipart/mixed;incrementalSpec=v0.2, multipart/mixed;deferSpec=20220824', 'incrementalSpec=v0.2'],
  ])('a client that accepts multipart/mixed %s gets parts', async (_, accept, version) => {
    const response = await send(squad, {}, accept);
    expect(response.headers.get('content-type')).toBe(`multipart/mixed;boundary="-";${version}`);
    expect(await readParts(response)).toHaveLength(2);
  });

  test.each([
    '*/*',
    'application/json',
    'application/json, multipart/mixed;q=0',
    'application/json, multipart/mixed;deferSpec=2019',
  ])('a client that accepts %s gets one response', async (accept) => {
    const response = await send(squad, {}, accept);
    expect(response.headers.get('content-type')).toMatch(/^application\/(graphql-response\+)?json/);
    expect(await response.json()).toEqual({ data: { organization: { name: 'Alpha', athletes } } });
  });

  test('a rejected operation is JSON, also for a client that accepts only parts', async () => {
    const response = await send('{ nothing ... @defer { __typename } }', {}, 'multipart/mixed');
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] });
  });

  test('an operation without these directives is JSON for every client', async () => {
    const response = await send('{ organization(id: "1") { name } }', {}, 'multipart/mixed');
    expect(await response.json()).toEqual({ data: { organization: { name: 'Alpha' } } });
  });

  test('a directive with the condition false has no effect', async () => {
    const conditional =
      'query ($later: Boolean) { organization(id: "1") { name ... @defer(if: $later) { sport } athletes @stream(if: $later) { id } } }';
    const expected = { organization: { name: 'Alpha', sport: 'FOOTBALL', athletes: [{ id: 'a' }, { id: 'b' }] } };
    expect(await allOf(conditional, { later: false })).toEqual([{ data: expected, hasNext: false }]);
    for (const later of [true, undefined]) {
      const parts = await allOf(conditional, { later });
      expect(parts[0]).toEqual({ data: { organization: { name: 'Alpha', athletes: [] } }, hasNext: true });
      expect(mergeParts(parts)).toEqual(expected);
    }
  });

  test('GET requests and persisted queries are delivered in parts', async () => {
    const sha256Hash = createHash('sha256').update(squad).digest('hex');
    const persisted = { persistedQuery: { version: 1, sha256Hash } };
    const get = async (given: Record<string, string>) =>
      fetch(`${url}?${new URLSearchParams(given).toString()}`, { headers: { accept: deferAccept, 'x-api-key': 'tp_live_one' } });
    expect(await readParts(await get({ query: squad, extensions: JSON.stringify(persisted) }))).toHaveLength(2);
    expect(await readParts(await get({ extensions: JSON.stringify(persisted) }))).toHaveLength(2);
  });
});

describe('the order', () => {
  test('the first part is sent before the area of a fragment has responded', async () => {
    const released = Promise.withResolvers<undefined>();
    platform.held.set('athletes', released.promise);
    const parts = partsOf(await send(squad));
    expect((await parts.next()).value).toEqual({ data: { organization: { name: 'Alpha' } }, hasNext: true });
    released.resolve(undefined);
    platform.held.clear();
    expect((await parts.next()).value).toMatchObject({ incremental: [{ data: { athletes } }], hasNext: false });
    expect(await parts.next()).toMatchObject({ done: true });
  });

  test('each fragment waits only for its own areas', async () => {
    const released = Promise.withResolvers<undefined>();
    platform.held.set('athletes', released.promise);
    const fragments = `{ organization(id: "1") { id ... @defer(label: "slow") { strength } ... @defer(label: "fast") { name } } }`;
    const parts = partsOf(await send(fragments));
    expect((await parts.next()).value).toEqual({ data: { organization: { id: '1' } }, hasNext: true });
    expect((await parts.next()).value).toMatchObject({
      incremental: [{ label: 'fast', data: { name: 'Alpha' } }],
      hasNext: true,
    });
    released.resolve(undefined);
    platform.held.clear();
    expect((await parts.next()).value).toMatchObject({ incremental: [{ label: 'slow', data: { strength: 2 } }], hasNext: false });
    await parts.return(undefined);
  });

  test('a streamed list without first items does not wait for the areas of its items', async () => {
    const released = Promise.withResolvers<undefined>();
    platform.held.set('athletes', released.promise);
    const parts = partsOf(await send('{ organization(id: "1") { name athletes @stream { displayName } } }'));
    expect((await parts.next()).value).toEqual({ data: { organization: { name: 'Alpha', athletes: [] } }, hasNext: true });
    released.resolve(undefined);
    platform.held.clear();
    expect((await parts.next()).value).toMatchObject({
      incremental: [{ items: athletes, path: ['organization', 'athletes', 0] }],
    });
    await parts.return(undefined);
  });

  test('fragments within lists and within fragments follow the part around them', async () => {
    const nested = `{ organizations { nodes { id ... on Organization @defer(label: "outer") {
      name athletes { id ... @defer(label: "inner") { displayName } } } } } }`;
    const parts = await allOf(nested);
    expect(parts.map(({ incremental = [] }) => incremental.map(({ path, label }) => `${label} ${path.join('.')}`))).toEqual([
      [],
      ['outer organizations.nodes.0', 'outer organizations.nodes.1'],
      [
        'inner organizations.nodes.0.athletes.0',
        'inner organizations.nodes.0.athletes.1',
        'inner organizations.nodes.1.athletes.0',
      ],
    ]);
    expect(mergeParts(parts)).toEqual({
      organizations: {
        nodes: [
          { id: '1', name: 'Alpha', athletes: ['a', 'b'].map((id) => ({ id, displayName: `Athlete ${id}` })) },
          { id: '2', name: 'Beta', athletes: [{ id: 'a', displayName: 'Athlete a' }] },
        ],
      },
    });
  });

  test('a fragment applies to the objects of its type only', async () => {
    const parts = await allOf('{ either { __typename ... on Person @defer { name } ... on Organization { id } } }');
    expect(parts[1]?.incremental).toEqual([{ data: { name: 'Pia' }, path: ['either', 2] }]);
  });

  test('client names that the planner reserves are restored in each part', async () => {
    const renamed = `{ organization(id: "1") { id: name ... @defer { ref: athletes { id: displayName } } } }`;
    expect(await allOf(renamed)).toEqual([
      { data: { organization: { id: 'Alpha' } }, hasNext: true },
      {
        incremental: [{ data: { ref: [{ id: 'Athlete a' }, { id: 'Athlete b' }] }, path: ['organization'] }],
        hasNext: false,
      },
    ]);
  });
});

describe('errors', () => {
  afterEach(() => platform.broken.clear());

  test('an error of an area is in the part that needs the area, whose null does not leave the part', async () => {
    platform.broken.set('athletes', new Problem('upstream_unavailable', 'The area athletes is unavailable.'));
    expect(await allOf(squad)).toEqual([
      { data: { organization: { name: 'Alpha' } }, hasNext: true },
      {
        incremental: [
          {
            data: null,
            path: ['organization'],
            label: 'squad',
            errors: [
              {
                message: 'The area athletes is unavailable.',
                path: ['organization', 'athletes'],
                extensions: { code: 'upstream_unavailable' },
              },
            ],
          },
        ],
        hasNext: false,
      },
    ]);
  });

  test('a null among the items of a streamed list ends the list', async () => {
    platform.broken.set('athletes', new Problem('upstream_unavailable', 'The area athletes is unavailable.'));
    const parts = await allOf('{ organization(id: "1") { name athletes @stream { displayName } } }');
    expect(parts[0]).toEqual({ data: { organization: { name: 'Alpha', athletes: [] } }, hasNext: true });
    expect(parts[1]).toMatchObject({
      incremental: [{ items: null, errors: [{ extensions: { code: 'upstream_unavailable' } }] }],
      hasNext: false,
    });
  });

  test('a part below a null is not delivered', async () => {
    expect(await allOf('{ organization(id: "unknown") { name ... @defer { sport } } }')).toEqual([
      { data: { organization: null }, hasNext: false },
    ]);
  });

  test('a field that the caller may not read is null, with its error in the part', async () => {
    const parts = await allOf('{ organization(id: "1") { name ... @defer { secret sport } } }');
    expect(parts[0]).toEqual({ data: { organization: { name: 'Alpha' } }, hasNext: true });
    expect(parts[1]).toMatchObject({
      incremental: [
        {
          data: { secret: null, sport: 'FOOTBALL' },
          errors: [{ path: ['organization', 'secret'], extensions: { code: 'insufficient_scope' } }],
        },
      ],
    });
  });

  test('a root field that the caller may not use rejects the operation', async () => {
    const response = await send('{ organization(id: "1") { name } ... @defer { mine { name } } }');
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'api_key_missing' } }] });
  });
});

describe('limits', () => {
  test('an operation costs the same as without these directives, once', async () => {
    const list = (directive: string): string =>
      `{ organizations(first: 100) { nodes { id athletes { id organization { id } } ... ${directive} { name } } } }`;
    charged.length = 0;
    await (await send(list(''))).text();
    const [cost, ...others] = charged;
    expect({ cost, others }).toEqual({ cost: expect.any(Number), others: [] });
    await allOf(list('@defer'));
    expect(charged).toEqual([cost, cost]);
  });

  test('all requests of an operation have one deadline', async () => {
    platform.fetches.length = 0;
    await allOf(squad);
    expect(platform.fetches.map(({ area }) => area)).toEqual(['organizations', 'athletes']);
    expect(new Set(platform.fetches.map(({ deadlineMs }) => deadlineMs)).size).toBe(1);
  });

  test('a client that leaves cancels what is still being fetched', async () => {
    const released = Promise.withResolvers<undefined>();
    platform.held.set('athletes', released.promise);
    platform.fetches.length = 0;
    const leaving = new AbortController();
    const parts = partsOf(await send(squad, {}, deferAccept, leaving.signal));
    await parts.next();
    leaving.abort();
    await eventually(() => Promise.resolve(expect(platform.fetches[1]?.signal?.aborted).toBe(true)));
    released.resolve(undefined);
    platform.held.clear();
  });

  test.each([
    ['50 fragments are accepted', 50, 200],
    ['more are rejected', 51, 400],
  ])('%s', async (_, count, status) => {
    const fragments = Array.from({ length: count }, (_each, index) => `... @defer(label: "${index}") { name }`);
    const accept = 'multipart/mixed, application/graphql-response+json';
    const response = await send(`{ organization(id: "1") { ${fragments.join(' ')} } }`, {}, accept);
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
    const { errors } = (await (await send(query)).json()) as { errors: { message: string; extensions: { code: string } }[] };
    expect(errors[0]?.message).toMatch(message);
    expect(errors[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });

  test('a negative number of items in a variable is rejected', async () => {
    const response = await send('query ($count: Int!) { named @stream(initialCount: $count) { name } }', { count: -1 });
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'parameter_invalid' } }] });
  });

  test('only the public schema has these directives', () => {
    const { public: own, admin, internal } = platform.schemas;
    expect([own, admin, internal].map((sdl) => sdl.includes('directive @defer'))).toEqual([true, false, false]);
  });
});
