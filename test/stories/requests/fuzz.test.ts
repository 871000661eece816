/** No request to any REST route of the published document causes a platform error. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { arbitraryOf, type Schema } from './schema-arbitrary.ts';

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../../schema/generated/openapi/v1.json'), 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};
const resolve = (ref: string): Schema => document.components.schemas[ref.split('/').at(-1) ?? ''] ?? {};

let platform: TestPlatform;
let owner: Client;
let known: string[];
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Fuzz' });
  const club = await owner.post('/organizations', {
    type: 'CLUB',
    name: 'Fuzz',
    country: 'DE',
    sports: ['FOOTBALL'],
    status: 'ACTIVE',
  });
  const team = await owner.post('/organizations/teams', {
    name: 'Fuzz',
    sport: 'FOOTBALL',
    category: 'MEN',
    organizationId: club.body.id,
  });
  const athlete = await owner.post('/athletes', {
    displayName: 'Fuzz',
    sex: 'MALE',
    nationalities: ['DE'],
    sports: [{ sport: 'FOOTBALL' }],
    dateOfBirth: '1990-01-01',
    status: 'ACTIVE',
  });
  const competition = await owner.post('/competitions', { name: 'Fuzz', sport: 'FOOTBALL', type: 'CUP', status: 'PUBLISHED' });
  const membership = await owner.post('/organizations/memberships', {
    personType: 'ATHLETE',
    personId: athlete.body.id,
    organizationId: club.body.id,
    role: 'PLAYER',
  });
  known = [club, team, athlete, competition, membership].map(({ body }) => body.id);
  expect(known.filter((id) => typeof id !== 'string')).toEqual([]);
});
afterAll(() => platform.close());

const hostile = fc.oneof(
  fc.constantFrom(
    '',
    ',',
    ',,',
    "'",
    '%',
    '\\',
    '\0',
    '1e999',
    '-1',
    '9007199254740993',
    '__proto__',
    '0',
    '101',
    '🏉',
    '*',
    '9999-12-31T23:59:59.999Z',
  ),
  fc.string({ maxLength: 20 }),
);
const asText = (value: unknown): string =>
  Array.isArray(value) ? value.map(asText).join(',') : typeof value === 'string' ? value : JSON.stringify(value);

/** The headers that each method supports; others are rejected, which would hide errors behind that check. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  'if-match': ['patch', 'delete'],
  'idempotency-key': ['post'],
  'if-none-match': ['get'],
};

/** One request to one operation: mostly valid by the document, sometimes not. */
function requestTo(path: string, method: string, { parameters = [], requestBody }: Operation) {
  const ids = fc.oneof(
    { weight: 8, arbitrary: fc.nat(4).map((at) => known[at] ?? '') },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: hostile },
  );
  const query = parameters.filter((each) => each.in === 'query');
  const values = Object.fromEntries(
    query.map(({ name, schema }) => [
      name,
      fc.oneof({ weight: 15, arbitrary: arbitraryOf(schema, resolve, ids).map(asText) }, { weight: 1, arbitrary: hostile }),
    ]),
  );
  const [media] = Object.values(requestBody?.content ?? {});
  return fc.record({
    method: fc.constant(method.toUpperCase()),
    path: ids.map((id) => path.replaceAll(/\{\w+\}/g, encodeURIComponent(id)).replace(/^\/api\/v1/, '')),
    query: fc
      .tuple(fc.record(values), fc.subarray(Object.keys(values), { maxLength: Math.min(3, query.length) }))
      .map(([all, chosen]) => chosen.map((name) => `${name}=${encodeURIComponent(all[name] ?? '')}`).join('&')),
    body: media
      ? fc.oneof(
          { weight: 20, arbitrary: arbitraryOf(media.schema, resolve, ids).map((value) => JSON.stringify(value)) },
          { weight: 1, arbitrary: hostile },
        )
      : fc.constant(undefined),
    headers: fc
      .record({
        'if-match': fc.oneof(
          { weight: 6, arbitrary: fc.constant('*') },
          { weight: 1, arbitrary: fc.constantFrom('"1"', '1', 'W/"1-x"', '"', ',', 'x') },
        ),
        'idempotency-key': fc.oneof(
          { weight: 9, arbitrary: fc.uuid() },
          { weight: 1, arbitrary: fc.constantFrom('a', 'b', 'x y') },
        ),
        'if-none-match': fc.constantFrom('"1"', ',', '*'),
      })
      .map((all) => Object.fromEntries(Object.entries(all).filter(([name]) => allowed[name]?.includes(method) === true))),
    keyed: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  });
}

const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
  Object.entries(operations)
    // a stream does not end
    .filter(([method]) => ['get', 'post', 'patch', 'delete', 'put'].includes(method) && path !== '/events/stream')
    .map(([method, operation]) => [path, method, operation] as const),
);

test('no response is 500 or above, and every rejection is a valid problem', async () => {
  const reached = new Map<number, number>();
  const runsPerRoute = 10;
  for (const [path, method, operation] of routes) {
    await fc.assert(
      fc.asyncProperty(
        requestTo(path, method, operation),
        async ({ method: verb, path: filled, query, body, headers, keyed }) => {
          const target = query === '' ? filled : `${filled}?${query}`;
          const client = keyed ? owner : platform.anonymous;
          const response = await client.send(target, {
            method: verb,
            headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
            ...(body === undefined ? {} : { body }),
          });
          reached.set(response.status, (reached.get(response.status) ?? 0) + 1);
          if (response.status >= 500)
            throw new Error(`${verb} ${target} is ${response.status}: ${JSON.stringify(response.body)}`);
          if (response.status >= 400) {
            expect(response.body).toMatchObject({
              status: response.status,
              code: expect.any(String),
              requestId: expect.any(String),
            });
          }
        },
      ),
      { numRuns: runsPerRoute },
    );
  }
  // enough requests passed validation to be meaningful
  const succeeded = [...reached].filter(([status]) => status < 300).reduce((sum, [, count]) => sum + count, 0);
  expect(succeeded).toBeGreaterThan(routes.length);
});
