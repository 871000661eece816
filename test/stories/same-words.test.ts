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
