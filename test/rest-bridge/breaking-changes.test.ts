/** Breaking changes since the last release: there are none, and each kind is found. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { breakingChanges, graphqlBreakingChanges } from '../../commands/changes.ts';
import { findBreakingChanges } from '../../rest-bridge/documentation/breaking-changes.ts';

const text = readFileSync(new URL('../../schema/generated/openapi/v1.json', import.meta.url), 'utf8');
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test changes what it knows
const parse = (): any => JSON.parse(text);

test('the APIs have no breaking change since the last release', async () => {
  expect(await breakingChanges()).toEqual([]);
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test changes what it knows
type Change = (document: any) => void;

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test changes what it knows
const patternOf = (document: any, name: string): { pattern: string } => {
  const { parameters } = document.paths['/organizations'].get;
  return parameters.find((parameter: { name: string }) => parameter.name === name).schema;
};

const breaking: [expected: string, change: Change][] = [
  ['GET /plans: removed', ({ paths }) => delete paths['/plans'].get],
  [
    'GET /athletes query sport: removed',
    ({ paths }) =>
      (paths['/athletes'].get.parameters = paths['/athletes'].get.parameters.filter(
        ({ name }: { name: string }) => name !== 'sport',
      )),
  ],
  [
    'GET /athletes query q: became required',
    ({ paths }) => (paths['/athletes'].get.parameters.find(({ name }: { name: string }) => name === 'q').required = true),
  ],
  [
    'GET /athletes query limit: maximum is stricter',
    ({ paths }) => (paths['/athletes'].get.parameters.find(({ name }: { name: string }) => name === 'limit').schema.maximum = 50),
  ],
  ['GET /organizations query near: pattern is now', (document) => (patternOf(document, 'near').pattern = String.raw`^52(,13)?$`)],
  [
    'GET /organizations query near: pattern is now',
    (document) => (patternOf(document, 'near').pattern = patternOf(document, 'near').pattern.replace(/\$$/, '(a)(b)?$')),
  ],
  ['GET /athletes: requires a key', ({ paths }) => (paths['/athletes'].get.security = [{ apiKey: [] }])],
  [
    'POST /athletes body.displayName: removed',
    ({ components }) => delete components.schemas.CreateAthleteInput.properties.displayName,
  ],
  [
    'POST /athletes body.residence: became required',
    ({ components }) => components.schemas.CreateAthleteInput.required.push('residence'),
  ],
  ['POST /athletes: no longer responds with 201', ({ paths }) => delete paths['/athletes'].post.responses['201']],
  [
    'POST /athletes 201.displayName: removed',
    ({ components }) => delete components.schemas.AthleteDetails.properties.displayName,
  ],
  [
    'POST /athletes 201.version: can be absent',
    ({ components }) =>
      (components.schemas.AthleteDetails.required = components.schemas.AthleteDetails.required.filter(
        (name: string) => name !== 'version',
      )),
  ],
  [
    'POST /athletes 201.version: the type was integer and is string',
    ({ components }) => (components.schemas.AthleteDetails.properties.version = { type: 'string' }),
  ],
  [
    'no longer accepts FOOTBALL',
    ({ components }) =>
      (components.schemas.Sport.enum = components.schemas.Sport.enum.filter((name: string) => name !== 'FOOTBALL')),
  ],
  [
    'GET /athletes/{id}: the operation was getAthlete and is readAthlete',
    ({ paths }) => (paths['/athletes/{id}'].get.operationId = 'readAthlete'),
  ],
  [
    'POST /athletes: requires the scope minors:write',
    ({ paths }) => paths['/athletes'].post['x-required-scopes'].push('minors:write'),
  ],
  [
    'POST /athletes 201: the header Location was removed',
    ({ paths }) => delete paths['/athletes'].post.responses['201'].headers.Location,
  ],
  ['GET /athletes: text/csv was removed', ({ paths }) => (paths['/athletes'].get['x-bulk-formats'] = ['application/x-ndjson'])],
  [
    'GET /athletes/{id} 200.displayName: can be absent',
    ({ components }) => {
      const { GetAthleteResponse: schema } = components.schemas;
      schema['x-required-without-fields'] = schema['x-required-without-fields'].filter((name: string) => name !== 'displayName');
    },
  ],
  [
    'POST /athletes 409 conflict.existingId: removed',
    ({ components }) => delete components.schemas.ConflictProblem.properties.existingId,
  ],
];

const harmless: [what: string, change: Change][] = [
  ['a new operation', ({ paths }) => (paths['/new'] = { get: { responses: {} } })],
  [
    'a new optional parameter',
    ({ paths }) =>
      paths['/athletes'].get.parameters.push({ name: 'more', in: 'query', required: false, schema: { type: 'string' } }),
  ],
  [
    'a new optional member of a body',
    ({ components }) => (components.schemas.CreateAthleteInput.properties.more = { type: 'string' }),
  ],
  [
    'an optional group at the end of a pattern',
    (document) => (patternOf(document, 'near').pattern = patternOf(document, 'near').pattern.replace(/\$$/, '(:(km|miles))?$')),
  ],
  ['a new member of a response', ({ components }) => (components.schemas.AthleteDetails.properties.more = { type: 'string' })],
  [
    'a problem that is no longer returned',
    ({ components }) =>
      delete components.responses.Problem409.content['application/problem+json'].schema.discriminator.mapping.in_use,
  ],
  ['another text', ({ paths }) => (paths['/athletes'].get.summary = 'Athletes')],
];

const changesOf = (change: Change): string[] => {
  const after = parse();
  change(after);
  return findBreakingChanges(parse(), after);
};

describe('the comparison', () => {
  test.each(breaking)('finds %s', (expected, change) => {
    expect(changesOf(change)).toEqual(expect.arrayContaining([expect.stringContaining(expected)]));
  });

  test.each(harmless)('allows %s', (_, change) => {
    expect(changesOf(change)).toEqual([]);
  });
});

describe('the comparison of GraphQL schemas', () => {
  const sdl = readFileSync(new URL('../../schema/generated/api.graphql', import.meta.url), 'utf8');

  test.each([
    ['a removed field', 'weightClass: String', 'weightCategory: String', "Field 'weightClass' was removed"],
    ['a removed value of an enum', /^ {2}FOOTBALL$/m, '  FUTSAL', "Enum value 'FOOTBALL' was removed"],
    ['a required argument', 'athlete(', 'athlete(sport: Sport!, ', "Argument 'sport: Sport!'"],
    [
      'a field that requires a scope',
      'me: Me @authenticated',
      'me: Me @requiresScopes(scopes: [["events:read"]])',
      "'requiresScopes'",
    ],
    ['a further scope', '[["athletes:write"]]', '[["athletes:write", "minors:write"]]', "'@requiresScopes'"],
  ])('finds %s', async (_, released, current, expected) => {
    const changed = sdl.replace(released, current);
    expect(changed).not.toBe(sdl);
    expect(await graphqlBreakingChanges(sdl, changed)).toEqual(expect.arrayContaining([expect.stringContaining(expected)]));
  });

  test.each([
    ['a new field that requires a key', 'type Query {', 'type Query {\n  more: Int @authenticated\n'],
    ['a field that requires no key any more', 'me: Me @authenticated', 'me: Me'],
    ['a new value of an enum', /^ {2}FOOTBALL$/m, '  FOOTBALL\n  FUTSAL'],
  ])('allows %s', async (_, released, current) => {
    const changed = sdl.replace(released, current);
    expect(changed).not.toBe(sdl);
    expect(await graphqlBreakingChanges(sdl, changed)).toEqual([]);
  });
});
