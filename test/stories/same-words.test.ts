/** What is wrong with a value is said in the same words at both doors. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';

let world: World;
let owner: Client;
beforeAll(async () => {
  world = await openWorld();
  owner = await world.account({ account: 'Words' });
});
afterAll(() => world.close());

interface Told {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly code: string;
  readonly detail: string;
}
const club = { type: 'CLUB', name: 'x', country: 'DE', sports: ['FOOTBALL'] };
const words = (faults: readonly Told[]): string[] => faults.map(({ code, detail }) => `${code}: ${detail}`).toSorted();

test.each([
  [
    'too long and out of range',
    { name: 'x'.repeat(201), foundedYear: 99_999 },
    ['createOrganization.input.foundedYear', 'createOrganization.input.name'],
  ],
  ['too short', { name: '' }, ['createOrganization.input.name']],
  ['of another shape', { city: 'x'.repeat(500), name: '' }, ['createOrganization.input.city', 'createOrganization.input.name']],
  ['deep within', { facilities: [{ name: '' }] }, ['createOrganization.input.facilities.0.name']],
  [
    'in no country',
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
  const [fault] = graph.body.errors;
  expect(rest.body).toMatchObject({ status: 422, code: 'validation_failed' });
  expect({ status: graph.status, code: fault.extensions.code }).toEqual({ status: 422, code: 'validation_failed' });
  expect(words(fault.extensions.errors)).toEqual(words(rest.body.errors));
  expect(fault.extensions.errors.map(({ parameter }: Told) => parameter).toSorted()).toEqual(places);
  expect(fault.message).toContain(rest.body.detail.replace(/^\S+ /, ''));
});

test('a parameter out of bounds', async () => {
  const rest = await owner.get('/organizations?limit=101');
  const graph = await owner.graphql('{ organizations(first: 101) { nodes { id } } }');
  expect(words(rest.body.errors)).toEqual(['out_of_bounds: must be at most 100']);
  expect(words(graph.body.errors[0].extensions.errors)).toEqual(words(rest.body.errors));
  expect(graph.body.errors[0].message).toBe('organizations.first must be at most 100.');
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
])('a country that there is not, in the filter of %s by %s', async (path, parameter) => {
  const field = path.split('/').at(-1) ?? path;
  const rest = await owner.get(`/${path}?${parameter}=DE,ZZ`);
  const literal = await owner.graphql(`{ ${field}(filter: {${parameter}: ["DE", "ZZ"]}) { nodes { id } } }`);
  const variable = await owner.graphql(
    `query ($codes: [CountryCode!]) { ${field}(filter: {${parameter}: $codes}) { nodes { id } } }`,
    { codes: ['DE', 'ZZ'] },
  );
  expect(rest.body).toMatchObject({ status: 400, code: 'parameter_invalid', errors: [{ parameter }] });
  expect(rest.body.detail).toContain('must be a country: ISO 3166-1 alpha-2');
  for (const { status, body } of [literal, variable]) {
    const { code, errors } = body.errors[0].extensions;
    expect({ status, code }).toEqual({ status: 400, code: 'parameter_invalid' });
    expect(errors).toEqual([{ ...rest.body.errors[0], parameter: `${field}.filter.${parameter}.1` }]);
  }
  expect((await owner.get(`/${path}?${parameter}=GB-ENG,XK`)).status).toBe(200);
});
