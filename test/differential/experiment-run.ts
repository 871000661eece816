/** Runs experiments over a supergraph until the responses differ, and shrinks that experiment. */
import fc from 'fast-check';
import { print, parse } from 'graphql';
import type { Difference } from './difference.ts';
import { createComparison } from './comparison.ts';
import { experiments, type Experiment } from './operations.ts';
import { boundsOf, isPlannedNatively, supergraphs } from './supergraphs/all.ts';

export interface ExperimentRun {
  readonly supergraph: string;
  /** Number of compared operations. */
  readonly compared: number;
  /** Number of operations that the stock planner cannot plan. */
  readonly unplanned: number;
  /** Number of operations that the native planner cannot plan. */
  readonly failed: number;
  /** Number of operations with wrong members in the response of the reference. */
  readonly wrong: number;
  readonly difference: { readonly experiment: Experiment; readonly found: Difference | Error } | null;
}

/** Limit of the shrinking, in milliseconds. */
const shrinkingMs = 30_000;

/** Runs `count` experiments of a seed. Throws Error for an unknown supergraph. */
export async function runExperiments(
  supergraph: string,
  count: number,
  seed: number,
  onProgress: (done: number) => void = () => undefined,
): Promise<ExperimentRun> {
  const texts = supergraphs[supergraph];
  if (texts === undefined) throw new Error(`Unknown supergraph ${supergraph}: ${Object.keys(supergraphs).join(', ')}.`);
  const comparison = createComparison(texts(), undefined, isPlannedNatively(supergraph));
  const counts = { compared: 0, unplanned: 0, failed: 0, wrong: 0 };
  const last: { found: Difference | Error | null; firstAt: number } = { found: null, firstAt: 0 };
  const isSame = async (experiment: Experiment): Promise<boolean> => {
    if (last.firstAt > 0 && Date.now() - last.firstAt > shrinkingMs) return true;
    const outcome = await comparison
      .run(experiment)
      .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
    if (outcome === null) counts.compared += 1;
    else if (outcome === 'unplanned') counts.unplanned += 1;
    else if (outcome === 'native planner failed') counts.failed += 1;
    else if (outcome === 'reference wrong') counts.wrong += 1;
    else {
      last.found = outcome;
      last.firstAt ||= Date.now();
      return false;
    }
    if (last.firstAt === 0) onProgress(counts.compared + counts.unplanned + counts.failed + counts.wrong);
    return true;
  };
  const property = fc.asyncProperty(experiments(comparison.schema, boundsOf(supergraph)), isSame);
  const { counterexample } = await fc.check(property, { numRuns: count, seed });
  await comparison.close();
  const difference = counterexample === null || last.found === null ? null : { experiment: counterexample[0], found: last.found };
  return { supergraph, ...counts, difference };
}

const text = (value: unknown): string => JSON.stringify(value, null, 2);

/** The report of a difference, with everything that is needed to reproduce it. */
export function reportOf({ supergraph, difference }: ExperimentRun): string {
  if (difference === null) return `${supergraph}: no difference.`;
  const { experiment, found } = difference;
  const { text: operation, variables, ...conditions } = experiment;
  const responses =
    found instanceof Error
      ? [`It threw: ${found.stack ?? found.message}`]
      : [`They differ in ${found.subject}.`, `Ours: ${text(found.ours)}`, `The reference: ${text(found.reference)}`];
  return [
    `Over the supergraph "${supergraph}":`,
    print(parse(operation)),
    `Variables: ${text(variables)}`,
    `Conditions: ${JSON.stringify(conditions)}`,
    ...responses,
  ].join('\n');
}
