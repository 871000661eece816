/** `npm test`: the checks, the tests, and the check of the benchmark, one after the other: together they would slow each other down. Arguments are passed on to jest; with a path only its tests run. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];

/** Runs a script of Node.js. Resolves to whether it succeeded. */
function run(args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0));
  });
}

const args = process.argv.slice(2);
const parts = [
  // some tests compile code that needs the generated types, which the checks write
  { name: 'checks', script: ['commands/check.ts'] },
  { name: 'tests', script: [...jest, ...args] },
  { name: 'check of the benchmark', script: ['bench/main.ts', '--check', '--athletes', '500'] },
];
const hasPath = args.some((arg) => !arg.startsWith('-'));
const failed: string[] = [];
for (const { name, script } of hasPath ? parts.slice(1, 2) : parts) {
  console.log(`\n${name}: node ${script.join(' ')}`);
  if (!(await run(script))) failed.push(name);
}
if (failed.length > 0) {
  console.error(`FAILED: ${failed.join(', ')}`);
  process.exitCode = 1;
}
