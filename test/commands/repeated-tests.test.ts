/** `npm test -- --repeat-failures`: files with failed tests run once more, and the report has their last results. */
import { execFile } from 'node:child_process';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';

const command = join(import.meta.dirname, '../../commands/test.ts');

/** A test that fails at its first run. */
const once = `test('once', () => {
  const { existsSync, writeFileSync } = require('node:fs');
  const hasRun = existsSync(__dirname + '/has-run');
  writeFileSync(__dirname + '/has-run', '');
  expect(hasRun).toBe(true);
});`;
const passing = "test('passing', () => undefined);";
const failing = "test('failing', () => expect(1).toBe(2));";

/** Runs test files by name. Resolves to the exit code, the output, and the counts of the report. */
async function run(files: Readonly<Record<string, string>>, ...args: readonly string[]) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'repeated-'));
  const [config, report] = [join(folder.path, 'jest.config.json'), join(folder.path, 'report.json')];
  await writeFile(config, JSON.stringify({ testMatch: ['**/*.test.cjs'], rootDir: folder.path }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, `${name}.test.cjs`), text);
  const options = ['--ci', `--config=${config}`, `--rootDir=${folder.path}`, '--json', `--outputFile=${report}`, ...args, '.'];
  const [code, output] = await new Promise<[number, string]>((resolve) => {
    const child = execFile(process.execPath, [command, ...options], (_, out, err) => resolve([child.exitCode ?? -1, out + err]));
  });
  const { numPassedTests, numFailedTests } = JSON.parse(await readFile(report, 'utf8'));
  return { code, output, counts: { passed: numPassedTests, failed: numFailedTests } };
}

describe('--repeat-failures', () => {
  test('a file that passes at its second run passes, and both runs are reported', async () => {
    const { code, output, counts } = await run({ once: `${once}\n${passing}`, other: passing }, '--repeat-failures');
    expect([code, counts]).toEqual([0, { passed: 3, failed: 0 }]);
    expect(output).toMatch(/Once more, because of failed tests:\n.*once\.test\.cjs: once\n/);
    expect(output).toMatch(/Files that ran twice; examine why they failed once:\n.*once\.test\.cjs\n/);
    expect(output).not.toMatch(/other\.test\.cjs: /);
  });

  test('a file that fails twice fails', async () => {
    const { code, output, counts } = await run({ once, failing: `${failing}\n${passing}` }, '--repeat-failures');
    expect([code, counts]).toEqual([1, { passed: 2, failed: 1 }]);
    expect(output).toContain('FAILED: tests');
  });

  test('more than three failed files do not run again', async () => {
    const files = { once, a: failing, b: failing, c: failing };
    const { code, output, counts } = await run(files, '--repeat-failures');
    expect([code, counts]).toEqual([1, { passed: 0, failed: 4 }]);
    expect(output).not.toContain('Once more');
  });

  test('without it, nothing runs again', async () => {
    const { code, counts } = await run({ once });
    expect([code, counts]).toEqual([1, { passed: 0, failed: 1 }]);
  });
});
