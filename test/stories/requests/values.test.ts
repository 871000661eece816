/** Invalid values have the same message in both APIs; valid dates and instants are stored unchanged. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ApiResponse, Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { facts } from '../athletes/people.ts';

let platform: TestPlatform;
let owner: Client;
let organizationId: string;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Calendar' });
  organizationId = (await owner.post('/organizations', { ...club, name: 'Calendar FC', status: 'ACTIVE' })).body.id;
});
afterAll(() => platform.close());

interface ReportedViolation {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly code: string;
  readonly detail: string;
}
const club = { type: 'CLUB', name: 'x', country: 'DE', sports: ['FOOTBALL'] };
const words = (violations: readonly ReportedViolation[]): string[] =>
  violations.map(({ code, detail }) => `${code}: ${detail}`).toSorted();

test.each([
  [
    'too long and out of range',
    { name: 'x'.repeat(201), foundedYear: 99_999 },
    ['createOrganization.input.foundedYear', 'createOrganization.input.name'],
  ],
  ['too short', { name: '' }, ['createOrganization.input.name']],
  ['of the wrong type', { city: 'x'.repeat(500), name: '' }, ['createOrganization.input.city', 'createOrganization.input.name']],
  ['deep within', { facilities: [{ name: '' }] }, ['createOrganization.input.facilities.0.name']],
  [
    'without a known country',
    { country: 'ZZ', regions: ['DE', 'EU'] },
    ['createOrganization.input.country', 'createOrganization.input.regions.1'],
  ],
  [
    'too many',
    { sports: [], aliases: Array.from({ length: 99 }, (_, index) => `a${index}`) },
    ['createOrganization.input.aliases'],
  ],
])('a value that is %s', async (_, change, places) => {
  const input = { ...club, ...change };
  const rest = await owner.post('/organizations', input);
  const graph = await owner.graphql('mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { id } }', {
    input,
  });
  const [violation] = graph.body.errors;
  expect(rest.body).toMatchObject({ status: 422, code: 'validation_failed' });
  expect({ status: graph.status, code: violation.extensions.code }).toEqual({ status: 422, code: 'validation_failed' });
  expect(words(violation.extensions.errors)).toEqual(words(rest.body.errors));
  expect(violation.extensions.errors.map(({ parameter }: ReportedViolation) => parameter).toSorted()).toEqual(places);
  expect(violation.message).toContain(rest.body.detail.replace(/^\S+ /, ''));
});

test('a parameter out of bounds', async () => {
  const rest = await owner.get('/organizations?limit=101');
  const graph = await owner.graphql('{ organizations(first: 101) { nodes { id } } }');
  expect(words(rest.body.errors)).toEqual(['out_of_bounds: must be between 1 and 100']);
  expect(words(graph.body.errors[0].extensions.errors)).toEqual(words(rest.body.errors));
  expect(graph.body.errors[0].message).toBe('`organizations.first` must be between 1 and 100.');
});

test.each([
  ['organizations', 'country'],
  ['organizations/teams', 'country'],
  ['athletes', 'country'],
  ['athletes', 'nationality'],
  ['competitions', 'country'],
  ['opportunities', 'country'],
  ['opportunities', 'nationality'],
  ['scouting/prospects', 'country'],
])('an unknown country in the filter of %s by %s', async (path, parameter) => {
  const field = path.split('/').at(-1) ?? path;
  const rest = await owner.get(`/${path}?${parameter}=DE,ZZ`);
  const literal = await owner.graphql(`{ ${field}(filter: {${parameter}: ["DE", "ZZ"]}) { nodes { id } } }`);
  const variable = await owner.graphql(
    `query ($codes: [CountryCode!]) { ${field}(filter: {${parameter}: $codes}) { nodes { id } } }`,
    { codes: ['DE', 'ZZ'] },
  );
  expect(rest.body).toMatchObject({ status: 400, code: 'parameter_invalid', errors: [{ parameter }] });
  expect(rest.body.detail).toContain('must be a country code: ISO 3166-1 alpha-2');
  for (const { status, body } of [literal, variable]) {
    const { code, errors } = body.errors[0].extensions;
    expect({ status, code }).toEqual({ status: 400, code: 'parameter_invalid' });
    expect(errors).toEqual([{ ...rest.body.errors[0], parameter: `${field}.filter.${parameter}.1` }]);
  }
  expect((await owner.get(`/${path}?${parameter}=GB-ENG,XK`)).status).toBe(200);
});

const opportunity = (more: object) => ({
  type: 'TRIAL',
  organizationId,
  title: 'Trial',
  description: 'Come and play.',
  sport: 'FOOTBALL',
  applicationDeadline: '2099-01-01T00:00:00Z',
  totalOpenings: 1,
  ...more,
});

const invalidDates = [
  '0000-01-01',
  '0000-12-31',
  '2023-02-29',
  '1900-02-29',
  '2026-00-01',
  '2026-13-01',
  '2026-01-00',
  '2026-04-31',
  '26-01-01',
  '10000-01-01',
  '+010000-01-01',
  '-0001-01-01',
  '2026-1-1',
  '2026-01-01T00:00:00Z',
  'infinity',
  'today',
  '',
  '２０２６-01-01',
];

const invalidInstants = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '9999-12-31T23:59:59.9999Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T00:00:00+23:59',
  '2026-01-01T00:00:00-18:00',
  '2026-01-01T00:00:00+14:01',
  '2026-01-01T00:00:00+12:60',
  '2016-12-31T23:59:60Z',
  '2026-01-01T24:00:00Z',
  '2026-01-01T23:60:00Z',
  '2026-01-01t00:00:00z',
  '2026-01-01 00:00:00Z',
  '2026-01-01T00:00:00',
  '2026-01-01T00:00:00+0100',
  '2026-01-01T00:00Z',
  '2026-01-01',
  'now',
  '',
];

const code = (response: ApiResponse): string => response.body.errors?.[0]?.extensions?.code ?? response.body.code;
const reportedErrors = (response: ApiResponse): string => JSON.stringify(response.body.errors);

describe.each(invalidDates)('the date %j', (day) => {
  test('is rejected in a body, with a pointer', async () => {
    const created = await owner.post('/athletes', facts({ dateOfBirth: day }));
    expect({ status: created.status, errors: created.body.errors }).toMatchObject({
      status: 422,
      errors: [{ pointer: '/dateOfBirth' }],
    });
    const nested = await owner.post('/opportunities', opportunity({ ageRange: { min: 18, referenceDate: day } }));
    expect(nested.body).toMatchObject({ status: 422, errors: [{ pointer: '/ageRange/referenceDate' }] });
    const batch = await owner.post('/athletes/batch', { items: [facts({ dateOfBirth: day })] });
    expect(batch.body.data).toMatchObject([{ error: { code: 'validation_failed', errors: [{ pointer: '/dateOfBirth' }] } }]);
  });

  test('is rejected as a parameter and as an argument, in a variable and in the document', async () => {
    expect(await owner.get(`/competitions/seasons?dateFrom=${encodeURIComponent(day)}`)).toMatchObject({ status: 400 });
    const create = 'mutation ($input: CreateAthleteInput!) { createAthlete(input: $input) { id } }';
    const mutation = await owner.graphql(create, { input: facts({ dateOfBirth: day }) });
    expect([code(mutation), reportedErrors(mutation)]).toEqual([
      'parameter_invalid',
      expect.stringContaining('input.dateOfBirth'),
    ]);
    const literal = await owner.graphql(`{ seasons(filter: { dateFrom: ${JSON.stringify(day)} }) { nodes { id } } }`);
    expect([code(literal), reportedErrors(literal)]).toEqual([
      'GRAPHQL_VALIDATION_FAILED',
      expect.stringContaining('Date cannot represent'),
    ]);
    const end = 'mutation ($id: ID!, $day: Date) { endMembership(id: $id, endDate: $day) { id } }';
    const argument = await owner.graphql(end, { id: organizationId, day });
    expect([code(argument), reportedErrors(argument)]).toEqual(['parameter_invalid', expect.stringContaining('$day')]);
  });
});

describe.each(invalidInstants)('the instant %j', (instant) => {
  test('is rejected in a body, a parameter and an argument, with its name', async () => {
    const body = await owner.post('/opportunities', opportunity({ applicationDeadline: instant }));
    expect(body.body).toMatchObject({ status: 422, errors: [{ pointer: '/applicationDeadline' }] });
    for (const list of ['athletes', 'organizations', 'athletes/statistics']) {
      const response = await owner.get(`/${list}?updatedSince=${encodeURIComponent(instant)}`);
      expect(response.body).toMatchObject({ status: 400, errors: [{ parameter: 'updatedSince' }] });
    }
    const query = 'query ($since: DateTime) { athletes(filter: { updatedSince: $since }) { nodes { id } } }';
    const graph = await owner.graphql(query, { since: instant });
    expect([code(graph), reportedErrors(graph)]).toEqual(['parameter_invalid', expect.stringContaining('$since')]);
  });
});

const number = (max: number, width: number) => fc.integer({ min: 0, max }).map((each) => String(each).padStart(width, '0'));
const years = fc.oneof(number(9999, 4), fc.constantFrom('0000', '0001', '0099', '1582', '9999'));
const days = fc.tuple(years, number(14, 2), number(33, 2)).map((parts) => parts.join('-'));
const offsets = fc.oneof(
  fc.constant('Z'),
  fc.tuple(fc.constantFrom('+', '-'), number(24, 2), number(61, 2)).map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`),
);
const fractions = fc.oneof(fc.constant(''), fc.stringMatching(/^[.][0-9]{1,10}$/));
const instants = fc
  .tuple(days, number(25, 2), number(61, 2), number(61, 2), fractions, offsets)
  .map(([day, hours, minutes, seconds, fraction, offset]) => `${day}T${hours}:${minutes}:${seconds}${fraction}${offset}`);

const acceptedOr = (response: ApiResponse, rejections: readonly number[]): boolean => {
  expect({
    status: [200, 201, ...rejections].includes(response.status) ? 'reportedErrors' : response.status,
    body: response.body,
  }).toMatchObject({
    status: 'reportedErrors',
  });
  return response.status < 300;
};

test('any date is stored unchanged, or rejected', async () => {
  await fc.assert(
    fc.asyncProperty(days, async (day) => {
      acceptedOr(await owner.get(`/competitions/seasons?dateFrom=${day}`), [400]);
      const creation = await owner.post('/opportunities', opportunity({ ageRange: { min: 18, referenceDate: day } }));
      if (!acceptedOr(creation, [422])) return;
      expect((await owner.get(`/opportunities/${creation.body.id}`)).body.ageRange.referenceDate).toBe(day);
    }),
    { numRuns: 150 },
  );
});

test('any instant is stored to the millisecond, or rejected', async () => {
  await fc.assert(
    fc.asyncProperty(instants, async (instant) => {
      acceptedOr(await owner.get(`/athletes?updatedSince=${encodeURIComponent(instant)}`), [400]);
      const creation = await owner.post('/opportunities', opportunity({ applicationDeadline: instant }));
      if (!acceptedOr(creation, [422])) return;
      const retained = Date.parse((await owner.get(`/opportunities/${creation.body.id}`)).body.applicationDeadline);
      expect(Math.abs(retained - Date.parse(instant))).toBeLessThanOrEqual(1);
    }),
    { numRuns: 150 },
  );
});
