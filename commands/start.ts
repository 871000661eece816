/** `npm start`: the composition root, `node main.ts [all | router | rest | worker | sandbox | <area>]`. */
import { startup } from './startup.ts';
import { dashboardOrigin, publishSetupLink } from './first-administrator.ts';
import { startDashboardBuild } from './dashboard-start.ts';
import { prepareDatabase } from './first-start.ts';
import { startSummary } from './start-summary.ts';
import { createLog, openTerminalDestination } from '../platform/log.ts';
import { describe, readEnvironment } from '../platform/env.ts';
import { requireFreePort, listen } from '../platform/http/service.ts';
import { reloadOnSignal } from '../platform/reload-on-signal.ts';
import { stopGracefully } from '../platform/stop-gracefully.ts';
import { areas } from '../schema/areas.ts';
import { allVariables } from '../wiring/all-variables.ts';
import { ports } from '../wiring/environment.ts';
import { openObservability } from '../wiring/observability.ts';
import type { Opened, Prepare } from '../wiring/opened-process.ts';
import { openProcess, roles } from '../wiring/processes.ts';

const [role = 'all'] = process.argv.slice(2);

if (role === '--help' || role === '-h' || !roles.includes(role)) {
  const isOption = role.startsWith('-');
  if (!isOption) console.error(`Unknown role: ${role}.\n`);
  console.log(`Usage: npm start [-- ROLE]

Roles:
  all        everything in one process (default): REST and GraphQL on port ${ports['all'] ?? ''}
  rest       the REST API; needs ROUTER_URL
  router     the GraphQL API and the graph; needs <AREA>_URL, and SANDBOX_URL for test mode
  worker     the relay: events and projections; needs ROUTER_URL
  sandbox    the test data of test mode; needs ROUTER_URL
  ${areas.join(', ')}
             one area; needs ROUTER_URL

Environment:
${describe(allVariables)}`);
  process.exit(isOption ? 0 : 2);
}

function environment() {
  try {
    return readEnvironment(process.env, allVariables);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
const { LOG_LEVEL, HOST: host, PORT, INTERNAL_HOST, INTERNAL_PORT, DRAIN_SECONDS } = environment();
const isTerminal = process.stdout.isTTY;
const log = createLog({ name: role, level: LOG_LEVEL, ...(isTerminal && { destination: await openTerminalDestination() }) });
const address = { host, port: PORT ?? ports[role] ?? 0 };
const internalAddress = { host: INTERNAL_HOST, port: INTERNAL_PORT };

const prepare: Prepare = async (installation, source, preparing) => {
  await startup.databaseStarted(installation.close);
  await prepareDatabase(installation, source, preparing);
};

async function start(opened: Opened): Promise<void> {
  if (opened.internal) await listen(opened.internal, internalAddress);
  const url = await listen(opened.app, address);
  log.info({ role, address: url }, `${role} is ready`);
  const port = Number(new URL(url).port);
  const setupUrl = opened.sessions
    ? await publishSetupLink(opened.sessions, { source: process.env, port, isTerminal, log })
    : null;
  if (isTerminal && role === 'all') console.log(startSummary({ origin: dashboardOrigin(process.env, port), setupUrl }));
}

try {
  // checked first, so that a failed start does not create an embedded database
  await requireFreePort(address);
  if (role === 'router') await requireFreePort(internalAddress);
  const observability = await openObservability(role, process.env, log);
  if (role === 'all') startup.databaseStarts(log);
  const opened = await openProcess(role, process.env, log, prepare);
  await startup.end();
  if (process.getuid?.() === 0) log.warn('running as root: start the platform as another user');
  const dashboard = role === 'all' || role === 'router' ? [startDashboardBuild(log)] : [];
  // a terminal sends SIGHUP when it is closed
  if (!isTerminal) reloadOnSignal(opened.reload, log);
  const [first = [], ...later] = opened.closeables;
  const stop = stopGracefully([[...dashboard, ...first], ...later, observability], log, {
    handlesHangup: !isTerminal,
    drainMs: DRAIN_SECONDS * 1_000,
    onDrain() {
      opened.app.startDraining();
      opened.internal?.startDraining();
    },
  });
  // close everything before the process ends: an embedded database would otherwise continue to run
  await start(opened).catch(stop.fail);
} catch (error) {
  // the start has closed its database
  if (startup.isStopping()) process.exit(0);
  const message = error instanceof Error ? error.message : '';
  // errors of sockets may have a code only
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  log.fatal(message || code || 'start failed');
  log.debug({ err: error }, 'start failed');
  process.exit(1);
}
