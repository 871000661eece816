/** Overload: callers are rejected by the priority of their plan, in the format of the API, and without a charge. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
let clients: Record<'free' | 'starter' | 'pro' | 'enterprise', Client>;
let delayMs = 0;

beforeAll(async () => {
  platform = await openTestPlatform({
    eventLoopDelayMs: () => delayMs,
    freeLimits: { burstPerMinute: 10_000, perDay: 50_000, perMonth: 90_000 },
  });
  const withPlan = (plan: string): Promise<Client> => platform.account({ account: plan, plan, scopes: [] });
  clients = {
    free: platform.anonymous,
    starter: await withPlan('starter'),
    pro: await withPlan('pro'),
    enterprise: await withPlan('enterprise'),
  };
});
beforeEach(async () => {
  delayMs = 0;
  expect(await rejectedPlans()).toEqual([]);
});
afterAll(() => platform.close());

const query = '{ plans { nodes { code } } }';

/** The plans whose requests are rejected, over both APIs. */
async function rejectedPlans(): Promise<string[]> {
  const rejected: string[] = [];
  for (const [plan, client] of Object.entries(clients)) {
    const statuses = [(await client.get('/organizations')).status, (await client.graphql(query)).status];
    expect([200, 503]).toContain(statuses[0]);
    expect(statuses[1]).toBe(statuses[0]);
    if (statuses[0] === 503) rejected.push(plan);
  }
  return rejected;
}

describe('while the process is busy', () => {
  test('plans are rejected in the order of their priority', async () => {
    const steps: [number, string[]][] = [
      [90, []],
      [110, ['free']],
      [210, ['free', 'starter']],
      [410, ['free', 'starter', 'pro']],
      [810, ['free', 'starter', 'pro', 'enterprise']],
    ];
    for (const [delay, expected] of steps) {
      delayMs = delay;
      expect(await rejectedPlans()).toEqual(expected);
    }
  });

  test('a rejected plan is admitted again at half of its threshold', async () => {
    delayMs = 210;
    expect(await rejectedPlans()).toEqual(['free', 'starter']);
    delayMs = 110;
    expect(await rejectedPlans()).toEqual(['free', 'starter']);
    delayMs = 90;
    expect(await rejectedPlans()).toEqual(['free']);
    delayMs = 40;
    expect(await rejectedPlans()).toEqual([]);
  });

  test('a rejection names the plan, when to retry, and charges nothing', async () => {
    const used = async (): Promise<number> => {
      delayMs = 0;
      return (await clients.starter.get('/usage')).body.day.used;
    };
    const before = await used();
    delayMs = 300;
    const rest = await clients.starter.get('/organizations');
    expect(rest.body).toMatchObject({ code: 'overloaded', status: 503, plan: 'starter' });
    expect(rest.headers.get('retry-after')).toBe('5');
    const graphql = await clients.starter.graphql(query);
    expect(graphql.status).toBe(503);
    expect(graphql.headers.get('content-type')).toMatch(/^application\/graphql-response\+json/);
    expect(graphql.headers.get('retry-after')).toBe('5');
    expect(graphql.headers.get('access-control-allow-origin')).toBe('*');
    expect(graphql.body).toEqual({
      errors: [{ message: expect.stringContaining('Retry in 5 s'), extensions: { code: 'overloaded', plan: 'starter' } }],
    });
    expect(await used()).toBe(before);
  });
});

describe('above the limit of the process', () => {
  test('every request is rejected before its key is checked, in the format of its API; probes respond', async () => {
    delayMs = 1_100;
    const { enterprise } = clients;
    const rest = await enterprise.get('/organizations');
    expect(rest.body).toMatchObject({ code: 'overloaded', status: 503 });
    const graphql = await enterprise.graphql(query);
    expect([graphql.status, graphql.headers.get('retry-after')]).toEqual([503, '1']);
    expect(graphql.headers.get('content-type')).toMatch(/^application\/graphql-response\+json/);
    expect(graphql.body).toEqual({ errors: [{ message: expect.any(String), extensions: { code: 'overloaded' } }] });
    const legacy = await fetch(`${platform.graphqlUrl}/graphql`, { method: 'PUT' });
    expect([legacy.status, await legacy.json()]).toMatchObject([503, { errors: [{ extensions: { code: 'overloaded' } }] }]);
    expect((await enterprise.get('/health')).status).toBe(200);
  });
});
