/** `npm run cluster`: the services of docker-compose.yml as processes of this machine, without Docker. */
import './production.ts';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import type { Logger } from 'pino';
import { readEnvironment } from '../platform/env.ts';
import { createLog } from '../platform/log.ts';
import { stopGracefully, type Stage } from '../platform/stop-gracefully.ts';
import { dataVariables, processVariables } from '../wiring/environment.ts';
import { openInstallation } from '../wiring/installation.ts';
import { keyedRoles } from '../wiring/keys.ts';
import { runCommand, UsageError, whole } from './command.ts';
import { prepareDatabase } from './first-start.ts';
import { startRedis } from './local-redis.ts';
import { createRoleProcesses, keyVariables, type Instances, type RoleProcesses } from './role-processes.ts';

const help = `Usage: npm run cluster [-- OPTIONS]

Starts every service of docker-compose.yml on this machine, without Docker: PostgreSQL, the migrations, then one process or more per
role. The database is that of \`npm start\`, or DATABASE_URL with SECRET. Ctrl-C stops all of it in order.

  --instances LIST     processes per role, such as router=2,athletes=2; default: 1 of each
  --redis              also starts redis-server, which must be installed; otherwise REDIS_URL, or counters in PostgreSQL
  --free-ports         free ports instead of those of docker-compose.yml
  --rolling-restart N  restarts every process N times, one by one, then stops

The other processes receive the addresses of all instances of routers and areas. For several rest processes use a load balancer
(docs/deploy/load-balancer.md). The variables of \`npm start\` apply, such as SEED, LOG_LEVEL and PUBLIC_URL.

Exit codes: 0 stopped, 1 failed, 2 wrong usage.`;

const instancesMax = 16;
/** Four levels of processes, each within the time limit of a process, and the database. */
const stopTotalMs = 240_000;

/** Throws UsageError for unknown roles and invalid numbers. */
function readInstances(text: string): Instances {
  const parts = text.split(',').filter((part) => part !== '');
  const entries = parts.map((part) => {
    const [role = '', count = ''] = part.split('=');
    if (!keyedRoles.includes(role)) throw new UsageError(`--instances: ${role} is not a role. Roles: ${keyedRoles.join(', ')}.`);
    return [role, { count: whole(`instances ${role}`, count, 1, instancesMax), isListed: true }] as const;
  });
  return Object.fromEntries(entries);
}

/** Prints the lines of a process with its name. */
function printLines(width: number) {
  return (name: string, output: Readable): void => {
    const lines = createInterface({ input: output });
    lines.on('line', (line) => console.log(`${name.padEnd(width)} | ${line}`));
  };
}

function printAddresses({ names, url, internalUrl }: RoleProcesses): void {
  const rows = names.map((name) => {
    const internal = name.startsWith('router') ? `, internal ${internalUrl(name)}` : '';
    return `  ${name.padEnd(15)} ${url(name)}${internal}`;
  });
  console.log(['The cluster is ready:', ...rows, 'Ctrl-C stops it.'].join('\n'));
}

async function restartAll(processes: RoleProcesses, rounds: number, log: Logger): Promise<void> {
  for (let round = 1; round <= rounds; round += 1)
    for (const name of processes.names) {
      const startedMs = performance.now();
      await processes.stop(name);
      await processes.start(name);
      log.info({ round, process: name, durationMs: Math.round(performance.now() - startedMs) }, 'process restarted');
    }
}

async function startCluster(values: { readonly [Name in keyof typeof options]?: string | boolean | undefined }): Promise<void> {
  const instances = readInstances(String(values.instances ?? ''));
  const rounds = whole('rolling-restart', String(values['rolling-restart'] ?? 0), 0, 100);
  const { LOG_LEVEL } = readEnvironment(process.env, processVariables);
  const { DATA_DIRECTORY } = readEnvironment(process.env, dataVariables);
  const log = createLog({ name: 'cluster', level: LOG_LEVEL });
  const installation = await openInstallation(process.env, log);
  const stages: Stage[] = [[{ name: 'database', close: installation.close }]];
  const grace = stopGracefully(stages, log, { totalMs: stopTotalMs });
  try {
    await prepareDatabase(installation, process.env, log);
    const redis = values.redis === true ? await startRedis() : null;
    if (redis !== null) stages.unshift([{ name: 'redis', close: redis.close }]);
    const processes = await createRoleProcesses({
      databaseUrl: installation.ownerUrl,
      variables: { ...process.env, ...keyVariables(installation.secrets), ...(redis !== null && { REDIS_URL: redis.url }) },
      imageFolder: process.env['IMAGE_DIRECTORY'] ?? join(DATA_DIRECTORY, 'images'),
      instances,
      usesFixedPorts: values['free-ports'] !== true,
      onOutput: printLines(15),
    });
    stages.unshift([{ name: 'processes', close: processes.close }]);
    await Promise.all(processes.names.map((name) => processes.start(name)));
    printAddresses(processes);
    if (rounds === 0) return;
    await restartAll(processes, rounds, log);
    console.log(`Restarted ${processes.names.length} processes ${rounds} times.`);
    grace.close();
  } catch (error) {
    grace.fail(error);
  }
}

const options = {
  help: { type: 'boolean', short: 'h' },
  instances: { type: 'string' },
  redis: { type: 'boolean' },
  'free-ports': { type: 'boolean' },
  'rolling-restart': { type: 'string' },
} as const;

await runCommand(async (args) => {
  const { values } = parseArgs({ args, options });
  if (values.help) return console.log(help);
  await startCluster(values);
});
