/** `npm test`: writes stale generated types, then runs the checks and the tests at the same time. Arguments are passed on to jest. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];

/** Runs a script of Node.js. Resolves to its output, which is printed at once unless `collect` is true. */
function run(args: readonly string[], collect: boolean): Promise<{ passed: boolean; text: string }> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['inherit', collect ? 'pipe' : 'inherit', 'inherit'] });
  const output: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ passed: code === 0, text: Buffer.concat(output).toString('utf8') }));
  });
}

// some tests compile code that needs the types
await run(['commands/schema.ts', '--types'], false);
const [checks, tests] = await Promise.all([
  run(['commands/check.ts', '--background'], true),
  run([...jest, ...process.argv.slice(2)], false),
]);
console.log(`\nChecks (npm run check)\n${checks.text}`);
if (!checks.passed || !tests.passed) {
  console.error(`FAILED: ${[...(checks.passed ? [] : ['checks']), ...(tests.passed ? [] : ['tests'])].join(' and ')}`);
  process.exitCode = 1;
}
