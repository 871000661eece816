/** `npm run bench`: compares the platform's APIs with hand-written routes and the stock gateway over one database, or runs another measurement. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { resolve } from 'node:path';
import { runCommand } from '../commands/command.ts';
import { checkParts } from './check.ts';
import { measureCosts } from './costs/measure.ts';
import { printCosts } from './costs/table.ts';
import { measureDashboard } from './dashboard.ts';
import { openBenchDatabase, type BenchDatabase } from './database.ts';
import { measureEvents, printEvents } from './events.ts';
import { measureGateways } from './gateways/measure.ts';
import { gatewayRows } from './gateways/rows.ts';
import { composeShop } from './gateways/supergraph.ts';
import { printGateways } from './gateways/table.ts';
import { printLatencies } from './latency.ts';
import { measureInteractions, printInteractions } from './interactions/measure.ts';
import { measureLists, printLists } from './lists.ts';
import { measure } from './measure.ts';
import { openContenders } from './open.ts';
import { help, readOptions, type Options } from './options.ts';
import { printHotspots } from './profile.ts';
import { contenders, openPlatform, rows as allRows } from './rows.ts';
import { measureOverload, printOverload } from './overload.ts';
import { measureProtection, printProtection } from './protection.ts';
import { measureQuotas } from './quotas/measure.ts';
import { printQuotas } from './quotas/table.ts';
import { measureRequests, printRequests } from './requests/measure.ts';
import { measureSizing, printSizing } from './sizing.ts';
import { measureStandings } from './standings.ts';
import { measureCacheAges, printCacheAges } from './cache.ts';
import { measureScouting, printScouting } from './scouting.ts';
import { measureStreams, printStreams } from './streams.ts';
import { measureStarts, printStarts } from './start.ts';
import { printTable, ratiosOf } from './table.ts';
import { openTraceReceiver } from './trace-receiver.ts';
import { printWebhooks } from './webhook-table.ts';
import { measureWebhooks } from './webhooks.ts';

/** The result of a measurement: figures and conditions for a file, and tables to print. */
interface Outcome {
  readonly facts: object;
  readonly conditions: string;
  readonly tables: string;
}

const report = (line: string): void => console.error(line);

async function openDatabase({ athletes, instead }: Options, resources: AsyncDisposableStack): Promise<BenchDatabase> {
  report(`PostgreSQL with ${athletes} athletes …`);
  const opening = openBenchDatabase(athletes, { durable: instead === 'quotas' });
  // parts may already run when opening fails; they close themselves then
  resources.defer(async () => {
    const opened = await opening.catch(() => null);
    await opened?.close();
  });
  return opening;
}

async function measureContenders(options: Options, database: BenchDatabase, resources: AsyncDisposableStack): Promise<Outcome> {
  const { only, athletes, seconds, rounds, connections } = options;
  const rows = allRows.filter(({ name }) => only.length === 0 || only.includes(name));
  const names = rows.map(({ contender }) => contender);
  const openOf = await openContenders(
    contenders,
    names,
    { ...database, shop: null, isProfiled: options.profileFolder !== null, traceReceiver: await openTraceReceiver(resources) },
    resources,
  );
  report(`${new Set(names).size} contenders are open.`);
  const measured = await measure(rows, openOf, { ...options, key: database.key, report });
  return {
    facts: { athletes, seconds, rounds, connections, rows: measured, ratios: ratiosOf(measured) },
    conditions: `${athletes} athletes,\n${connections} connections, ${rounds} rounds of ${seconds} s.`,
    tables: printTable(measured),
  };
}

async function measureShop(options: Options): Promise<Outcome> {
  const { only, peer, seconds, rounds, connections } = options;
  const shop = { ...composeShop(), peer: peer === null ? null : resolve(peer) };
  const rows = gatewayRows.filter(({ name, isPeer }) => (only.length === 0 || only.includes(name)) && (!isPeer || peer !== null));
  if (rows.length === 0) throw new Error('Say where the peer is installed: --peer FOLDER.');
  const measured = await measureGateways(rows, { ...options, shop, report });
  const facts = { seconds, rounds, connections, rows: measured };
  const bytes = measured[0]?.bytes ?? 0;
  const conditions = `responses of ${bytes} bytes,\n${connections} connections, ${rounds} rounds of ${seconds} s.`;
  return { facts, conditions, tables: printGateways(measured) };
}

/** The measurements that an option selects instead of the comparison with the contenders. */
const measurements: Readonly<
  Record<NonNullable<Options['instead']>, (options: Options, resources: AsyncDisposableStack) => Promise<Outcome>>
