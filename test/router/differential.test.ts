/** The compiled executor against the stock one: generated operations over special supergraphs and our own, by call and through JSON. */
import { expect, test } from '@jest/globals';
import { supergraphs } from '../differential/supergraphs/all.ts';
import { reportOf, runExperiments } from '../differential/experiment-run.ts';

const names = Object.keys(supergraphs);
const operations = 500;

test.each(names)('generated operations over the supergraph "%s" return the same as executeQueryPlan', async (name) => {
  const each = Math.ceil(operations / names.length);
  const run = await runExperiments(name, each, 7);
  expect(reportOf(run)).toBe(`${name}: no difference.`);
  // operations that cannot be compared stay the exception
  expect(run.compared).toBeGreaterThan(each * 0.7);
});
