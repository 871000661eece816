/** Invalid requests to the GraphQL API get a short message and a platform code. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { usageOf } from '../accounts/rates.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  await platform.plan('roomy', { burstPerMinute: 100_000, perDay: 1000, perMonth: 10_000 });
  owner = await platform.account({ account: 'Requests', plan: 'roomy' });
});
afterAll(() => platform.close());

describe('null for a variable with a default in a non-null position', () => {
  test.each([
    ['a page', 'query ($v: Int = 1) { athletes(first: $v) { nodes { id } } }'],
    ['a page size without a default', 'query ($v: Int) { athletes(first: $v) { nodes { id } } }'],
    ['an order', 'query ($v: AthleteSort = NAME_ASC) { athletes(sort: $v) { nodes { id } } }'],
    ['a nested page size', 'query ($v: Int = 1) { organizations { nodes { teams(first: $v) { nodes { id } } } } }'],
    [
      'a page size within a fragment',
      'query ($v: Int = 1) { organizations { nodes { ...f } } } fragment f on Organization { teams(first: $v) { nodes { id } } }',
    ],
    ['a condition', 'query ($v: Boolean = true) { athletes(first: 1) @include(if: $v) { nodes { id } } }'],
  ])('is rejected by name: %s', async (_, text) => {
    const { status, body } = await owner.graphql(text, { v: null });
    expect({ status, code: body.errors[0].extensions.code }).toEqual({ status: 400, code: 'parameter_invalid' });
    expect(body.errors[0].extensions.errors).toMatchObject([{ parameter: 'v', detail: expect.stringContaining('"$v"') }]);
    expect((await owner.graphql(text)).body.errors).toBeUndefined();
  });

  test('counts one request; in a nullable position it is accepted', async () => {
    const before = (await usageOf(owner)).day;
    const text =
      'query ($v: Int = 100) { athletes(first: 100) { nodes { organization { teams(first: $v) { nodes { id } } } } } }';
    expect((await owner.graphql(text, { v: null })).status).toBe(400);
    expect((await usageOf(owner)).day).toBe(before + 1);
    const open = 'query ($f: AthleteFilter = { q: "ab" }) { athletes(filter: $f) { nodes { id } } }';
    expect((await owner.graphql(open, { f: null })).body.errors).toBeUndefined();
  });
});

describe('thousands of violations are reported briefly', () => {
  const many = (count: number, member: (index: number) => string): Record<string, unknown> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [member(index), 1]));
  const create = 'mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { id } }';
  const list = 'query ($f: OrganizationFilter) { organizations(filter: $f) { nodes { id } } }';
  const club = { type: 'CLUB', name: 'x', country: 'DE', sports: ['FOOTBALL'] };

  test.each([
    ['unknown members', create, { input: many(15_000, (index) => `unknown${index}`) }],
    ['a long unknown member', create, { input: { ...club, ['x'.repeat(200_000)]: 1 } }],
    ['a long value', create, { input: { ...club, type: 'x'.repeat(200_000) } }],
    ['a large value', create, { input: { ...club, name: many(15_000, (index) => `unknown${index}`) } }],
    ['items', list, { f: { country: Array.from({ length: 15_000 }, () => 'xx') } }],
    ['too many items', list, { f: { country: Array.from({ length: 40_000 }, () => 'xx') } }, 'payload_too_large'],
    ['ids', create, { input: { ...club, externalIds: Array.from({ length: 5_000 }, () => ({ scheme: '', value: '' })) } }],
  ])('%s', async (_, text, variables, code = 'parameter_invalid|validation_failed') => {
    const { status, body } = await owner.graphql(text, variables);
    expect({ status: status >= 400 && status < 500, code: body.errors[0].extensions.code }).toEqual({
      status: true,
      code: expect.stringMatching(new RegExp(`^(${code})$`)),
    });
    expect(JSON.stringify(body).length).toBeLessThan(64_000);
    expect(body.errors[0].message.length).toBeLessThan(1_000);
  });
});

describe('a persisted operation', () => {
  test.each([
    ['that is a number', 5],
    ['of another version', { version: 2, sha256Hash: 'a'.repeat(64) }],
    ['whose hash is an object', { version: 1, sha256Hash: {} }],
    ['with an invalid hash', { version: 1, sha256Hash: '__proto__' }],
    ['with the hash of another text', { version: 1, sha256Hash: 'a'.repeat(64) }],
  ])('%s is parameter_invalid', async (_, persistedQuery) => {
    const query = '{ __typename }';
    const extensions = { persistedQuery };
    const accept = 'application/graphql-response+json';
    const posted = await fetch(`${platform.graphqlUrl}/graphql`, {
      method: 'POST',
      headers: { accept, 'content-type': 'application/json' },
      body: JSON.stringify({ query, extensions }),
    });
    const search = new URLSearchParams({ query, extensions: JSON.stringify(extensions) });
    const got = await fetch(`${platform.graphqlUrl}/graphql?${search.toString()}`, {
      headers: { accept, 'apollo-require-preflight': '1' },
    });
    for (const response of [posted, got]) {
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'parameter_invalid' } }] });
    }
  });
});

describe('another method', () => {
  const send = (method: string, headers: Record<string, string> = {}) =>
    fetch(`${platform.graphqlUrl}/graphql`, { method, headers, body: method === 'PUT' ? '{' : null });

  test.each(['PUT', 'PATCH', 'DELETE', 'HEAD'])('%s is method_not_allowed, with the supported ones', async (method) => {
    const response = await send(method, { 'content-type': 'text/plain' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, OPTIONS, POST']);
    if (method !== 'HEAD')
      expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'method_not_allowed' } }] });
  });

  test('OPTIONS returns the supported methods, and the CORS headers', async () => {
    const plain = await send('OPTIONS');
    expect([plain.status, plain.headers.get('allow')]).toEqual([204, 'GET, OPTIONS, POST']);
    const requested = {
      origin: 'https://a.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-api-key',
    };
    const { status, headers } = await send('OPTIONS', requested);
    expect(status).toBe(204);
    expect(Object.fromEntries(headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'x-api-key',
    });
  });
});
