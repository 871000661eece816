/** What is dear counts as much through either door, and nothing dear is cheap for being written cleverly. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openWorld, type World } from '../world.ts';
import { used } from './rates.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await world.plan('roomy', { burstPerMinute: 100_000, perDay: 1000, perMonth: 10_000 });
  await world.plan('narrow', { burstPerMinute: 100_000, perDay: 5, perMonth: 10_000 });
});
afterAll(() => world.close());

const colleges = (count: number, scheme: string) =>
  Array.from({ length: count }, (_, index) => ({
    type: 'UNIVERSITY',
    name: `College ${index}`,
    country: 'US',
    sports: [],
    externalIds: [{ scheme, value: `c-${index}` }],
  }));
const upsert = 'mutation ($items: [CreateOrganizationInput!]!) { upsertOrganizations(items: $items) { summary { created } } }';

test('a batch of 25 counts as 3 requests, through REST and through GraphQL', async () => {
  const client = await world.account({ account: 'Batches', plan: 'roomy' });
  expect((await client.post('/organizations/batch', { items: colleges(25, 'REST') })).body.summary.created).toBe(25);
  expect((await used(client)).day).toBe(3);
  const { body } = await client.graphql(upsert, { items: colleges(25, 'GRAPHQL') });
  expect(body).toEqual({ data: { upsertOrganizations: { summary: { created: 25 } } } });
  expect((await used(client)).day).toBe(6);
});

test('a batch that does not fit is refused before anything is written, with a wait', async () => {
  const client = await world.account({ account: 'Narrow', plan: 'narrow' });
  const { status, headers, body } = await client.graphql(upsert, { items: colleges(200, 'NARROW') });
  expect({ status, code: body.errors[0].extensions.code }).toEqual({ status: 429, code: 'quota_exceeded' });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await client.get('/organizations?mine=true')).body.data).toEqual([]);
});

test('each write of one document counts', async () => {
  const client = await world.account({ account: 'Writes', plan: 'roomy' });
  const create = (alias: string) =>
    `${alias}: createOrganization(input: { type: UNIVERSITY, name: "${alias}", country: "US", sports: [] }) { id }`;
  const { body } = await client.graphql(`mutation { ${['a', 'b', 'c'].map(create).join(' ')} }`);
  expect(Object.keys(body.data)).toEqual(['a', 'b', 'c']);
  expect((await used(client)).day).toBe(3);
});

test('lists of which only the end is asked for count their size', async () => {
  const client = await world.account({ account: 'Lists', plan: 'roomy' });
  const lists = (count: number) =>
    `{ ${Array.from({ length: count }, (_, index) => `a${index}: athletes(first: 100) { pageInfo { hasMore } }`).join(' ')} }`;
  expect((await client.graphql(lists(5))).status).toBe(200);
  expect((await used(client)).day).toBe(5);
  const { status, body } = await client.graphql(lists(21));
  expect({ status, code: body.errors[0].extensions.code }).toEqual({ status: 400, code: 'query_too_complex' });
  expect(body.errors[0].message).toContain('20 root fields and lists');
  expect((await used(client)).day).toBe(6);
});

test('lists within a list that has no `first` count for as many items as it may hold', async () => {
  const client = await world.account({ account: 'Attending', plan: 'roomy' });
  const ask = (within: string) =>
    client.graphql(`query ($id: ID!) { opportunity(id: $id) { attendingOrganizations { id ${within} } } }`, {
      id: '00000000-0000-4000-8000-000000000000',
    });
  await ask('name');
  expect((await used(client)).day).toBe(1);
  await ask('teams(first: 100) { nodes { id } }');
  expect((await used(client)).day).toBe(102);
  const { status, body } = await ask('teams(first: 100) { nodes { members(first: 20) { nodes { id } } } }');
  expect({ status, code: body.errors[0].extensions.code }).toEqual({ status: 400, code: 'query_too_complex' });
});
