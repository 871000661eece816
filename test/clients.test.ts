/** Third-party clients of both APIs: Apollo Client, and a typed client generated from the OpenAPI document. */
import { ApolloClient, CombinedGraphQLErrors, gql, HttpLink, InMemoryCache } from '@apollo/client/core';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildClientSchema, getIntrospectionQuery, printSchema, type IntrospectionQuery } from 'graphql';
import { createHash } from 'node:crypto';
import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { readText } from './architecture/source.ts';
import type { Client } from './client.ts';
import { compile, run } from './typed-program.ts';
import { openTestPlatform, type TestPlatform } from './test-platform.ts';
import { loadSupergraph } from '../router/supergraph.ts';

let platform: TestPlatform;
let club: Client & { readonly key: string };
let organizationId: string;

beforeAll(async () => {
  platform = await openTestPlatform();
  club = await platform.account({ account: 'FC Clients' });
  const create = async (path: string, body: object): Promise<string> => {
    const { status, body: resource } = await club.post(path, body);
    expect({ status, resource }).toMatchObject({ status: 201 });
    return resource.id;
  };
  const playing = { sport: 'FOOTBALL' };
  organizationId = await create('/organizations', {
    type: 'CLUB',
    name: 'FC Clients',
    country: 'PT',
    sports: ['FOOTBALL'],
    status: 'ACTIVE',
  });
  const teamId = await create('/organizations/teams', { ...playing, name: 'First', category: 'WOMEN', organizationId });
  const personId = await create('/athletes', {
    displayName: 'Marta Ferreira',
    dateOfBirth: '1998-02-03',
    sex: 'FEMALE',
    nationalities: ['PT'],
    sports: [playing],
    status: 'ACTIVE',
  });
  const membership = { personType: 'ATHLETE', personId, organizationId, teamId, role: 'PLAYER', startDate: '2026-07-01' };
  await create('/organizations/memberships', membership);
  await platform.settled();
});
afterAll(() => platform.close());

describe('Apollo Client', () => {
  /** Requests as `POST {query}` or `POST {extensions}`, with the status of the response. */
  const sent: { method: string; url: URL; body: Record<string, unknown>; status: number }[] = [];

  function open({ key, persisted = false }: { key?: string; persisted?: boolean } = {}): ApolloClient {
    const http = new HttpLink({
      uri: `${platform.graphqlUrl}/graphql`,
      headers: key === undefined ? {} : { 'x-api-key': key },
      fetch: async (target, init) => {
        const response = await fetch(target, init);
        const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {};
        sent.push({
          method: init?.method ?? 'GET',
          url: new URL(target instanceof Request ? target.url : target),
          body,
          status: response.status,
        });
        return response;
      },
    });
    const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
    const link = persisted ? new PersistedQueryLink({ sha256, useGETForHashedQueries: true }).concat(http) : http;
    return new ApolloClient({ cache: new InMemoryCache(), link });
  }

  const squad = gql`
    query squad($id: ID!) {
      organization(id: $id) {
        id
        name
        teams {
          nodes {
            id
            members {
              nodes {
                id
                athlete {
                  id
                  displayName
                }
              }
            }
          }
        }
      }
    }
  `;

  test('one query crosses areas, and the cache identifies every object by type and id', async () => {
    const client = open();
    const { data } = await client.query({ query: squad, variables: { id: organizationId } });
    expect(data).toMatchObject({
      organization: {
        name: 'FC Clients',
        teams: { nodes: [{ members: { nodes: [{ athlete: { displayName: 'Marta Ferreira' } }] } }] },
      },
    });
    expect(Object.keys(client.extract() as object).map((name) => name.split(':')[0])).toEqual(
      expect.arrayContaining(['Organization', 'Team', 'Membership', 'Athlete']),
    );
  });

  const found = gql`
    mutation found($input: CreateOrganizationInput!) {
      createOrganization(input: $input, idempotencyKey: "apollo-client-1") {
        id
        version
      }
    }
  `;
  const input = { type: 'ACADEMY', name: 'Academia Clients', country: 'PT', sports: ['FOOTBALL'], status: 'ACTIVE' };

  test('a mutation with an Idempotency-Key writes, and its repetition returns the same resource', async () => {
    const client = open({ key: club.key });
    const first = await client.mutate({ mutation: found, variables: { input } });
    const repeated = await client.mutate({ mutation: found, variables: { input } });
    expect(first.data).toMatchObject({ createOrganization: { version: 1 } });
    expect(repeated.data).toEqual(first.data);
  });

  test.each([
    ['without a key', undefined, input, { code: 'api_key_missing' }],
    [
      'with invalid input',
      'valid',
      { ...input, name: '' },
      { code: 'validation_failed', errors: [expect.objectContaining({ parameter: 'createOrganization.input.name' })] },
    ],
  ])('a mutation %s fails with a code to branch on', async (_, key, variables, extensions) => {
    const client = open(key === undefined ? {} : { key: club.key });
    const mutating = client.mutate({ mutation: found, variables: { input: variables } });
    const error = await mutating.then(
      () => null,
      (fault: unknown) => fault,
    );
    expect(CombinedGraphQLErrors.is(error) && error.errors[0]?.extensions).toMatchObject(extensions);
  });

  test('a persisted query is sent in full once, then by its hash over GET', async () => {
    for (const expected of [['GET', 'POST'], ['GET']]) {
      sent.length = 0;
      const { data } = await open({ persisted: true }).query({ query: squad, variables: { id: organizationId } });
      expect(data).toMatchObject({ organization: { name: 'FC Clients' } });
      expect(sent.map(({ method }) => method)).toEqual(expected);
      expect(sent[0]?.url.searchParams.has('query')).toBe(false);
    }
  });
});

