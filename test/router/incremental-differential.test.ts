/** Generated operations with @defer and @stream at random places: the merged parts are the response without these directives. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createPartsComparison } from '../differential/incremental.ts';
import { experiments } from '../differential/operations.ts';
import { boundsOf, isPlannedNatively, supergraphs } from '../differential/supergraphs/all.ts';

const names = Object.keys(supergraphs).filter(isPlannedNatively);
/** Operations per supergraph. */
const operations = 60;

test.each(names)('over the supergraph "%s", the merged parts are the response', async (name) => {
  const comparison = createPartsComparison(supergraphs[name]?.() ?? {});
  const counts = { parts: 0, compared: 0 };
  const property = fc.asyncProperty(experiments(comparison.schema, boundsOf(name)), async (experiment) => {
    const outcome = await comparison.run(experiment);
    if (outcome === null) return;
    counts.compared += 1;
    counts.parts += outcome.parts;
    expect(outcome.difference === null ? null : outcome).toBeNull();
  });
  await fc.assert(property, { numRuns: operations, seed: 11 });
  await comparison.close();
  expect(counts.compared).toBeGreaterThan(operations * 0.7);
  expect(counts.parts).toBeGreaterThan(operations);
});
