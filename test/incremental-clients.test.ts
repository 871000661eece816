/** @defer and @stream with third-party clients on the whole platform: Apollo Client with both of its formats, and urql. */
import { ApolloClient, gql, HttpLink, InMemoryCache, NetworkStatus } from '@apollo/client/core';
import { Defer20220824Handler, GraphQL17Alpha9Handler } from '@apollo/client/incremental';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cacheExchange, Client as UrqlClient, fetchExchange } from '@urql/core';
import type { Client } from './client.ts';
import { mergeParts, partsOf, readParts } from './router/parts-reader.ts';
import { openTestPlatform, wirings, type TestPlatform } from './test-platform.ts';

/** The names of the athletes are in another area than those of the teams. */
const squad = /* GraphQL */ `
  query squad($id: ID!) {
    organization(id: $id) {
      id
      name
      ... @defer(label: "teams") {
        teams {
          nodes {
            id
            name
            members {
              nodes {
                id
                ... @defer(label: "athlete") {
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
    }
  }
`;
const streamed = /* GraphQL */ `
  query teams($id: ID!) {
    organization(id: $id) {
      id
      teams {
        nodes @stream(initialCount: 1) {
          id
          name
        }
      }
    }
  }
`;
const expectedSquad = {
  organization: {
    name: 'FC Parts',
    teams: {
      nodes: [
        { name: 'First', members: { nodes: [{ athlete: { displayName: 'Marta Ferreira' } }] } },
        { name: 'Second', members: { nodes: [] } },
        { name: 'Third', members: { nodes: [] } },
      ],
    },
  },
};

