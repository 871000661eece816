/** Third-party GraphQL clients with their default settings: urql, and what Relay's compiler and runtime require of a schema. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cacheExchange, Client as UrqlClient, fetchExchange } from '@urql/core';
import { assertInterfaceType, buildSchema } from 'graphql';
import type { Client } from './client.ts';
import { loadSupergraph } from '../router/supergraph.ts';
import { playLeague } from './stories/competitions/leagues.ts';
import { openTestPlatform, type TestPlatform } from './test-platform.ts';

let platform: TestPlatform;
let club: Client & { readonly key: string };
let other: Client & { readonly key: string };
const ids = { organization: '', team: '', athlete: '', hidden: '', shortlist: '' };

beforeAll(async () => {
  platform = await openTestPlatform();
  club = await platform.account({ account: 'FC Nodes' });
  other = await platform.account({ account: 'FC Elsewhere' });
  const create = async (path: string, body: object): Promise<string> => {
    const { status, body: resource } = await club.post(path, body);
    expect({ status, resource }).toMatchObject({ status: 201 });
    return resource.id;
  };
  const sports = ['FOOTBALL'];
  ids.organization = await create('/organizations', { type: 'CLUB', name: 'FC Nodes', country: 'PT', sports, status: 'ACTIVE' });
  for (const name of ['First', 'Second', 'Third'])
    ids.team = await create('/organizations/teams', {
      sport: 'FOOTBALL',
      name,
      category: 'WOMEN',
      organizationId: ids.organization,
    });
  const person = { dateOfBirth: '1998-02-03', sex: 'FEMALE', nationalities: ['PT'], sports: [{ sport: 'FOOTBALL' }] };
  ids.athlete = await create('/athletes', { ...person, displayName: 'Marta Ferreira', status: 'ACTIVE' });
  ids.hidden = await create('/athletes', { ...person, displayName: 'Rita Hidden', status: 'DRAFT' });
  ids.shortlist = await create('/scouting/shortlists', { name: 'Wingers' });
  await platform.settled();
});
afterAll(() => platform.close());

describe('urql', () => {
  const methods: string[] = [];

  const open = (key: string | null, preferGetMethod?: boolean): UrqlClient =>
    new UrqlClient({
      url: `${platform.graphqlUrl}/graphql`,
      exchanges: [cacheExchange, fetchExchange],
      ...(preferGetMethod === undefined ? {} : { preferGetMethod }),
      fetchOptions: key === null ? {} : { headers: { 'x-api-key': key } },
      fetch: (target, init) => {
        methods.push(init?.method ?? 'GET');
        return fetch(target, init);
      },
    });
  const query = 'query one($id: ID!) { organization(id: $id) { name } }';
  const expected = { organization: { name: 'FC Nodes' } };

  test('a query with an API key is sent by GET and answered', async () => {
    methods.length = 0;
    const { data, error } = await open(club.key).query(query, { id: ids.organization }).toPromise();
    expect({ data, error, methods }).toMatchObject({ data: expected, error: undefined, methods: ['GET'] });
  });

  test('a query without an API key is sent by POST', async () => {
    methods.length = 0;
    const { data, error } = await open(null, false).query(query, { id: ids.organization }).toPromise();
    expect({ data, error, methods }).toMatchObject({ data: expected, error: undefined, methods: ['POST'] });
  });

  test('a rejected query has the code of its error', async () => {
    const { error } = await open(club.key).query('{ nothing }', {}).toPromise();
    expect(error?.graphQLErrors[0]?.extensions).toMatchObject({ code: 'GRAPHQL_VALIDATION_FAILED' });
  });

  test('a mutation is sent by POST', async () => {
    methods.length = 0;
    const mutation = 'mutation m($input: CreateOrganizationInput!) { createOrganization(input: $input) { version } }';
    const input = { type: 'ACADEMY', name: 'Academy of nodes', country: 'PT', sports: ['FOOTBALL'], status: 'ACTIVE' };
    const { data } = await open(club.key).mutation(mutation, { input }).toPromise();
    expect({ data, methods }).toMatchObject({ data: { createOrganization: { version: 1 } }, methods: ['POST'] });
  });
});

describe('the object identification of Relay', () => {
  const node = `query node($id: ID!) { node(id: $id) { __typename id ... on Athlete { displayName } ... on Team { name organization { name } } ... on Organization { name } } }`;
  const unknown = '00000000-0000-4000-8000-000000000000';
  const find = async (client: Client, id: string): Promise<unknown> => {
    const { body } = await client.graphql(node, { id });
    expect(body.errors).toBeUndefined();
    return body.data.node;
  };

  test('node returns a resource of any area by its id alone', async () => {
    const { organization, team, athlete } = ids;
    expect(await find(platform.anonymous, organization)).toEqual({
      __typename: 'Organization',
      id: organization,
      name: 'FC Nodes',
    });
    expect(await find(platform.anonymous, team)).toEqual({
      __typename: 'Team',
      id: team,
      name: 'Third',
      organization: { name: 'FC Nodes' },
    });
    expect(await find(platform.anonymous, athlete)).toEqual({
      __typename: 'Athlete',
      id: athlete,
      displayName: 'Marta Ferreira',
    });
  });

  test('a resource that is not visible to the caller is null, also when only its id is selected', async () => {
    const bare = 'query ($id: ID!) { node(id: $id) { __typename id } }';
    const read = async (client: Client) => (await client.graphql(bare, { id: ids.hidden })).body;
    expect(await read(platform.anonymous)).toEqual({ data: { node: null } });
    expect(await read(other)).toEqual({ data: { node: null } });
    expect(await read(club)).toEqual({ data: { node: { __typename: 'Athlete', id: ids.hidden } } });
  });

  test.each([
    ['an unknown id', () => unknown],
    ['a text that is not an id', () => 'nobody'],
    ['a resource whose root field requires a scope', () => ids.shortlist],
  ])('%s is null', async (_, id) => {
    expect(await find(club, id())).toBeNull();
  });

  test('parts of a season are nodes, for viewers who can read the season', async () => {
    const league = await playLeague(club, ['Nord', 'Sued']);
    const draft = await playLeague(club, ['Ost'], { status: 'DRAFT' }, { status: 'PLANNED' });
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename ... on Participant { name season { name } } } }';
    const wanted = [...league.participants, ...draft.participants];
    const { body } = await platform.anonymous.graphql(query, { ids: wanted });
    const part = { __typename: 'Participant', name: expect.any(String), season: { name: '2026/27' } };
    expect(body).toEqual({ data: { nodes: [part, part, null] } });
  });

  test('nodes returns one item per id in their order', async () => {
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }';
    const wanted = [ids.team, unknown, ids.athlete, ids.hidden, ids.team.toUpperCase()];
    const { body } = await platform.anonymous.graphql(query, { ids: wanted });
    const team = { __typename: 'Team', id: ids.team };
    expect(body).toEqual({ data: { nodes: [team, null, { __typename: 'Athlete', id: ids.athlete }, null, team] } });
  });

  test('every type that implements Node has the fields that Relay selects when it refetches', () => {
    const schema = buildSchema(loadSupergraph().schemas.public, { assumeValidSDL: true });
    const implementations = schema.getPossibleTypes(assertInterfaceType(schema.getType('Node')));
    expect(implementations.map(({ name }) => name)).toEqual(expect.arrayContaining(['Athlete', 'Match', 'Organization', 'Team']));
    for (const type of implementations) expect(String(type.getFields()['id']?.type)).toBe('ID!');
  });
});

describe('the cursor connections of Relay', () => {
  const query = `query ($id: ID!, $after: String) { organization(id: $id) { teams(first: 2, after: $after) {
    edges { cursor node { id } } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } } }`;

  test('page forward with startCursor, endCursor, hasNextPage and hasPreviousPage', async () => {
    const read = async (after: string | null) =>
      (await platform.anonymous.graphql(query, { id: ids.organization, after })).body.data.organization.teams;
    const first = await read(null);
    expect(first.edges).toHaveLength(2);
    expect(first.pageInfo).toEqual({
      startCursor: first.edges[0].cursor,
      endCursor: first.edges[1].cursor,
      hasNextPage: true,
      hasPreviousPage: false,
    });
    const last = await read(first.pageInfo.endCursor);
    const [only] = last.edges;
    expect(last.pageInfo).toEqual({
      startCursor: only.cursor,
      endCursor: only.cursor,
      hasNextPage: false,
      hasPreviousPage: true,
    });
    const beyond = await read(last.pageInfo.endCursor);
    expect(beyond).toEqual({
      edges: [],
      pageInfo: { startCursor: null, endCursor: null, hasNextPage: false, hasPreviousPage: true },
    });
  });
});

describe('GET /graphql/schema.graphql', () => {
  const url = (): string => `${platform.graphqlUrl}/graphql/schema.graphql`;

  test('returns the public schema, which is not counted and can be revalidated', async () => {
    const response = await fetch(url());
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('public, max-age=300');
    expect(response.headers.get('ratelimit')).toBeNull();
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.text()).toBe(loadSupergraph().schemas.public);
    const etag = response.headers.get('etag') ?? '';
    expect((await fetch(url(), { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await fetch(url(), { headers: { 'if-none-match': '"another"' } })).status).toBe(200);
  });
});
