/** `npm run migrate`: applies the migrations of this version. */
import './production.ts';
import { parseArgs } from 'node:util';
import { describe, readEnvironment } from '../platform/env.ts';
import { createLog } from '../platform/log.ts';
import { openSecrets } from '../platform/security/secrets.ts';
import { areas, type Area } from '../schema/areas.ts';
import { migrate } from '../platform/database/migrate.ts';
import { resealValues } from '../subgraphs/accounts/secret-rotation.ts';
import { migratedAreas } from '../subgraphs/runtime/migrations.ts';
import { areaOwnerUrl } from '../wiring/database-urls.ts';
import { dataVariables, processVariables } from '../wiring/environment.ts';
import { openInstallation } from '../wiring/installation.ts';
import { runCommand, UsageError } from './command.ts';

const help = `Usage: npm run migrate [-- --area AREA] [-- --new-secret]

Brings DATABASE_URL, or the embedded database, to the schema of this version: forward only, each file once.
The platform does the same when it starts. Safe to run at any time, also by several processes at once. After \`npm run secrets -- rotate\`
it also sets the new passwords of the roles and encrypts stored secrets again; after \`-- finish\` it ends the rotation in the database.

  --area AREA   the separate database of an area instead: <AREA>_DATABASE_URL with the login of its owner
  --new-secret  SECRET replaces a lost one: every API key, webhook secret and second factor becomes invalid

Environment:
${describe({ DATABASE_URL: dataVariables.DATABASE_URL, DATABASE_DIRECT_URL: dataVariables.DATABASE_DIRECT_URL, SECRET: dataVariables.SECRET, DATA_DIRECTORY: dataVariables.DATA_DIRECTORY })}`;

function areaNamed(name: string | undefined): Area | null {
  if (name === undefined) return null;
  const area = areas.find((each) => each === name);
  if (area === undefined) throw new UsageError(`--area must be one of ${areas.join(', ')}.`);
  return area;
}

function areaInstallation(area: Area) {
  const { SECRET } = readEnvironment(process.env, dataVariables);
  if (SECRET === null) throw new Error('SECRET is required with --area: the one that the platform runs with.');
  return { directUrl: areaOwnerUrl(area, process.env), secrets: openSecrets(SECRET), close: () => Promise.resolve() };
}

await runCommand(async (args) => {
  const { values } = parseArgs({
    args,
    options: { help: { type: 'boolean', short: 'h' }, area: { type: 'string' }, 'new-secret': { type: 'boolean' } },
  });
  if (values.help) return console.log(help);
  const area = areaNamed(values.area);
  const { LOG_LEVEL } = readEnvironment({ LOG_LEVEL: 'warn', ...process.env }, processVariables);
  const log = createLog({ name: 'migrate', level: LOG_LEVEL });
  const installation = area === null ? await openInstallation(process.env, log) : areaInstallation(area);
  try {
    const { applied } = await migrate({
      ownerUrl: installation.directUrl,
      areas: migratedAreas.filter(({ schema }) => area === null || schema === area),
      secrets: installation.secrets,
      acceptsNewSecret: values['new-secret'] ?? false,
      log,
    });
    const resealed = area === null || area === 'accounts' ? await resealValues(installation.directUrl, installation.secrets) : 0;
    if (resealed > 0) console.log(`${resealed} values encrypted with the current version of SECRET`);
    for (const name of applied) console.log(`applied ${name}`);
    console.log(applied.length === 0 ? 'The database is up to date.' : `${applied.length} migrations applied.`);
  } finally {
    await installation.close();
  }
});