describe.each(wirings)('in %s', (wiring) => {
  let platform: TestPlatform;
  let club: Client & { readonly key: string };
  let id = '';

  beforeAll(async () => {
    platform = await openTestPlatform({ isolated: true, wiring });
    club = await platform.account({ account: 'FC Parts' });
    const create = async (path: string, body: object): Promise<string> => {
      const { status, body: resource } = await club.post(path, body);
      expect({ status, resource }).toMatchObject({ status: 201 });
      return resource.id;
    };
    const playing = { sport: 'FOOTBALL' };
    id = await create('/organizations', {
      type: 'CLUB',
      name: 'FC Parts',
      country: 'PT',
      sports: ['FOOTBALL'],
      status: 'ACTIVE',
    });
    const teams: string[] = [];
    for (const name of ['First', 'Second', 'Third'])
      teams.push(await create('/organizations/teams', { ...playing, name, category: 'WOMEN', organizationId: id }));
    const personId = await create('/athletes', {
      displayName: 'Marta Ferreira',
      dateOfBirth: '1998-02-03',
      sex: 'FEMALE',
      nationalities: ['PT'],
      sports: [playing],
      status: 'ACTIVE',
    });
    await create('/organizations/memberships', {
      personType: 'ATHLETE',
      personId,
      organizationId: id,
      teamId: teams[0],
      role: 'PLAYER',
      startDate: '2026-07-01',
    });
    await platform.settled();
  });
  afterAll(() => platform.close());

  const send = (query: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${platform.graphqlUrl}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'multipart/mixed;deferSpec=20220824', ...headers },
      body: JSON.stringify({ query, variables: { id } }),
    });

  describe.each([
    ['of 2022', () => new Defer20220824Handler()],
    ['of graphql-js 17', () => new GraphQL17Alpha9Handler()],
  ])('Apollo Client with the format %s', (_, handler) => {
    // Cast: the types of the client are not exact about optional members
    const incrementalHandler = handler() as NonNullable<ApolloClient.Options['incrementalHandler']>;

    /** The data after each part. */
    async function read(query: string): Promise<unknown[]> {
      const link = new HttpLink({ uri: `${platform.graphqlUrl}/graphql` });
      const client = new ApolloClient({ cache: new InMemoryCache(), link, incrementalHandler });
      const results: unknown[] = [];
      await new Promise<void>((resolve, reject) => {
        client.watchQuery({ query: gql(query), variables: { id } }).subscribe(({ data, error, networkStatus }) => {
          if (error !== undefined) reject(new Error(error.message));
          if (data !== undefined) results.push(data);
          if (networkStatus === NetworkStatus.ready) resolve();
        });
      });
      return results;
    }

    test('deferred fragments arrive one after the other', async () => {
      const results = await read(squad);
      expect(results[0]).toEqual({ organization: { __typename: 'Organization', id, name: 'FC Parts' } });
      expect(results.at(-1)).toMatchObject(expectedSquad);
    });

    test('a streamed list grows', async () => {
      const results = await read(streamed);
      expect(results[0]).toMatchObject({ organization: { teams: { nodes: [{ name: expect.any(String) }] } } });
      expect(results.at(-1)).toMatchObject({
        organization: { teams: { nodes: [{ name: 'First' }, { name: 'Second' }, { name: 'Third' }] } },
      });
    });
  });

  test('urql reads the parts with its default settings', async () => {
    const client = new UrqlClient({
      url: `${platform.graphqlUrl}/graphql`,
      exchanges: [cacheExchange, fetchExchange],
      preferGetMethod: false,
    });
    const results: unknown[] = [];
    await new Promise<void>((resolve, reject) => {
      client.query(squad, { id }).subscribe(({ data, error, hasNext }) => {
        if (error !== undefined) reject(error);
        results.push(data);
        if (!hasNext) resolve();
      });
    });
    expect(results[0]).toEqual({ organization: { id, name: 'FC Parts', __typename: 'Organization' } });
    expect(results.at(-1)).toMatchObject(expectedSquad);
  });

  test('the merged parts are the response without parts, which is charged the same', async () => {
    const asParts = { 'x-api-key': club.key };
    const parts = await send(squad, asParts);
    const whole = await send(squad, { ...asParts, accept: 'application/json' });
    const again = await send(squad, asParts);
    const { data } = (await whole.json()) as { data: unknown };
    expect(mergeParts(await readParts(parts))).toEqual(data);
    const [first, second, third] = [parts, whole, again].map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect(first).toBeGreaterThan(0);
    expect(Number(first) - Number(second)).toBe(Number(second) - Number(third));
    await again.text();
    expect(parts.headers.get('content-encoding')).toBeNull();
  });

  // in one process, no area can be stopped
  if (wiring === 'one process') return;

  test('the fields outside of a fragment arrive while the area of the fragment does not respond', async () => {
    const pid = platform.processes?.pids.get('athletes') ?? 0;
    const parts = partsOf(await send(squad));
    // plans and connections exist afterwards
    for await (const { hasNext } of parts) if (!hasNext) break;
    process.kill(pid, 'SIGSTOP');
    try {
      const stopped = partsOf(await send(squad));
      const [first, second] = [(await stopped.next()).value, (await stopped.next()).value];
      expect(first).toEqual({ data: { organization: { id, name: 'FC Parts' } }, hasNext: true });
      expect(second).toMatchObject({ incremental: [{ label: 'teams', path: ['organization'] }], hasNext: true });
      process.kill(pid, 'SIGCONT');
      expect((await stopped.next()).value).toMatchObject({
        incremental: [{ label: 'athlete', data: { athlete: { displayName: 'Marta Ferreira' } } }],
        hasNext: false,
      });
      await stopped.return(undefined);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });

  test('the time limit of an operation includes its later parts', async () => {
    const pid = platform.processes?.pids.get('athletes') ?? 0;
    process.kill(pid, 'SIGSTOP');
    try {
      const parts = await readParts(await send(squad));
      expect(parts.at(-1)).toMatchObject({
        incremental: [{ errors: [{ extensions: { code: expect.stringMatching(/^upstream_(timeout|unavailable)$/) } }] }],
        hasNext: false,
      });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });
});
