/** `npm run audit:dependencies`: compares the production dependencies with the vulnerabilities that the registry knows. */
import { parseArgs } from 'node:util';
import { isRecord } from '../schema/records.ts';
import { runNpm } from './bill-of-materials.ts';
import { runCommand } from './command.ts';

const help = `Usage: npm run audit:dependencies

Asks the npm registry for known vulnerabilities of the production dependencies in package-lock.json.

Exit codes: 0 none, 1 vulnerabilities or failure, 2 invalid usage, 3 the registry offers no audit or cannot be reached.`;

const unavailableStatus = 3;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function main(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { help: { type: 'boolean', short: 'h', default: false } } });
  if (values.help) return console.log(help);
  const { stdout } = await runNpm(['audit', '--omit', 'dev', '--package-lock-only', '--json']);
  const report = parse(stdout);
  if (!isRecord(report) || !isRecord(report['vulnerabilities'])) {
    console.error(
      'No audit: the registry of this machine offers none, or cannot be reached. Run it with `--registry=https://registry.npmjs.org`.',
    );
    process.exitCode = unavailableStatus;
    return;
  }
  const found = Object.entries(report['vulnerabilities']);
  for (const [name, facts] of found) console.log(`${name}: ${isRecord(facts) ? String(facts['severity']) : 'unknown'}`);
  if (found.length > 0) throw new Error(`${found.length} production dependencies have known vulnerabilities. Details: npm audit`);
  console.log('No known vulnerabilities.');
}

await runCommand(main);