describe('GraphQL over plain HTTP', () => {
  const get = (query: string, headers: Record<string, string>): Promise<Response> =>
    fetch(`${platform.graphqlUrl}/graphql?${new URLSearchParams({ query }).toString()}`, { headers });

  test('a query by GET requires a header that forces a preflight', async () => {
    const query = '{ plans { nodes { code } } }';
    const rejected = await get(query, {});
    expect([rejected.status, await rejected.json()]).toMatchObject([400, { errors: [{ extensions: { code: 'csrf_refused' } }] }]);
    const reply = await get(query, { 'apollo-require-preflight': 'true', accept: 'application/graphql-response+json' });
    expect(reply.headers.get('content-type')).toMatch(/^application\/graphql-response\+json/);
    expect(await reply.json()).toMatchObject({ data: { plans: { nodes: expect.arrayContaining([{ code: 'starter' }]) } } });
  });

  test('a mutation by GET is rejected and writes nothing', async () => {
    const mutation = `mutation { deleteOrganization(id: "${organizationId}", ifMatch: "*") { id } }`;
    const reply = await get(mutation, { 'apollo-require-preflight': 'true', 'x-api-key': club.key });
    expect(reply.status).toBe(405);
    expect((await club.get(`/organizations/${organizationId}`)).status).toBe(200);
  });

  test('introspection returns the complete public schema and nothing of administration', async () => {
    const { body } = await platform.anonymous.graphql(getIntrospectionQuery());
    const schema = buildClientSchema(body.data as IntrospectionQuery);
    const publicSchema = printSchema(schema);
    const names = (text: string): string[] =>
      [...text.matchAll(/^(?:type|input|enum|interface|union|scalar) (\w+)/gm)].map(([, name = '']) => name);
    expect(names(publicSchema)).toEqual(expect.arrayContaining(['Athlete', 'Organization', 'Prospect', 'CreateAthleteInput']));
    const ofAdministrators = names(loadSupergraph().schemas.admin).filter(
      (name) => !names(readText('schema/generated/api.graphql')).includes(name),
    );
    expect(ofAdministrators).toContain('IssueApiKeyInput');
    expect(names(publicSchema).filter((name) => ofAdministrators.includes(name))).toEqual([]);
    expect(publicSchema).not.toMatch(/issueApiKey|createPlan|_entities|_service|\bref: ID/);
  });
});

describe('a typed client generated from schema/generated/openapi/v1.json', () => {
  const types = async (): Promise<string> =>
    astToString(await openapiTypescript(JSON.parse(readText('schema/generated/openapi/v1.json')) as OpenAPI3));

  /** A partner's program: the compiler checks every path, parameter, body and response. */
  const program = `import createClient from 'openapi-fetch';
import type { paths } from './v1.ts';

const [, , baseUrl = '', key = ''] = process.argv;
const api = createClient<paths>({ baseUrl, headers: { 'x-api-key': key } });

const list = await api.GET('/organizations', { params: { query: { country: ['PT'], sort: 'name', limit: 1 } }, querySerializer: { array: { style: 'form', explode: false } } });
// a member is optional: the caller may have chosen others by fields=
const names: (string | undefined)[] = list.data?.data.map(({ name }) => name) ?? [];
const more: boolean | undefined = list.data?.page.hasMore;

const created = await api.POST('/organizations', {
  body: { type: 'RECRUITER', name: 'Typed Scouts', country: 'PT', sports: ['FOOTBALL'], status: 'ACTIVE' },
});
const id: string = created.data?.id ?? '';
const one = await api.GET('/organizations/{id}', { params: { path: { id } } });
const missing = await api.GET('/organizations/{id}', { params: { path: { id: 'nobody' } } });
const code: string | undefined = missing.error?.code;

console.log(JSON.stringify({ names, more, created: created.response.status, name: one.data?.name, missing: missing.response.status, code }));
`;

  test('a correct program compiles, and an incorrect one does not', async () => {
    const wrong = program
      .replace("'RECRUITER'", "'ORCHESTRA'")
      .replace('limit: 1', "limit: 'one'")
      .replace('one.data?.name', 'one.data?.nickname')
      .replace("'/organizations/{id}', { params: { path: { id } }", "'/orgs/{id}', { params: { path: { id } }");
    const v1 = await types();
    expect(compile({ 'v1.ts': v1, 'partner.ts': program })).toEqual([]);
    const faults = compile({ 'v1.ts': v1, 'partner.ts': wrong });
    expect(faults).toHaveLength(4);
    expect(faults.join('\n')).toMatch(/'string' is not assignable to type 'number'[^]*ORCHESTRA[^]*orgs[^]*nickname/);
  });

  test('the same program lists, creates and reads resources, and receives a problem', async () => {
    expect(await run(program, [`${platform.restUrl}/api/v1`, club.key])).toEqual({
      names: ['Academia Clients'],
      more: true,
      created: 201,
      name: 'Typed Scouts',
      missing: 404,
      code: 'not_found',
    });
  });
});
