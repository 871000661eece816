/**
 * `npm test`: the checks, the tests, and the check of the benchmark, one after the other: together they would slow each other down. Arguments
 * are passed on to jest; with a path only its tests run. With `--repeat-failures`, up to three files with failed tests run once more, alone;
 * this requires `--json --outputFile=FILE`, which has the last result of each file in the end.
 */
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { failedFiles, failedTests, mergeReports, readReport } from './test-report.ts';

const root = join(import.meta.dirname, '..');
const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
/** More failures are not those of a machine that was paused (docs/decisions/0123-repeated-test-files.md). */
const repeatedFilesMax = 3;

/** Runs a script of Node.js. Resolves to whether it succeeded. */
function run(args: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0));
  });
}

/** Runs files of a failed run once more, one after the other. Resolves to whether all of them passed. */
async function repeatFailures(args: readonly string[], reportFile: string): Promise<boolean> {
  const first = readReport(reportFile);
  const files = first === null ? [] : failedFiles(first);
  if (first === null || files.length === 0 || files.length > repeatedFilesMax) return false;
  console.log(['\nOnce more, because of failed tests:', ...failedTests(first)].join('\n  '));
  rmSync(reportFile);
  const options = args.filter((arg) => arg.startsWith('-'));
  const passed = await run([...jest, '--runInBand', '--runTestsByPath', ...options, '--', ...files]);
  const second = readReport(reportFile);
  writeFileSync(reportFile, JSON.stringify(second === null ? first : mergeReports(first, second)));
  console.log(['\nFiles that ran twice; examine why they failed once:', ...files].join('\n  '));
  return passed;
}

const repeatOption = '--repeat-failures';
const isRepeating = process.argv.includes(repeatOption);
const args = process.argv.slice(2).filter((arg) => arg !== repeatOption);
const reportFile = args.find((arg) => arg.startsWith('--outputFile='))?.slice('--outputFile='.length);
if (isRepeating && reportFile === undefined) {
  console.error(`${repeatOption} requires --json --outputFile=FILE.`);
  process.exit(2);
}

async function runTests(script: readonly string[]): Promise<boolean> {
  if (!isRepeating || reportFile === undefined) return run(script);
  // the report of an earlier run would be read if jest ends before it writes one
  rmSync(reportFile, { force: true });
  return (await run(script)) || (await repeatFailures(args, reportFile));
}

const parts = [
  // some tests compile code that needs the generated types, which the checks write
  { name: 'checks', script: ['commands/check.ts'], start: run },
  { name: 'tests', script: [...jest, ...args], start: runTests },
  { name: 'check of the benchmark', script: ['bench/main.ts', '--check', '--athletes', '500'], start: run },
];
const hasPath = args.some((arg) => !arg.startsWith('-'));
const failed: string[] = [];
for (const { name, script, start } of hasPath ? parts.slice(1, 2) : parts) {
  console.log(`\n${name}: node ${script.join(' ')}`);
  if (!(await start(script))) failed.push(name);
}
if (failed.length > 0) {
  console.error(`FAILED: ${failed.join(', ')}`);
  process.exitCode = 1;
}
