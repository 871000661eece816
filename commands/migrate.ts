/** `npm run migrate`: applies the migrations of this version. */
import './production.ts';
import { parseArgs } from 'node:util';
import { describe, readEnvironment } from '../platform/env.ts';
import { createLog } from '../platform/log.ts';
import { migrate } from '../platform/database/migrate.ts';
import { migratedAreas } from '../subgraphs/runtime/migrations.ts';
import { dataVariables, processVariables } from '../wiring/environment.ts';
import { openInstallation } from '../wiring/installation.ts';
import { runCommand } from './command.ts';

const help = `Usage: npm run migrate

Brings DATABASE_URL, or the embedded database, to the schema of this version: forward only, each file once.
The platform does the same when it starts. Safe to run at any time, also by several processes at once.

Environment:
${describe({ DATABASE_URL: dataVariables.DATABASE_URL, SECRET: dataVariables.SECRET, DATA_DIRECTORY: dataVariables.DATA_DIRECTORY })}`;

await runCommand(async (args) => {
  const { values } = parseArgs({ args, options: { help: { type: 'boolean', short: 'h' } } });
  if (values.help) return console.log(help);
  const { LOG_LEVEL } = readEnvironment({ LOG_LEVEL: 'warn', ...process.env }, processVariables);
  const log = createLog({ name: 'migrate', level: LOG_LEVEL });
  const installation = await openInstallation(process.env, log);
  try {
    const { applied } = await migrate({
      ownerUrl: installation.ownerUrl,
      areas: migratedAreas,
      secrets: installation.secrets,
      log,
    });
    for (const name of applied) console.log(`applied ${name}`);
    console.log(applied.length === 0 ? 'The database is up to date.' : `${applied.length} migrations applied.`);
  } finally {
    await installation.close();
  }
});
