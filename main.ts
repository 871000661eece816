/** The composition root: `node main.ts [all | router | rest | worker | <area>]`. */
import './commands/production.ts';
import { prepareDatabase } from './commands/first-start.ts';
import { createLog } from './platform/log.ts';
import { describe, readEnvironment } from './platform/env.ts';
import { serve } from './platform/service.ts';
import { stopGracefully } from './platform/stop-gracefully.ts';
import { areas } from './schema/areas.ts';
import {
  dataVariables,
  doorVariables,
  peerVariables,
  ports,
  processVariables,
  routerVariables,
  seedVariables,
} from './wiring/environment.ts';
import { openProcess, roles, type Opened } from './wiring/processes.ts';

const [role = 'all'] = process.argv.slice(2);

if (role === '--help' || role === '-h' || !Object.hasOwn(roles, role)) {
  const asked = role.startsWith('-');
  if (!asked) console.error(`There is no role ${role}.\n`);
  console.log(`Usage: npm start [-- ROLE]

Roles:
  all        everything in one process (default): REST and GraphQL on port ${ports['all'] ?? ''}
  rest       the REST door; needs ROUTER_URL
  router     the GraphQL door and the graph; needs <AREA>_URL
  worker     the relay: events and projections; needs ROUTER_URL
  ${areas.join(', ')}
             one area; needs ROUTER_URL

Environment:
${describe({ ...processVariables, ...dataVariables, ...doorVariables, ...routerVariables, ...peerVariables, ...seedVariables })}`);
  process.exit(asked ? 0 : 2);
}

const { LOG_LEVEL, HOST, PORT } = readEnvironment(process.env, processVariables);
const log = createLog({ name: role, level: LOG_LEVEL });

async function listen(opened: Opened): Promise<void> {
  if (opened.internal) {
    const { INTERNAL_PORT } = readEnvironment(process.env, routerVariables);
    await serve(opened.internal, { host: HOST, port: INTERNAL_PORT });
  }
  const address = await serve(opened.app, { host: HOST, port: PORT ?? ports[role] ?? 0 });
  log.info({ role, address }, `${role} is ready`);
}

try {
  const opened = await openProcess(role, process.env, log, prepareDatabase);
  const stop = stopGracefully(opened.closeables, log);
  // what is open is closed before the process ends: an embedded database would go on without it
  await listen(opened).catch(stop.fail);
} catch (error) {
  log.fatal({ err: error }, error instanceof Error ? error.message : 'could not start');
  process.exit(1);
}
