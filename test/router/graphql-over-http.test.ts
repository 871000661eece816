/** The GraphQL-over-HTTP specification: the audits of graphql-http, and the status codes of both media types. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import { openSmallApi, type SmallApi } from './small-api.ts';

let api: SmallApi;
beforeAll(async () => void (api = await openSmallApi()));
afterAll(() => api.close());

/** The audits send GET requests without a header that forces a preflight, which this API requires. */
const fetchWithPreflight: typeof fetch = (target, init) => {
  const headers = new Headers(init?.headers);
  headers.set('x-api-key', 'tp_live_audit');
  return fetch(target, { ...init, headers });
};

describe('the audits of graphql-http', () => {
  for (const { id, name, fn } of serverAudits({ url: () => api.url, fetchFn: fetchWithPreflight })) {
    test(`${id} ${name}`, async () => {
      const result = await fn();
      expect(result.status === 'ok' ? 'ok' : { status: result.status, reason: result.reason }).toBe('ok');
    });
  }
});

describe('the status of a request error', () => {
  const send = async (
    body: object,
    accept: string,
  ): Promise<{ status: number; type: string; code: string; hasData: boolean }> => {
    const headers = { 'content-type': 'application/json', accept };
    const response = await fetch(api.url, { method: 'POST', headers, body: JSON.stringify(body) });
    // Cast: the format of GraphQL errors.
    const json = (await response.json()) as { errors: { extensions: { code: string } }[] };
    const type = response.headers.get('content-type')?.split(';')[0] ?? '';
    return { status: response.status, type, code: json.errors[0]?.extensions.code ?? '', hasData: 'data' in json };
  };

  test.each([
    ['GRAPHQL_PARSE_FAILED', { query: '{ a ' }],
    ['GRAPHQL_VALIDATION_FAILED', { query: '{ nothing }' }],
    ['OPERATION_RESOLUTION_FAILURE', { query: 'query a { __typename } query b { __typename }' }],
    ['query_too_deep', { query: `${'{ named '.repeat(20)}{ name }${' }'.repeat(20)}` }],
    ['parameter_invalid', { query: '{ organizations(first: 0) { nodes { id } } }' }],
  ])('%s is 200 under application/json and 400 under application/graphql-response+json', async (code, body) => {
    const legacy = 'application/json';
    const current = 'application/graphql-response+json';
    expect(await send(body, legacy)).toEqual({ status: 200, type: legacy, code, hasData: false });
    expect(await send(body, '*/*')).toEqual({ status: 200, type: legacy, code, hasData: false });
    expect(await send(body, current)).toEqual({ status: 400, type: current, code, hasData: false });
    expect(await send(body, `${legacy};q=0.9, ${current}`)).toMatchObject({ status: 400, code });
  });

  test.each([
    ['BAD_REQUEST', 400, {}],
    ['api_key_missing', 401, { query: 'mutation { createOrganization(input: { name: "A" }) { id } }' }],
  ])('%s keeps its status %i under both media types', async (code, status, body) => {
    for (const accept of ['application/json', 'application/graphql-response+json'])
      expect(await send(body, accept)).toMatchObject({ status, code });
  });
});

describe('a GET request', () => {
  const get = (headers: Record<string, string>): Promise<Response> => fetch(`${api.url}?query=%7B__typename%7D`, { headers });

  test.each([
    [{ 'x-api-key': 'tp_live_some' }],
    [{ authorization: 'Bearer tp_live_some' }],
    [{ 'apollo-require-preflight': 'true' }],
    [{ 'x-apollo-operation-name': 'some' }],
  ])('with %j proves a preflight', async (headers) => {
    expect((await get(headers)).status).toBe(200);
  });

  test.each([
    [{}],
    [{ authorization: 'Basic dXNlcjpwYXNz' }],
    [{ 'x-api-key': '' }],
    [{ 'x-forwarded-for': '10.0.0.1', cookie: 'a=b' }],
    [{ 'content-type': 'text/plain' }],
  ])('with %j is rejected: a browser or a proxy can send it without one', async (headers) => {
    const response = await get(headers);
    expect([response.status, await response.json()]).toMatchObject([400, { errors: [{ extensions: { code: 'csrf_refused' } }] }]);
  });
});

describe('a body', () => {
  const send = async (body: string): Promise<unknown> => {
    const response = await fetch(api.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    // Cast: the format of GraphQL errors.
    const json = (await response.json()) as { errors: { extensions: Record<string, unknown> }[] };
    return { status: response.status, ...json.errors[0]?.extensions };
  };

  test('with more than 20,000 values in its variables is rejected before it is parsed', async () => {
    const body = (values: number): string =>
      JSON.stringify({ query: '{ nothing }', variables: { list: Array.from({ length: values }, () => ({})) } });
    expect(await send(body(25_000))).toEqual({ status: 413, code: 'payload_too_large', maxValues: 20_000 });
    expect(await send(body(19_000))).toMatchObject({ code: 'GRAPHQL_VALIDATION_FAILED' });
  });

  test('above 256 KiB is rejected', async () => {
    const body = JSON.stringify({ query: '{ nothing }', variables: { text: 'x'.repeat(300_000) } });
    expect(await send(body)).toEqual({ status: 413, code: 'payload_too_large', maxBytes: 262_144 });
  });

  test('with a member __proto__ is malformed_json', async () => {
    expect(await send('{"query": "{ __typename }", "variables": {"__proto__": {"a": 1}}}')).toMatchObject({
      status: 400,
      code: 'malformed_json',
    });
  });
});
