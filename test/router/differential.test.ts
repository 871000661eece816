/** Our executor against the stock one: generated operations over special supergraphs and our own, by call and through JSON. */
import { expect, test } from '@jest/globals';
import { supergraphs } from '../differential/supergraphs/all.ts';
import { reportOf, runTrial } from '../differential/trial.ts';

const names = Object.keys(supergraphs);
const operations = 500;

test.each(names)('over the supergraph "%s" generated operations are answered as by executeQueryPlan', async (name) => {
  const each = Math.ceil(operations / names.length);
  const trial = await runTrial(name, each, 7);
  expect(reportOf(trial)).toBe(`${name}: no difference.`);
  // what cannot be compared stays the exception
  expect(trial.compared).toBeGreaterThan(each * 0.7);
});
