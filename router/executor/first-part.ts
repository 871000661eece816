/** The first part of an execution whose later parts are still being fetched. */
import type { Execution } from './executor.ts';

/** Resolves with the first part. `within` starts the execution, and its promise lasts until all parts are fetched. */
export function firstPart(
  start: () => Promise<Execution>,
  within: (run: () => Promise<void>) => Promise<void>,
): Promise<Execution> {
  const first = Promise.withResolvers<Execution>();
  within(async () => {
    const execution = await start();
    first.resolve(execution);
    await execution.later?.fetched;
  }).catch(first.reject);
  return first.promise;
}
