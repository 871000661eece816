/** The compiled executor against the stock one: generated operations over special supergraphs and our own, by call and through JSON. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { supergraphs } from '../differential/supergraphs/all.ts';
import { reportOf, runExperiments } from '../differential/experiment-run.ts';

const names = Object.keys(supergraphs);
const operations = 500;

test.each(names)('generated operations over the supergraph "%s" return the same as executeQueryPlan', async (name) => {
  const each = Math.ceil(operations / names.length);
  const run = await runExperiments(name, each, 7);
  expect(reportOf(run)).toBe(`${name}: no difference.`);
  // the native planner fails for some operations with @requires, which composition rejects
  if (name !== 'requiring') expect(run.failed).toBe(0);
  // operations that cannot be compared stay the exception
  expect(run.compared).toBeGreaterThan(each * 0.7);
});

test('without code generation, operations return the same', async () => {
  const main = join(import.meta.dirname, '../differential/main.ts');
  const args = ['--disallow-code-generation-from-strings', main, '--count', '160', '--seed', '7'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout.match(/ the same, /g)).toHaveLength(names.length);
});
