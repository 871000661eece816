/** The search over all areas: types, order, filters, hidden resources and minors, over REST and GraphQL. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openDatabase, sql } from '../../../platform/database/database.ts';
import { areaRole } from '../../../platform/database/roles.ts';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';
import { createResource } from '../competitions/season-fixtures.ts';

let platform: TestPlatform;
let owner: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Search' });
  const club = { type: 'CLUB', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' };
  const { id: organizationId } = await createResource(owner, '/organizations', {
    ...club,
    name: 'Zürich',
    aliases: ['Limmat United'],
  });
  await createResource(owner, '/organizations', { ...club, name: 'Zürich Geheim', status: 'DRAFT' });
  const team = { sport: 'FOOTBALL', category: 'WOMEN', organizationId };
  await createResource(owner, '/organizations/teams', { ...team, name: 'Zürich Frauen' });
  await createResource(owner, '/organizations/teams', { ...team, name: 'FC Zürichsee', sport: 'HANDBALL' });
  const competition = { sport: 'FOOTBALL', type: 'CUP', status: 'PUBLISHED', country: 'CH' };
  await createResource(owner, '/competitions', { ...competition, name: 'Cup of Zurich' });
  const opportunity = {
    organizationId,
    type: 'TRIAL',
    title: 'Trial in Zürich',
    sport: 'FOOTBALL',
    totalOpenings: 5,
    description: 'All',
  };
  const applicationDeadline = new Date(Date.now() + 10 * 86_400_000).toISOString();
  const { id } = await createResource(owner, '/opportunities', { ...opportunity, applicationDeadline });
  await owner.post(`/opportunities/${id}/publish`);
  await createAthlete(owner, { displayName: 'Lena Zürich', status: 'ACTIVE', dateOfBirth: bornFor(22, 10) });
  await createAthlete(owner, { displayName: 'Mia Zürich', dateOfBirth: bornFor(15, 10) });
  await platform.settled();
});
afterAll(() => platform.close());

async function found(query: string, client: Client = platform.anonymous): Promise<string[]> {
  const { status, body } = await client.get(`/search?${query}`);
  expect({ status, detail: body.detail, unavailable: body.unavailable }).toEqual({
    status: 200,
    detail: undefined,
    unavailable: [],
  });
  return body.data.map(({ type, name }: { type: string; name: string }) => `${type} ${name}`);
}

test('all public resources are in one list, best match first', async () => {
  const all = [
    'ORGANIZATION Zürich',
    'TEAM Zürich Frauen',
    'ATHLETE Lena Zürich',
    'TEAM FC Zürichsee',
    'COMPETITION Cup of Zurich',
    'OPPORTUNITY Trial in Zürich',
  ];
  expect(await found('q=zurich')).toEqual(all);
  expect(await found('q=Z%C3%9CRICH', owner)).toEqual(all);
  expect(await found('q=zurich&limit=2')).toEqual(all.slice(0, 2));
});

test('an alias is found, and words in another order', async () => {
  expect(await found('q=limmat')).toEqual(['ORGANIZATION Zürich']);
  expect(await found('q=frauen zurich')).toEqual(['TEAM Zürich Frauen']);
  expect(await found('q=nothing like this')).toEqual([]);
});

test('types and sports limit the list', async () => {
  expect(await found('q=zurich&type=TEAM,COMPETITION')).toEqual([
    'TEAM Zürich Frauen',
    'TEAM FC Zürichsee',
    'COMPETITION Cup of Zurich',
  ]);
  expect(await found('q=zurich&sport=HANDBALL')).toEqual(['TEAM FC Zürichsee']);
});

test('GraphQL resolves the resources of all areas', async () => {
  const { body } = await platform.anonymous.graphql(`{ search(q: "zurich", first: 50) { nodes { type name node { id
    ... on Athlete { displayName } ... on Team { organization { name } } ... on Competition { country } ... on Opportunity { title } } } } }`);
  expect(body.errors).toBeUndefined();
  expect(body.data.search.nodes).toMatchObject([
    { type: 'ORGANIZATION', node: { id: expect.any(String) } },
    { node: { organization: { name: 'Zürich' } } },
    { node: { displayName: 'Lena Zürich' } },
    {},
    { node: { country: 'CH' } },
    { node: { title: 'Trial in Zürich' } },
  ]);
});

test('organizations can be filtered by city', async () => {
  const academy = { type: 'ACADEMY', name: 'Academia', country: 'PT', sports: ['FOOTBALL'], status: 'ACTIVE', city: 'São Pedro' };
  const { id } = await createResource(owner, '/organizations', academy);
  const { body } = await platform.anonymous.get('/organizations?city=sao%20pedro');
  expect(body.data.map((each: { id: string }) => each.id)).toEqual([id]);
});

test.each(['', 'q=', `q=${'x'.repeat(101)}`, 'q=a&type=MATCH', 'q=a&limit=51'])('"%s" is rejected', async (query) => {
  expect(await platform.anonymous.get(`/search?${query}`)).toMatchObject({ status: 400 });
});

test('names that equal or start with a frequent word come first, however many names contain it', async () => {
  const database = openDatabase({ url: platform.database.urlAs(areaRole('organizations')), name: 'test' });
  await database.query(sql`/* test.teams */ insert into team (account_id, name, sport, category, age_group, country, search)
    select gen_random_uuid(), 'Team Qwertz ' || n, 'FOOTBALL', 'MEN', 'SENIOR', 'DE', platform.fold('Team Qwertz ' || n) from generate_series(1, 3000) n`);
  await database.close();
  const team = { sport: 'FOOTBALL', category: 'MEN', country: 'DE' };
  for (const name of ['Qwertz Rovers', 'Qwertz', 'United of Qwertz'])
    await createResource(owner, '/organizations/teams', { ...team, name });
  const { body } = await platform.anonymous.get('/search?q=qwertz&type=TEAM&limit=3');
  const names = body.data.map(({ name }: { name: string }) => name);
  expect([names.slice(0, 2), names.length]).toEqual([['Qwertz', 'Qwertz Rovers'], 3]);
});
