/** `npm run check`: checks generated files, lint, types, formatting and licenses at the same time, and writes the bill of materials. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from './command.ts';

const root = join(import.meta.dirname, '..');

const help = `Usage: npm run check

Writes the generated TypeScript types if they are stale. Then checks that the committed generated files are current,
checks lint, types, formatting and licenses, and writes sbom.cdx.json.

Exit codes: 0 success, 1 failure, 2 invalid usage.`;

const checks: Readonly<Record<string, readonly string[]>> = {
  'lint and types': ['commands/check-types.ts'],
  formatting: ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'],
  'generated files': ['commands/schema.ts', '--check'],
  'bill of materials': ['commands/sbom.ts'],
  licenses: ['commands/licenses.ts'],
};

interface CheckResult {
  readonly passed: boolean;
  readonly seconds: number;
}

/** Runs a check in a separate process and prints its output, as one block, when it ends. */
function run(name: string, args: readonly string[]): Promise<CheckResult> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      const seconds = (performance.now() - startedAt) / 1000;
      const text = Buffer.concat(output).toString('utf8').trimEnd();
      console.log(`${code === 0 ? 'passed' : 'FAILED'}: ${name} (${seconds.toFixed(0)} s)${text === '' ? '' : `\n${text}`}`);
      resolve({ passed: code === 0, seconds });
    });
  });
}

async function main(args: string[]): Promise<void> {
  const options = {
    help: { type: 'boolean', short: 'h', default: false },
  } as const;
  const { values } = parseArgs({ args, options });
  if (values.help) return console.log(help);
  const { passed } = await run('generated types', ['commands/schema.ts', '--types']);
  if (!passed) return void (process.exitCode = 1);
  const results = await Promise.all(Object.entries(checks).map(([name, command]) => run(name, command)));
  if (!results.every(({ passed }) => passed)) process.exitCode = 1;
}

if (import.meta.main) await runCommand(main);
