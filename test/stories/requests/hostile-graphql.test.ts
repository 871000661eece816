/** Expensive documents, and those that target hidden fields, are rejected before they cost anything. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildClientSchema, getIntrospectionQuery } from 'graphql';
import type { ApiResponse, Client } from '../../client.ts';
import { countRows } from '../../rows.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
let owner: Client;
let before: Record<string, number>;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Hostile' });
  // the account's own events are in the feed
  await platform.settled();
  before = await countRows(platform.database);
});
afterAll(async () => {
  expect(await countRows(platform.database)).toEqual(before);
  await platform.close();
});

function expectError(response: ApiResponse, code: string): void {
  expect(response.body.errors?.[0]?.extensions?.code).toBe(code);
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBeLessThan(500);
  expect(JSON.stringify(response.body)).not.toMatch(/stacktrace|node_modules|at \w+ \(/);
}

const nest = (levels: number): string =>
  `{ organizations { nodes { ${'teams { nodes { organization { '.repeat(levels)} id ${'} } }'.repeat(levels)} } } }`;
const aliases = (count: number): string =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: organizations(first: 1) { nodes { id } }`).join(' ')} }`;
const bomb = (fragments: number): string =>
  `${Array.from({ length: fragments }, (_, index) => `fragment f${index} on Organization { ${index === 0 ? 'id name' : `...f${index - 1} ...f${index - 1}`} }`).join(' ')} { organizations { nodes { ...f${fragments - 1} } } }`;
const id = '00000000-0000-4000-8000-000000000000';
const create = 'mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { id } }';
const club = { type: 'CLUB', name: 'x', country: 'DE', sports: ['FOOTBALL'] };

describe('a document', () => {
  test.each([
    ['nested 40 levels', nest(20), 'query_too_deep'],
    ['nested 10,000 levels', `${'{a'.repeat(10_000)}${'}'.repeat(10_000)}`, 'token_limit'],
    ['of 700 aliases', aliases(700), 'token_limit'],
    ['of 400 aliases', aliases(400), 'token_limit'],
    ['of 250 aliases of lists of 100', aliases(250).replaceAll('first: 1', 'first: 100'), 'query_too_complex'],
    [
      'of 1,500 fields',
      `{ organizations { nodes { ${Array.from({ length: 1200 }, (_, index) => `a${index}: id`).join(' ')} } } }`,
      'query_too_complex',
    ],
    ['of 30 fragments that double each other', bomb(30), 'query_too_complex'],
    [
      'with a fragment cycle',
      'fragment a on Organization { ...b } fragment b on Organization { ...a } { organizations { nodes { ...a } } }',
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['of a megabyte', `{ organizations { nodes { ${'id '.repeat(400_000)} } } }`, 'payload_too_large'],
    ['of a long comment', `#${'x'.repeat(300_000)}\n{ organizations { nodes { id } } }`, 'payload_too_large'],
    [
      'of lists within lists',
      '{ organizations(first: 100) { nodes { teams(first: 100) { nodes { members(first: 100) { nodes { id } } } } } } }',
      'query_too_complex',
    ],
    [
      'that selects parts of the schema repeatedly',
      `{ __schema { types { fields { type { ${Array.from({ length: 60 }, (_, index) => `a${index}: fields { name }`).join(' ')} } } } } }`,
      'query_too_complex',
    ],
    [
      'that does so in a fragment',
      '{ __type(name: "Query") { ...f } } fragment f on __Type { ... { a: fields { name } b: fields { name } } }',
      'query_too_complex',
    ],
    ['that selects several schemas', '{ a: __schema { types { name } } b: __schema { types { name } } }', 'query_too_complex'],
    ['with an alias of 101 characters', `{ organizations { nodes { ${'a'.repeat(101)}: id } } }`, 'parameter_invalid'],
    ['with the alias __proto__', '{ __proto__: organizations { nodes { id } } }', 'parameter_invalid'],
    ['with the alias __proto__ within', '{ organizations { nodes { __proto__: id } } }', 'parameter_invalid'],
    ['with the alias __typename', '{ organizations { nodes { __typename: name } } }', 'parameter_invalid'],
    ['cut off', '{ organizations {', 'GRAPHQL_PARSE_FAILED'],
    ['empty', '', 'BAD_REQUEST'],
    ['with only a fragment', 'fragment f on Organization { id }', 'GRAPHQL_VALIDATION_FAILED'],
    ['that selects an unknown field', '{ secrets }', 'GRAPHQL_VALIDATION_FAILED'],
    ['that selects internal fields', `{ organizationOwners(ids: ["${id}"]) { accountId } }`, 'GRAPHQL_VALIDATION_FAILED'],
    ['that selects administrator fields', '{ accounts { nodes { id } } }', 'GRAPHQL_VALIDATION_FAILED'],
    [
      'that issues a key',
      'mutation { issueApiKey(input: { accountName: "x", plan: "pro" }) { key } }',
      'GRAPHQL_VALIDATION_FAILED',
    ],
    [
      'of two operations without an operation name',
      'query a { plans { nodes { code } } } query b { plans { nodes { code } } }',
      'OPERATION_RESOLUTION_FAILURE',
    ],
    ['that subscribes', 'subscription { matchUpdated(id: "x") { id } }', 'operation_unknown'],
    ['that subscribes to a query', 'subscription { organizations { nodes { id } } }', 'GRAPHQL_VALIDATION_FAILED'],
  ])('%s is rejected', async (_, query, code) => expectError(await owner.graphql(query), code));

  test('with the introspection query of common tools is accepted', async () => {
    const { status, body } = await owner.graphql(getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true }));
    expect(status).toBe(200);
    expect(() => buildClientSchema(body.data)).not.toThrow();
    const types = await owner.graphql('{ one: __type(name: "Organization") { name } two: __type(name: "Sport") { kind } }');
    const mixed = await owner.graphql(
      'query ($n: String!) { ...q } fragment q on Query { __type(name: $n) { ...t } organizations { nodes { id } } } fragment t on __Type { isOneOf }',
      { n: 'OrganizationFilter' },
    );
    expect(mixed.body).toEqual({ data: { __type: { isOneOf: false }, organizations: { nodes: [] } } });
    expect(types.body).toEqual({ data: { one: { name: 'Organization' }, two: { kind: 'ENUM' } } });
  });

  test('in a GET request can only read', async () => {
    const query = encodeURIComponent('mutation { deleteOrganization(id: "x", ifMatch: "*") { id } }');
    const response = await fetch(`${platform.graphqlUrl}/graphql?query=${query}`, {
      headers: { 'apollo-require-preflight': '1' },
    });
    expect(response.status).toBe(405);
  });

  test('from a form of another site is rejected', async () => {
    const simple = await fetch(`${platform.graphqlUrl}/graphql`, {
      method: 'POST',
      body: '{"query":"{__typename}"}',
      headers: { 'content-type': 'text/plain' },
    });
    expect([400, 415]).toContain(simple.status);
    const get = await fetch(`${platform.graphqlUrl}/graphql?query=${encodeURIComponent('{ plans { nodes { code } } }')}`);
    expect(get.status).toBe(400);
    expect(await get.json()).toMatchObject({ errors: [{ extensions: { code: 'csrf_refused' } }] });
  });

  test('in an array, as a number, or as invalid JSON is rejected', async () => {
    for (const body of [
      '[{"query":"{ __typename }"}]',
      '5',
      'null',
      '"x"',
      '{',
      '{"query": 5}',
      '{"query": {"a": 1}}',
      '{"query": "{ __typename }", "variables": 5}',
      '{"query": "{ __typename }", "operationName": 5}',
      '{"__proto__": {"query": "{ __typename }"}}',
    ]) {
      const response = await fetch(`${platform.graphqlUrl}/graphql`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      });
      expect({ body, status: response.status }).toEqual({ body, status: 400 });
      expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: expect.any(String) } }] });
    }
    const put = await fetch(`${platform.graphqlUrl}/graphql`, {
      method: 'PUT',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    });
    expect([404, 405]).toContain(put.status);
  });
});

describe('variables', () => {
  test.each([
    ['of a wrong type', create, { input: { ...club, name: 5 } }],
    ['with an unknown member', create, { input: { ...club, colour: 'red' } }],
    ['that are missing', create, {}],
    ['with an unknown enum value', create, { input: { ...club, type: 'club' } }],
    ['above a range', create, { input: { ...club, foundedYear: 99_999 } }],
    ['too long', create, { input: { ...club, name: 'x'.repeat(201) } }],
    ['with NUL', create, { input: { ...club, name: 'a\0b' } }],
    ['with an unpaired surrogate', create, { input: { ...club, name: '\ud800' } }],
    ['with a bad id', create, { input: { ...club, parentOrganizationId: 'x' } }],
    ['with __proto__', create, { input: { ...club, ...JSON.parse('{"facilities":[{"name":"x","__proto__":{"a":1}}]}') } }],
    ['beyond a page', 'query ($n: Int!) { organizations(first: $n) { nodes { id } } }', { n: 101 }],
    ['of no page', 'query ($n: Int!) { organizations(first: $n) { nodes { id } } }', { n: 0 }],
    ['with a bad cursor', 'query ($c: String!) { organizations(after: $c) { nodes { id } } }', { c: 'x' }],
    ['with a bad id to read', 'query ($id: ID!) { organization(id: $id) { id } }', { id: "1' or 1=1" }],
    ['with a bad date', 'query ($d: DateTime!) { organizations(filter: { updatedSince: $d }) { nodes { id } } }', { d: 'x' }],
  ])('%s are rejected, whatever else is selected', async (_, query, variables) => {
    const { status, body } = await owner.graphql(query, variables);
    expect(status).toBeLessThan(500);
    const codes = (body.errors ?? []).map((error: { extensions: { code: string } }) => error.extensions.code);
    expect(codes.length).toBeGreaterThan(0);
    expect(codes).not.toContain('internal');
    expect(codes).not.toContain('INTERNAL_SERVER_ERROR');
  });

  test('in the document are checked like variables', async () => {
    for (const document of [
      '{ organizations(first: 101) { nodes { id } } }',
      '{ organizations(filter: { q: "" }) { nodes { id } } }',
      '{ organizations(filter: { updatedSince: "x" }) { nodes { id } } }',
      '{ organization(id: "x") { id } }',
      '{ organizations { nodes { teams(first: 1000) { nodes { id } } } } }',
      '{ organizations(filter: { q: "a\\u0000b" }) { nodes { id } } }',
      'mutation { createOrganization(input: { type: CLUB, name: "", country: "DE", sports: [FOOTBALL] }) { id } }',
    ]) {
      const { status, body } = await owner.graphql(document);
      expect({ document, failed: status >= 500, errors: body.errors?.length ?? 0 }).toEqual({
        document,
        failed: false,
        errors: expect.any(Number),
      });
      expect(body.errors?.[0]?.extensions?.code ?? document).toMatch(
        /parameter_invalid|validation_failed|BAD_USER_INPUT|GRAPHQL_VALIDATION_FAILED|not_found|cursor_invalid|query_too_complex/,
      );
    }
  });
});

describe('a name chosen by the client', () => {
  const names =
    'constructor toString valueOf hasOwnProperty then toJSON default class return this arguments eval null true undefined _ parent context variables data errors callback'.split(
      ' ',
    );

  test.each(names)('%s is usable as alias, variable, fragment and operation name', async (name) => {
    const query = `query ${name} ($${name}: Boolean!, $code: ID!) {
      ${name}: plan(code: $code) { ...${name} }
    }
    fragment ${name} on Plan { ${name}: code name @skip(if: $${name}) limits @include(if: $${name}) { ${name}: perDay } }`;
    const { body } = await owner.graphql(query.replace('$code: ID!', '$code: String!'), { [name]: true, code: 'plenty' });
    expect(body).toEqual({ data: { [name]: { [name]: 'plenty', limits: { [name]: 1_000_000_000 } } } });
  });
});
