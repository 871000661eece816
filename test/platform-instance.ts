/** Starts a whole platform on a clone of the template database, in one process or in separate processes. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../platform/log.ts';
import { guardStore, openLocalStore } from '../platform/images/image-store.ts';
import { networkOf } from '../platform/http/networks.ts';
import { areaRole, relayRole, routerRole, sandboxRole } from '../platform/database/roles.ts';
import { listen } from '../platform/http/service.ts';
import { createPlanner } from '../router/planner/planner.ts';
import { loadSupergraph } from '../router/supergraph.ts';
import { areas, type Area } from '../schema/areas.ts';
import type { Scope } from '../schema/scopes.ts';
import { SYSTEM } from '../schema/viewer.ts';
import { openPlatform } from '../wiring/platform.ts';
import { openArea } from '../wiring/area.ts';
import { imagesOver } from '../wiring/images.ts';
import { createSession, signInAs } from './administrator.ts';
import { createClient, type Client } from './client.ts';
import { cloneDatabase, sandboxTemplateName } from './database.ts';
import { startProcesses } from './processes.ts';
import type { PlatformOptions, StatementCause, TestPlatform } from './test-platform.ts';

/** Shared by all platforms of this process: plans do not depend on the database. */
const planner = createPlanner(loadSupergraph());

/** Limits that no test reaches. */
const plenty = { burstPerMinute: 1_000_000, perDay: 1_000_000_000, perMonth: 1_000_000_000 };

const plentyOfNewOperations = { anonymous: 1_000_000, keyed: 1_000_000 };

const defaultScopes: readonly Scope[] = [
  'athletes:write',
  'competitions:write',
  'scouting:write',
  'scouting:read',
  'opportunities:write',
  'opportunities:read',
  'organizations:write',
  'documents:write',
  'events:read',
  'requests:read',
  'webhooks:write',
];

/** Starts a platform on its own database. */
export async function startPlatform({
  wiring = 'one process',
  freeLimits = plenty,
  routers = 1,
  instances = { router: { count: routers, isListed: false } },
  newOperationsPerMinute = plentyOfNewOperations,
  oidc = null,
  portalOidc = null,
  registration = false,
  cluster,
  eventLoopDelayMs = () => 0,
  billing,
  sandboxes,
  stripe,
  variables,
  streams,
  allowLocalUrls = true,
}: PlatformOptions = {}): Promise<TestPlatform> {
  const database = await cloneDatabase(cluster);
  const imageFolder = await mkdtemp(join(tmpdir(), 'images-'));
  const log = createLog({ name: 'test', level: 'error' });
  // tests cause its errors
  const silentLog = createLog({ name: 'test', level: 'silent' });
  const statements: { readonly name: string; readonly cause: StatementCause }[] = [];
  // projections run statements at any time, so they are counted separately from requests
  const requests = new AsyncLocalStorage<true>();
  const onStatement = (text: string): void => {
    const cause = requests.getStore() ? 'requests' : 'projections';
    statements.push({ name: /\/\* (.+?) \*\//.exec(text)?.[1] ?? text, cause });
  };
  const each = (urlOf: (area: Area) => string): Record<Area, string> =>
    Object.fromEntries(areas.map((area) => [area, urlOf(area)])) as Record<Area, string>;
  const databases = {
    areas: each((area) => database.pooledUrlAs(areaRole(area))),
    router: database.pooledUrlAs(routerRole),
    routerListen: database.urlAs(routerRole),
    relay: each(() => database.urlAs(relayRole)),
  };
  const graphAs = () => () => Promise.reject(new Error('administration does not query other areas'));
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
  const plan: TestPlatform['plan'] = async (code, limits, mayWrite = true, streams = 1_000) => {
    const price = { amountMinor: 0, currency: 'EUR' };
    const input = { code, name: code, price, limits, writes: mayWrite, webhooks: 1_000, streams };
    await administer('mutation ($input: CreatePlanInput!) { createPlan(input: $input) { code } }', { input });
  };
  await administer('mutation ($input: ChangePlanInput!) { changePlan(code: "free", ifMatch: "*", input: $input) { version } }', {
    input: { limits: freeLimits },
  });
  await plan('plenty', plenty);

  const open = async () => {
    if (wiring === 'separate processes') {
      const unsupported = () => Promise.reject(new Error('supported by a platform in one process only'));
      return {
        ...(await startProcesses(database, { instances, imageFolder, stripe, variables })),
        maintain: unsupported,
        flushUsage: unsupported,
      };
    }
    const all = await openPlatform({
      log,
      databases,
      images: imagesOver(guardStore(openLocalStore(imageFolder), silentLog), 'http://localhost:4000', database.secrets),
      secrets: database.secrets,
      trustedProxies: [networkOf('127.0.0.1')],
      publicUrl: null,
      baseDomain: 'talent.test',
      eventLoopDelayMs,
      newOperationsPerMinute,
      oidc,
      portal: { registration, oidc: portalOidc },
      allowLocalUrls,
      billing,
      stripe,
      streams,
      onStatement,
      planner,
      sandboxes: { ownerUrl: database.urlAs(sandboxRole), template: sandboxTemplateName, reopenMs: 0, ...sandboxes },
      // timers are off: a test calls platform.maintain() and platform.flushUsage()
      maintenanceMs: Infinity,
      catchUpMs: Infinity,
      usageEveryMs: Infinity,
    });
    all.app.server.prependListener('request', () => requests.enterWith(true));
    const url = await listen(all.app, { host: '127.0.0.1', port: 0 });
    return {
      restUrl: url,
      graphqlUrl: url,
      internalUrl: null,
      routerUrls: [url],
      processes: null,
      async settled() {
        await all.relay.drain();
        await all.workers.drain();
        await all.sandboxes?.drain();
        await all.router.noticeChanges();
      },
      async maintain() {
        await all.relay.maintain();
        await all.workers.maintain();
        await all.sandboxes?.maintain();
        await all.router.noticeChanges();
      },
      async flushUsage() {
        if (!(await all.router.usage.flush())) throw new Error('the usage was not flushed: the database is unavailable');
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
    imageFolder,
    administer,
    plan,
    anonymous: client(null),
    administrator: (role = 'OWNER') => createSession(platform.graphqlUrl, administer, role),
    administratorWithPassword: (role = 'OWNER') => signInAs(platform.graphqlUrl, administer, role),
    statements: (cause = 'requests') =>
      statements
        .splice(0)
        .filter((statement) => statement.cause === cause)
        .map(({ name }) => name),
    async account({ account = 'Test', scopes = defaultScopes, plan: code = 'plenty' } = {}) {
      const input = { accountName: account, name: 'test', plan: code, scopes };
      const data = await administer('mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key } }', { input });
      const { key } = data['issueApiKey'] as { key: string };
      return { ...client(key), key };
    },
    async close() {
      await platform.close();
      await accounts.close();
      await database.drop();
      await rm(imageFolder, { recursive: true, force: true });
    },
  };
}
