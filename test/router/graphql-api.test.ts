/** The GraphQL API over HTTP. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import Fastify from 'fastify';
import type { InjectOptions } from 'fastify';
import { pino } from 'pino';
import type { Admission } from '../../router/admission/admission.ts';
import { adminGraphqlApi, graphqlApi } from '../../router/graphql/api.ts';
import { Problem } from '../../schema/errors.ts';
import { ANONYMOUS } from '../../schema/viewer.ts';
import type { Viewer } from '../../schema/viewer.ts';
import { anonymousHolder } from './anonymous-holder.ts';
import { createSmallFederation } from './small-federation.ts';

const platform = createSmallFederation();
const app = Fastify();
const settled: number[] = [];
let charged = 0;
let rejection: Problem | null = null;

/** A stub of admission, which has its own tests. */
const admission: Pick<Admission, 'admit'> = {
  admit: () =>
    Promise.resolve(
      rejection !== null
        ? { kind: 'REJECTED', problem: rejection, authenticated: false, headers: { 'retry-after': '5' }, settle: () => undefined }
        : {
            kind: 'ADMITTED',
            holder: anonymousHolder,
            quota: null,
            registeredDocumentsOnly: false,
            viewer: ANONYMOUS,
            subject: 'someone',
            authenticated: false,
            writes: 'ALLOWED',
            headers: { ratelimit: '"day";r=9' },
            charge: (units) => {
              charged += units;
              return Promise.resolve(null);
            },
            keep: () => undefined,
            notModifiedHeaders: {},
            settle: ({ status }) => void settled.push(status),
          },
    ),
};
const log = pino({ level: 'silent' });
const administrator: Viewer = { ...ANONYMOUS, kind: 'ADMINISTRATOR' };

beforeAll(async () => {
  await app.register(graphqlApi, {
    graph: platform.graph,
    schemas: platform.schemas,
    admission,
    callerOf: (request) => ({
      credentials: [],
      address: request.ip,
      host: request.host,
      requestId: request.id,
      traceparent: null,
    }),
    log,
    newOperationsPerMinute: { anonymous: 1_000, keyed: 1_000 },
  });
  await app.register(adminGraphqlApi, {
    graph: platform.graph,
    schemas: platform.schemas,
    authenticate: ({ headers }) =>
      headers.cookie === 'admin' ? Promise.resolve(administrator) : Promise.reject(new Problem('sign_in_required', 'Sign in.')),
    log,
  });
  await app.ready();
});
beforeEach(() => {
  settled.length = 0;
  charged = 0;
  rejection = null;
  platform.broken.clear();
});
afterAll(async () => {
  await app.close();
  await platform.graph.close();
});

async function post(payload: unknown, headers: Record<string, string> = {}, url = '/graphql') {
  const options: InjectOptions = {
    method: 'POST',
    url,
    headers: { accept: 'application/graphql-response+json', 'content-type': 'application/json', ...headers },
  };
  const response = await app.inject({ ...options, payload: typeof payload === 'string' ? payload : JSON.stringify(payload) });
  const body = response.json<{
    data?: Record<string, unknown> | null;
    errors?: { message: string; extensions: { code: string } }[];
  }>();
  return { status: response.statusCode, headers: response.headers, body, code: body.errors?.[0]?.extensions.code };
}

