/** `npm run doctor`: checks a deployment and changes nothing. */
import './production.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts';
import { readEnvironment } from '../platform/env.ts';
import { openSecrets, readSecretsFile, type Secrets } from '../platform/security/secrets.ts';
import { dataVariables } from '../wiring/environment.ts';
import { runCommand } from './command.ts';
import { databaseChecks } from './doctor/database-checks.ts';
import { runChecks, type Finding } from './doctor/finding.ts';
import { machineChecks } from './doctor/machine-checks.ts';
import { networkChecks } from './doctor/network-checks.ts';

const help = `Usage: npm run doctor [-- --json]

Checks a deployment: versions, variables, disk space, connections, pending migrations, rights of the database roles, clocks, certificates,
and the processes whose addresses are set (ROUTER_URL, <AREA>_URL, SANDBOX_URL, PUBLIC_URL). Reads the variables of the processes and changes
nothing. Exit status 1 if a check failed.

Options:
  --json  prints the findings as JSON
  --help  prints this text`;

const signs = { OK: '✓', WARNING: '!', FAILED: '✗', SKIPPED: '-' } as const;

/** The findings as a table, with what to do. */
function table(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  return findings
    .map(({ check, status, detail, fix }) => {
      const line = `${signs[status]} ${check.padEnd(width)}  ${detail}`;
      return fix === undefined ? line : `${line}\n${' '.repeat(width + 4)}${fix}`;
    })
    .join('\n');
}

/** The root secret; null if it is not known here. The file of an embedded installation is never created. */
async function knownSecrets({ SECRET, DATABASE_URL, DATA_DIRECTORY }: ReturnType<typeof readData>): Promise<Secrets | null> {
  if (SECRET !== null) return openSecrets(SECRET);
  const file = join(DATA_DIRECTORY, 'secrets.json');
  return DATABASE_URL === null && existsSync(file) ? readSecretsFile(file, { mayCreate: false }) : null;
}

const readData = () => readEnvironment(process.env, dataVariables);

await runCommand(async (args) => {
  const { values } = parseArgs({ args, options: { help: { type: 'boolean', short: 'h' }, json: { type: 'boolean' } } });
  if (values.help) return console.log(help);
  const source = process.env;
  const data = readData();
  const { DATABASE_URL, DATA_DIRECTORY } = data;
  const url = DATABASE_URL ?? (await findEmbeddedPostgres(join(DATA_DIRECTORY, 'postgres')));
  const target = { url, secrets: await knownSecrets(data) };
  const findings = await runChecks([...machineChecks(source), ...databaseChecks(target), ...networkChecks(source)]);
  const failures = findings.filter(({ status }) => status === 'FAILED').length;
  const warnings = findings.filter(({ status }) => status === 'WARNING').length;
  if (values.json) console.log(JSON.stringify({ failed: failures, warnings, findings }, null, 2));
  else console.log(`${table(findings)}\n\n${failures} failed, ${warnings} warnings, ${findings.length} checks.`);
  if (failures > 0) process.exitCode = 1;
});
