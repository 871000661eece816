/** `npm run bench -- --check`: starts every part once and requires equal responses, so that the benchmark cannot rot unnoticed. */
import { keysOf } from '../schema/records.ts';
import { openAccounts, type BenchDatabase } from './database.ts';
import { measureCacheAges } from './cache.ts';
import { measureDashboard } from './dashboard.ts';
import { measureEvents } from './events.ts';
import { checkGateways } from './gateways/measure.ts';
import { gatewayRows } from './gateways/rows.ts';
import { composeShop } from './gateways/supergraph.ts';
import { measureLists } from './lists.ts';
import { requestAll } from './measure.ts';
import { openContender, openContenders } from './open.ts';
import { measureCost } from './quotas/cost.ts';
import { measureExactness } from './quotas/exactness.ts';
import { measureRevocations } from './quotas/revocations.ts';
import { contenders, openPlatform, rows } from './rows.ts';
import { measureRequests } from './requests/measure.ts';
import { measureScouting } from './scouting.ts';
import { measureStandings } from './standings.ts';
import { measureWebhooks } from './webhooks.ts';
import { measureStreams } from './streams.ts';

type Report = (line: string) => void;

async function checkContenders(database: BenchDatabase): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const openOf = await openContenders(contenders, keysOf(contenders), { ...database, shop: null }, resources);
  await requestAll(rows, openOf, database.key);
}

/** Throws Error when a limit was not exact. */
async function checkQuotas(database: BenchDatabase, report: Report): Promise<void> {
  const administration = await openAccounts(database);
  const router = await openContender(['router'], { ...database, shop: null });
  try {
    const cost = { name: 'check', rounds: 1, seconds: 0.1, warmUpSeconds: 0.1, clientCounts: [1], environment: {}, report };
    await measureCost(database, administration, cost);
    const inexact = (await measureExactness([router.url], administration, { seed: 'check', runs: 2, report })).find(
      ({ limit, granted }) => limit !== granted,
    );
    if (inexact !== undefined) throw new Error(`${inexact.granted} requests were granted of a limit of ${inexact.limit}.`);
    await measureRevocations(router.url, administration, { name: 'check', times: 1 });
  } finally {
    await router.close();
    await administration.close();
  }
}

/** Lists, tables, events and pages on one platform. */
async function checkReads(database: BenchDatabase, report: Report): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const platform = await openPlatform(database, resources);
  await measureLists(database, platform, report, { reads: 1, warmUps: 0 });
  await measureStandings(database, platform, report, { certified: 4, warmUps: 2, reads: 2 });
  await measureEvents(database, platform, report, { events: 100, settleSeconds: 0, idleSeconds: 0.1 });
  await measureStreams(database, platform, report, { subscribers: 10, updates: 1, scores: 2, areSeparate: false });
  await measureDashboard(database, platform, report, { keys: 100, accounts: 10, reads: 1 });
}

/** Throws Error when an event was lost, or arrived too early. */
async function checkWebhooks(database: BenchDatabase, report: Report): Promise<void> {
  const { lost, disordered, unverified } = await measureWebhooks(database, report, { events: 500, kills: 1, killEveryMs: 500 });
  if (lost + disordered + unverified > 0)
    throw new Error(`${lost} events were lost, ${disordered} came too early, ${unverified} were not signed correctly.`);
}

/** Each part by name. Parts that wait for outages and flushes run in the full benchmark only. */
const checks: Readonly<Record<string, (database: BenchDatabase, report: Report) => Promise<unknown>>> = {
  requests: checkContenders,
  cache: (database, report) => measureCacheAges(database, 100, report),
  gateways: () =>
    checkGateways(
      gatewayRows.filter(({ isPeer }) => !isPeer),
      { ...composeShop(), peer: null },
    ),
  'lists, standings, events, streams and dashboard': checkReads,
  scouting: (database, report) => measureScouting(database, report, 1),
  quotas: checkQuotas,
  'request log': (database, report) => measureRequests(database, report, { rows: 5_000, reads: 1, warmUps: 0 }),
  webhooks: checkWebhooks,
};

/** Runs every part once over the database. Throws Error that names the part that failed. */
export async function checkParts(database: BenchDatabase, report: Report): Promise<void> {
  for (const [name, check] of Object.entries(checks)) {
    await check(database, () => undefined).catch((cause: unknown) => {
      throw new Error(`The benchmark of ${name} failed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    });
    report(`${name}: passed`);
  }
}
