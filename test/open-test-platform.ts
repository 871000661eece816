/** Opens worlds, outside of the sandbox of the test files that use them. */
import { createLog } from '../platform/log.ts';
import { networkOf } from '../platform/http/networks.ts';
import { areaRole, relayRole, routerRole } from '../platform/database/roles.ts';
import { listen } from '../platform/http/service.ts';
import type { OidcSettings } from '../router/administration/oidc.ts';
import { createPlanner } from '../router/planner/planner.ts';
import { loadSupergraph } from '../router/supergraph.ts';
import { areas, type Area } from '../schema/areas.ts';
import type { Scope } from '../schema/scopes.ts';
import { SYSTEM } from '../schema/viewer.ts';
import { openPlatform } from '../wiring/platform.ts';
import { openArea } from '../wiring/area.ts';
import { planCacheFolder } from '../wiring/router.ts';
import { comeAs, signInAs } from './administrator.ts';
import { createClient, type Client } from './client.ts';
import { cloneDatabase } from './database.ts';
import { startProcesses } from './processes.ts';
import type { Wiring, TestPlatform } from './test-platform.ts';

/** Planning depends on nothing of a world, and its thread reads the supergraph for most of a second. */
const planner = createPlanner({ ...loadSupergraph(), cacheFolder: planCacheFolder });

/** Large enough to never matter, for worlds that are not about quotas. */
const plenty = { burstPerMinute: 1_000_000, perDay: 1_000_000_000, perMonth: 1_000_000_000 };

const plentyOfNewOperations = { anonymous: 1_000_000, keyed: 1_000_000 };

const writes: readonly Scope[] = [
  'athletes:write',
  'competitions:write',
  'scouting:write',
  'scouting:read',
  'opportunities:write',
  'opportunities:read',
  'organizations:write',
  'events:read',
];

/** Opens a world, as test/test-platform.ts says. */
export async function openTestPlatform(
  wiring: Wiring = 'one process',
  freeLimits = plenty,
  routers = 1,
  newOperationsPerMinute = plentyOfNewOperations,
  oidc: OidcSettings | null = null,
): Promise<TestPlatform> {
  const database = await cloneDatabase();
  const log = createLog({ name: 'test', level: 'error' });
  const ran: string[] = [];
  const onStatement = (text: string): void => void ran.push(/\/\* (.+?) \*\//.exec(text)?.[1] ?? text);
  const each = (role: (area: Area) => string): Record<Area, string> =>
    Object.fromEntries(areas.map((area) => [area, database.urlAs(role(area))])) as Record<Area, string>;
  const databases = {
    areas: each(areaRole),
    router: database.urlAs(routerRole),
    routerListen: database.urlAs(routerRole),
    relay: each(() => relayRole),
  };
  const graphAs = () => () => Promise.reject(new Error('administration needs no other area'));
  const accounts = await openArea('accounts', { databaseUrl: databases.areas.accounts, secrets: database.secrets, log, graphAs });

  async function administer(query: string, variables: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    const { data, errors } = await accounts.query({
      query,
      variables,
      operationName: null,
      viewer: SYSTEM,
      requestId: 'test',
      signal: undefined,
    });
    if (errors || !data) throw new Error(JSON.stringify(errors));
    return data;
  }
  const plan: TestPlatform['plan'] = async (code, limits, mayWrite = true) => {
    const input = { code, name: code, price: { amountMinor: 0, currency: 'EUR' }, limits, writes: mayWrite };
    await administer('mutation ($input: CreatePlanInput!) { createPlan(input: $input) { code } }', { input });
  };
  await administer('mutation ($input: ChangePlanInput!) { changePlan(code: "free", ifMatch: "*", input: $input) { version } }', {
    input: { limits: freeLimits },
  });
  await plan('plenty', plenty);

  const open = async () => {
    if (wiring === 'separate processes') {
      const upkeep = () => Promise.reject(new Error('only one process does its upkeep when it is told to'));
      return { ...(await startProcesses(database, routers)), upkeep, metered: upkeep };
    }
    const all = await openPlatform({
      log,
      databases,
      secrets: database.secrets,
      trustedProxies: [networkOf('127.0.0.1')],
      publicUrl: null,
      // The test runs in the same thread, and may hold it up for long.
      maxEventLoopDelayMs: 0,
      newOperationsPerMinute,
      oidc,
      onStatement,
      planner,
      // Time does its work when the test says so: world.upkeep(), world.metered().
      maintenanceMs: Infinity,
      catchUpMs: Infinity,
      usageEveryMs: Infinity,
    });
    const url = await listen(all.app, { host: '127.0.0.1', port: 0 });
    return {
      restUrl: url,
      graphqlUrl: url,
      internalUrl: null,
      routerUrls: [url],
      processes: null,
      settled: () => all.relay.drain(),
      upkeep: () => all.relay.maintain(),
      async metered() {
        if (!(await all.router.usage.flush())) throw new Error('what was metered waits for the database');
      },
      close: all.close,
    };
  };
  const platform = await open();
  const client = (key: string | null): Client =>
    createClient({ restUrl: platform.restUrl, graphqlUrl: platform.graphqlUrl, key });

  return {
    ...platform,
    database,
    administer,
    plan,
    anonymous: client(null),
    administrator: (role = 'OWNER') => comeAs(platform.graphqlUrl, administer, role),
    administratorWithPassword: (role = 'OWNER') => signInAs(platform.graphqlUrl, administer, role),
    // The relay asks whenever it likes.
    statements: () => ran.splice(0).filter((name) => !/^(relay|upkeep)\./.test(name)),
    async account({ account = 'Test', scopes = writes, plan: code = 'plenty' } = {}) {
      const input = { accountName: account, name: 'test', plan: code, scopes };
      const data = await administer('mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key } }', { input });
      const { key } = data['issueApiKey'] as { key: string };
      return { ...client(key), key };
    },
    async close() {
      await platform.close();
      await accounts.close();
      await database.drop();
    },
  };
}
