/** Abuse of the GraphQL API: depth, aliases, fragments, directives, batches, introspection, and fields of other schemas. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { countRows } from '../rows.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { codeOf, expectHarmless, send } from './attack.ts';

let platform: TestPlatform;
let before: Record<string, number>;
beforeAll(async () => {
  platform = await openTestPlatform();
  await platform.settled();
  before = await countRows(platform.database);
});
afterAll(async () => {
  expect(await countRows(platform.database)).toEqual(before);
  await platform.close();
});

const repeat = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join(' ');
const nodes = (selection: string): string => `{ organizations { nodes { ${selection} } } }`;
const fragments = (count: number): string =>
  repeat(count, (index) => `fragment f${index} on Organization { ${index === 0 ? 'id' : `...f${index - 1} ...f${index - 1}`} }`);

const rejected: readonly (readonly [string, string, RegExp])[] = [
  [
    '30 levels',
    nodes(`${'teams { nodes { organization { '.repeat(15)} id ${'} } }'.repeat(15)}`),
    /query_too_deep|query_too_complex/,
  ],
  ['10,000 levels', `${'{a'.repeat(10_000)}${'}'.repeat(10_000)}`, /token_limit/],
  [
    '500 aliases of lists',
    `{ ${repeat(500, (index) => `a${index}: organizations { nodes { id } }`)} }`,
    /token_limit|query_too_complex/,
  ],
  ['2,000 aliases of fields', nodes(repeat(2_000, (index) => `a${index}: id`)), /token_limit|query_too_complex/],
  ['fragments that double 25 times', `${fragments(25)} ${nodes('...f24')}`, /query_too_complex/],
  [
    'a fragment cycle',
    `fragment a on Organization { ...b } fragment b on Organization { ...a } ${nodes('...a')}`,
    /GRAPHQL_VALIDATION_FAILED/,
  ],
  ['a fragment of itself', `fragment a on Organization { ...a } ${nodes('...a')}`, /GRAPHQL_VALIDATION_FAILED/],
  [
    '1,000 fragments',
    `${repeat(1_000, (index) => `fragment f${index} on Organization { id }`)} ${nodes('id')}`,
    /token_limit|GRAPHQL_VALIDATION_FAILED/,
  ],
  ['1,000 directives', nodes(`id ${'@include(if: true) '.repeat(1_000)}`), /GRAPHQL_VALIDATION_FAILED|token_limit/],
  ['1,000 unknown directives', nodes(`id ${repeat(1_000, (index) => `@a${index}`)}`), /GRAPHQL_VALIDATION_FAILED|token_limit/],
  [
    '1,000 variables',
    `query (${repeat(1_000, (index) => `$a${index}: Int`)}) ${nodes('id')}`,
    /GRAPHQL_VALIDATION_FAILED|token_limit/,
  ],
  ['1,000 operations', repeat(1_000, (index) => `query q${index} { __typename }`), /token_limit|OPERATION_RESOLUTION_FAILURE/],
  [
    'a list of 10,000 ids',
    `{ organizations(filter: { ids: [${repeat(10_000, () => '"a"')}] }) { nodes { id } } }`,
    /token_limit|payload_too_large/,
  ],
  [
    'an input of 200 levels',
    `{ organizations(filter: ${'{a:'.repeat(200)}1${'}'.repeat(200)}) { nodes { id } } }`,
    /GRAPHQL|query_too|token_limit/,
  ],
  [
    'lists within lists',
    '{ organizations(first: 100) { nodes { teams(first: 100) { nodes { members(first: 100) { nodes { id } } } } } } }',
    /query_too_complex/,
  ],
  [
    'introspection of introspection',
    `{ __schema { types { ${'fields { type { '.repeat(12)} name ${'} }'.repeat(12)} } } }`,
    /query_too|GRAPHQL_VALIDATION_FAILED/,
  ],
  ['a document of 300 kB', nodes(`# ${'x'.repeat(300_000)}\n id`), /payload_too_large/],
  ['fields of areas', '{ _service { sdl } }', /GRAPHQL_VALIDATION_FAILED/],
  [
    'entities of areas',
    '{ _entities(representations: [{ __typename: "Account", id: "1" }]) { __typename } }',
    /GRAPHQL_VALIDATION_FAILED/,
  ],
  ['fields of administrators', '{ administrators { nodes { email } } }', /GRAPHQL_VALIDATION_FAILED/],
  ['sign-in of administrators', '{ openSession(token: "a") { id } }', /GRAPHQL_VALIDATION_FAILED/],
  ['fields of members', '{ member { role } }', /GRAPHQL_VALIDATION_FAILED/],
  ['keys of accounts', '{ apiKeys { nodes { id } } }', /GRAPHQL_VALIDATION_FAILED/],
  [
    'a mutation that issues a key',
    'mutation { issueApiKey(input: { accountName: "x", plan: "pro" }) { key } }',
    /GRAPHQL_VALIDATION_FAILED/,
  ],
  ['a misspelled field near a hidden one', '{ administratorz { id } }', /GRAPHQL_VALIDATION_FAILED/],
  ['SQL as id', `{ organization(id: "1' or '1'='1") { id } }`, /parameter_invalid|not_found/],
  ['a control character', '{ organizations\u0000 { nodes { id } } }', /GRAPHQL_PARSE_FAILED/],
  [
    'an unpaired surrogate',
    '{ organizations(filter: { q: "\\ud800" }) { nodes { id } } }',
    /GRAPHQL_PARSE_FAILED|parameter_invalid/,
  ],
  [
    'a mutation without a key',
    'mutation { deleteOrganization(id: "00000000-0000-4000-8000-000000000000", ifMatch: "*") { id } }',
    /api_key_missing/,
  ],
];
describe('a document with', () => {
  test.each(rejected)('%s is rejected', async (_, query, code) => {
    platform.statements();
    const response = await send(platform.restUrl, { path: '/graphql', body: { query } });
    expectHarmless(response);
    expect(codeOf(response)).toMatch(code);
    expect(response.text).not.toMatch(/did you mean .*administrators/i);
    // at most the lookup of an id
    expect(platform.statements().length).toBeLessThanOrEqual(1);
  });
});

const query = '{ __typename }';
const bodies: readonly (readonly [string, unknown])[] = [
  ['a batch', [{ query }, { query }]],
  ['a batch of 1,000', Array.from({ length: 1_000 }, () => ({ query }))],
  ['an empty batch', []],
  ['null', null],
  ['a text', query],
  ['a query that is an object', { query: { $ne: '' } }],
  ['a query that is an array', { query: [query] }],
  ['variables that are a text', { query, variables: '{}' }],
  ['variables that are an array', { query, variables: [] }],
  ['an operation name that is an object', { query, operationName: {} }],
  ['an unknown operation name', { query, operationName: '__proto__' }],
  ['an unknown persisted query', { extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } }],
  ['a wrong hash of a persisted query', { query, extensions: { persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } } }],
  ['a persisted query of another version', { query, extensions: { persistedQuery: { version: 99, sha256Hash: 'a' } } }],
  ['no query', {}],
];
test.each(bodies)('%s is rejected', async (_, body) => {
  platform.statements();
  const response = await send(platform.restUrl, {
    path: '/graphql',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  expectHarmless(response);
  expect(codeOf(response)).not.toBeNull();
  expect(platform.statements()).toEqual([]);
});