> = {
  gateways: (options) => measureShop(options),
  sizing: async (options, resources) => {
    const sizing = await measureSizing(await openDatabase(options, resources), options, report);
    return { facts: { sizing }, conditions: `${options.connections} connections.`, tables: printSizing(sizing) };
  },
  start: async () => {
    const taken = await measureStarts(report);
    return { facts: { starts: taken }, conditions: 'from the command to the first list.', tables: printStarts(taken) };
  },
  lists: async (options, resources) => {
    const database = await openDatabase(options, resources);
    const lists = await measureLists(database, await openPlatform(database, resources), report);
    return { facts: { lists }, conditions: `${options.athletes} athletes, one client.`, tables: printLists(lists) };
  },
  scouting: async (options, resources) => {
    const scouting = await measureScouting(await openDatabase(options, resources), report);
    return { facts: { scouting }, conditions: `${options.athletes} athletes, one client.`, tables: printScouting(scouting) };
  },
  cache: async (options, resources) => {
    const ages = await measureCacheAges(await openDatabase(options, resources), 10_000, report);
    return { facts: { ages }, conditions: '10,000 random operations.', tables: printCacheAges(ages) };
  },
  costs: async (options, resources) => {
    const database = await openDatabase(options, resources);
    const costs = await measureCosts(database, { only: options.only, attackSeconds: options.seconds * 4, report });
    return { facts: { ...costs }, conditions: `${options.athletes} athletes, one client.`, tables: printCosts(costs) };
  },
  protection: async (options, resources) => {
    const protection = await measureProtection(await openDatabase(options, resources), report);
    return { facts: { protection }, conditions: 'an area stopped for 60 s.', tables: printProtection(protection) };
  },
  overload: async (options, resources) => {
    const overload = await measureOverload(await openDatabase(options, resources), options.seconds, report);
    return { facts: { overload }, conditions: `${options.seconds} s per load.`, tables: printOverload(overload) };
  },
  quotas: async (options, resources) => {
    const quotas = await measureQuotas(await openDatabase(options, resources), { ...options, report });
    return { facts: { quotas }, conditions: `${options.rounds} rounds of ${options.seconds} s.`, tables: printQuotas(quotas) };
  },
  dashboard: async (options, resources) => {
    const database = await openDatabase(options, resources);
    const latencies = await measureDashboard(database, await openPlatform(database, resources), report);
    return { facts: { latencies }, conditions: 'one administrator.', tables: printLatencies(latencies) };
  },
  interactions: async (options, resources) => {
    const database = await openDatabase(options, resources);
    const interactions = await measureInteractions(database, await openPlatform(database, resources), report);
    return { facts: { interactions }, conditions: 'one page.', tables: printInteractions(interactions) };
  },
  events: async (options, resources) => {
    const database = await openDatabase(options, resources);
    const events = await measureEvents(database, await openPlatform(database, resources), report);
    return { facts: { events }, conditions: `${options.athletes} athletes, one process.`, tables: printEvents(events) };
  },
  streams: async (options, resources) => {
    const database = await openDatabase(options, resources);
    const streams = await measureStreams(database, await openPlatform(database, resources), report);
    return { facts: { streams }, conditions: `${options.athletes} athletes.`, tables: printStreams(streams) };
  },
  requests: async (options, resources) => {
    const requests = await measureRequests(await openDatabase(options, resources), report);
    return { facts: { requests }, conditions: 'one client.', tables: printRequests(requests) };
  },
  standings: async (options, resources) => {
    const database = await openDatabase(options, resources);
    const latencies = await measureStandings(database, await openPlatform(database, resources), report);
    return { facts: { latencies }, conditions: 'one client.', tables: printLatencies(latencies) };
  },
  webhooks: async (options, resources) => {
    const webhooks = await measureWebhooks(await openDatabase(options, resources), report);
    return { facts: { webhooks }, conditions: 'two workers, four endpoints.', tables: printWebhooks(webhooks) };
  },
};

async function outcomeOf(options: Options, resources: AsyncDisposableStack): Promise<Outcome> {
  const measurement = options.instead === null ? null : measurements[options.instead];
  return measurement === null
    ? measureContenders(options, await openDatabase(options, resources), resources)
    : measurement(options, resources);
}

async function main(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (options === null) return console.log(help);
  const { check, profileFolder, json } = options;
  if (profileFolder !== null) mkdirSync(profileFolder, { recursive: true });
  const startedAt = new Date();

  await using resources = new AsyncDisposableStack();
  // PostgreSQL is detached: without this it would outlive an interrupted benchmark
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void resources.disposeAsync().finally(() => process.exit(1)));
  if (check) return await checkParts(await openDatabase(options, resources), report);
  const { facts, conditions, tables } = await outcomeOf(options, resources);
  const machine = { cores: availableParallelism(), cpu: cpus()[0]?.model ?? '', node: process.version };
  console.log(`${startedAt.toISOString()}, Node ${machine.node}, ${machine.cores} cores (${machine.cpu}), ${conditions}`);
  console.log(`\n${tables}`);
  if (json !== null) writeFileSync(json, `${JSON.stringify({ at: startedAt.toISOString(), machine, ...facts }, null, 2)}\n`);
  await resources.disposeAsync();
  if (profileFolder !== null) console.log(await printHotspots(profileFolder));
}

await runCommand(main);
