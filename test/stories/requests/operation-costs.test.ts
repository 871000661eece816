/** The cost of an operation in its response: the root field rateLimit, and extensions.cost. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createClub } from '../organizations/clubs.ts';

let platform: TestPlatform;
let client: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  await platform.plan('counted', { burstPerMinute: 600, perDay: 1_000, perMonth: 2_000 });
  client = await platform.account({ account: 'Costs', plan: 'counted', scopes: [] });
  const owner = await platform.account({ account: 'Clubs' });
  await createClub(owner);
  await createClub(owner);
});
afterAll(() => platform.close());

const costs = { 'x-graphql-cost': '1' };

describe('rateLimit', () => {
  test('returns the cost of the operation and the quota after it was charged', async () => {
    const window = '{ limit used remaining resetAt }';
    const { body, headers } = await client.graphql(
      `{ rateLimit { cost points plan limit used remaining resetAt burst ${window} day ${window} month ${window} }
         organizations(first: 100) { nodes { teams(first: 3) { nodes { id } } } } }`,
    );
    const { rateLimit } = body.data;
    expect(rateLimit).toMatchObject({
      cost: 5,
      points: 401,
      plan: 'counted',
      limit: 1_000,
      used: 5,
      remaining: 995,
      burst: { limit: 600 },
      day: { limit: 1_000, used: 5, remaining: 995 },
      month: { limit: 2_000, used: 5, remaining: 1_995 },
    });
    expect(rateLimit.burst.remaining).toBeLessThanOrEqual(599);
    expect(headers.get('ratelimit')).toContain('"day";r=995');
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    expect(rateLimit.resetAt).toBe(`${tomorrow}T00:00:00.000Z`);
  });

  test('works with aliases, fragments, conditions, and next to introspection', async () => {
    const { body } = await client.graphql(
      `query ($yes: Boolean!, $no: Boolean!) {
        first: rateLimit { __typename ...left }
        ...roots @include(if: $yes)
        ... @skip(if: $yes) { skipped: rateLimit { limit } }
        rateLimit @include(if: $no) { limit }
        __type(name: "RateLimit") { name }
        __typename
      }
      fragment left on RateLimit { remaining: limit window: day { max: limit } }
      fragment roots on Query { second: rateLimit { plan } }`,
      { yes: true, no: false },
    );
    expect(body).toEqual({
      data: {
        first: { __typename: 'RateLimit', remaining: 1_000, window: { max: 1_000 } },
        second: { plan: 'counted' },
        __type: { name: 'RateLimit' },
        __typename: 'Query',
      },
    });
    expect(Object.keys(body.data)).toEqual(['first', 'second', '__type', '__typename']);
  });

  test('is the same with closures and with generated code, between fields of several areas', async () => {
    const query = `query mixed($first: Int!) {
      a: organizations(first: $first) { nodes { name } }
      ...quota
      b: plans(first: 1) { nodes { code } }
    }
    fragment quota on Query { rateLimit { plan cost } c: organizations(first: $first) { nodes { id opportunities(first: 1) { nodes { id } } } } }`;
    const answers = [];
    for (let run = 0; run < 4; run += 1) answers.push((await client.graphql(query, { first: 2 })).body);
    const [first] = answers;
    expect(Object.keys(first.data)).toEqual(['a', 'rateLimit', 'c', 'b']);
    expect(first).toMatchObject({ data: { rateLimit: { plan: 'counted', cost: 1 }, b: { nodes: [{}] } } });
    expect(first.data.c.nodes).toHaveLength(2);
    expect(answers).toEqual([first, first, first, first]);
  });

  test('is separate for each caller of the same anonymous operation', async () => {
    const query = '{ rateLimit { used } organizations { nodes { name } } }';
    const once = (address: string) => platform.anonymous.graphql(query, {}, { 'x-forwarded-for': address });
    await once('203.0.113.50');
    const answers = await Promise.all([once('203.0.113.50'), once('203.0.113.51')]);
    expect(answers.map(({ body }) => body.data.rateLimit.used)).toEqual([2, 1]);
  });

  test('is null for administrators and not counted for them', async () => {
    const administrator = await platform.administrator('VIEWER');
    expect((await administrator.graphql('{ rateLimit { cost } }', {})).body).toEqual({ data: { rateLimit: null } });
  });

  test('is in the schema text, without internal fields', async () => {
    const response = await fetch(`${platform.graphqlUrl}/graphql/schema.graphql`);
    const text = await response.text();
    expect(text).toMatch(/^ {2}rateLimit: RateLimit$/m);
    expect(text).not.toContain('documentChecks');
  });
});

describe('extensions.cost', () => {
  const query = '{ organizations(first: 50) { nodes { id displayed: name organizationType: type } } }';

  test('is sent on request, with estimated and actual points and the charged units', async () => {
    expect((await client.graphql(query)).body.extensions).toBeUndefined();
    const { body } = await client.graphql(query, {}, costs);
    expect(body.data.organizations.nodes).toHaveLength(2);
    expect(body.extensions).toEqual({ cost: { estimated: 50, actual: 2, units: 1 } });
  });

  test('counts weights, fragments and lists of the response', async () => {
    const text = `query ($first: Int!) { organizations(first: $first) { edges { node { ...club } } } a: organizations(first: 1) { nodes { id } } }
      fragment club on Organization { id teams(first: 5) { nodes { id } } }`;
    const { body } = await client.graphql(text, { first: 10 }, costs);
    expect(body.extensions.cost).toEqual({ estimated: 61, actual: 3, units: 1 });
  });

  test('of a write is at least one unit; a rejected operation has none', async () => {
    const owner = await platform.account({ account: 'Writer' });
    const write = await owner.graphql(
      'mutation { registerDocuments(items: [{ text: "{ __typename }" }]) { summary { created } } }',
      {},
      costs,
    );
    expect(write.body.extensions.cost).toEqual({ estimated: 300, actual: 300, units: 3 });
    expect((await client.graphql('{ nothing }', {}, costs)).body).not.toHaveProperty('extensions');
  });
});