describe('the GraphQL API', () => {
  test('returns data and rate limit headers, and settles with the status', async () => {
    const { status, headers, body } = await post(
      { query: '{ organization(id: "1") { name } }' },
      { accept: 'application/graphql-response+json' },
    );
    expect(status).toBe(200);
    expect(body).toEqual({ data: { organization: { name: 'Alpha' } } });
    expect(headers['ratelimit']).toBe('"day";r=9');
    expect(headers['content-type']).toContain('application/graphql-response+json');
    expect(settled).toEqual([200]);
    expect(charged).toBe(0);
  });

  test('charges the cost of an operation above one unit', async () => {
    await post({ query: '{ organizations(first: 40) { nodes { athletes { id } } } }' });
    expect(charged).toBe(4);
  });

  test('an operation above the point limit is rejected and not charged for its cost', async () => {
    const many = Array.from(
      { length: 20 },
      (_, index) => `a${index}: organizations(first: 100) { nodes { athletes { id organization { id } } } }`,
    );
    const { code } = await post({ query: `{ ${many.join(' ')} }` });
    expect(code).toBe('query_too_complex');
    expect(charged).toBe(0);
  });

  test('a rejected caller gets a response before parsing', async () => {
    rejection = new Problem('rate_limited', 'Slow down.');
    const { status, headers, code } = await post('{{{');
    expect([status, code, headers['retry-after']]).toEqual([429, 'rate_limited', '5']);
  });

  test.each([
    ['malformed JSON', '{"query": ', 400, 'malformed_json'],
    ['a repeated member', '{"query": "{ a }", "qu\\u0065ry": "{ b }"}', 400, 'malformed_json'],
    ['a repeated variable', '{"query": "{ a }", "variables": {"b": [{"id": 1, "id": 2}]}}', 400, 'malformed_json'],
    ['a syntax error', { query: '{ a ' }, 400, 'GRAPHQL_PARSE_FAILED'],
    ['an unknown field', { query: '{ nothing }' }, 400, 'GRAPHQL_VALIDATION_FAILED'],
    ['a field of administrators', { query: '{ overview { keys } }' }, 400, 'GRAPHQL_VALIDATION_FAILED'],
    ['a field of areas', { query: '{ facts(id: "1") { id } }' }, 400, 'GRAPHQL_VALIDATION_FAILED'],
    [
      'a variable of the wrong type',
      { query: 'query ($n: Int) { organizations(first: $n) { nodes { id } } }', variables: { n: 'x' } },
      400,
      'parameter_invalid',
    ],
    ['an argument out of bounds', { query: '{ organizations(first: 0) { nodes { id } } }' }, 400, 'parameter_invalid'],
    ['a write without a key', { query: 'mutation { createOrganization(input: { name: "A" }) { id } }' }, 401, 'api_key_missing'],
    [
      'too deep',
      { query: `{ named ${'{ ... on Organization { athletes { organization '.repeat(9)}{ id }${' } } }'.repeat(9)} }` },
      400,
      'query_too_deep',
    ],
    ['too long', { query: `{ ${'a '.repeat(5_000)}}` }, 400, 'token_limit'],
    ['an alias of the prototype', { query: '{ __proto__: organization(id: "1") { id } }' }, 400, 'parameter_invalid'],
    ['a batch', [{ query: '{ a }' }], 400, 'BAD_REQUEST'],
    ['no query', {}, 400, 'BAD_REQUEST'],
  ])('%s is rejected with a specific code', async (_, payload, status, code) => {
    const reply = await post(payload);
    expect([reply.status, reply.code]).toEqual([status, code]);
    expect(JSON.stringify(reply.body)).not.toContain('stacktrace');
    expect(settled).toEqual([status]);
  });

  test('a fragment bomb is rejected', async () => {
    const levels = Array.from(
      { length: 30 },
      (_, level) => `fragment f${level} on Organization { ...f${level + 1} athletes { organization { ...f${level + 1} } } }`,
    );
    const query = `{ organization(id: "1") { ...f0 } } ${levels.join(' ')} fragment f30 on Organization { id }`;
    const { status } = await post({ query });
    expect(status).toBe(400);
  });

  test('partial data while an area is unavailable', async () => {
    platform.broken.set('athletes', new Problem('upstream_unavailable', 'athletes is unavailable.'));
    const { status, body } = await post({ query: '{ organization(id: "1") { name } athlete(id: "a") { id } }' });
    expect([status, body.data, body.errors?.[0]?.extensions.code]).toEqual([
      200,
      { organization: { name: 'Alpha' }, athlete: null },
      'upstream_unavailable',
    ]);
  });

  test('GET requires a header that browsers do not send across sites', async () => {
    const url = `/graphql?query=${encodeURIComponent('{ organization(id: "2") { name } }')}`;
    const bare = await app.inject({ url });
    expect([bare.statusCode, bare.json<{ errors: { extensions: { code: string } }[] }>().errors[0]?.extensions.code]).toEqual([
      400,
      'csrf_refused',
    ]);
    const safe = await app.inject({ url, headers: { 'apollo-require-preflight': 'true' } });
    expect(safe.json()).toEqual({ data: { organization: { name: 'Beta' } } });
  });

  test('persisted queries by hash', async () => {
    const query = '{ organization(id: "2") { id } }';
    const extensions = { persistedQuery: { version: 1, sha256Hash: createHash('sha256').update(query).digest('hex') } };
    expect((await post({ extensions })).code).toBe('PERSISTED_QUERY_NOT_FOUND');
    expect((await post({ query, extensions })).body).toEqual({ data: { organization: { id: '2' } } });
    expect((await post({ extensions })).body).toEqual({ data: { organization: { id: '2' } } });
  });

  test('the public schema is readable for all callers, the admin schema only for administrators', async () => {
    const query = '{ __schema { types { name } } }';
    const names = JSON.stringify((await post({ query })).body);
    expect(names).toContain('OrganizationConnection');
    expect(names).not.toContain('Overview');
    expect((await post({ query }, {}, '/admin/graphql')).status).toBe(401);
    expect(JSON.stringify((await post({ query }, { cookie: 'admin' }, '/admin/graphql')).body)).toContain('Overview');
    expect((await post({ query: '{ overview { keys } }' }, { cookie: 'admin' }, '/admin/graphql')).body).toEqual({
      data: { overview: { keys: 3 } },
    });
    expect((await post({ query: '{ overview { keys } }' }, { cookie: 'admin' })).status).toBe(400);
  });
});
