/** Runs long computations in short turns, so that the process serves other requests in between. */
import { setTimeout } from 'node:timers/promises';

/** The time after which a computation waits for its next turn. */
const turnMs = 2;
/** The time between two turns: all computations together use at most half of the process. */
const pauseMs = 2;

/** The next turn of the process: computations of several requests share one turn after the other, not the same. */
let next: Promise<unknown> = Promise.resolve();

function nextTurn(): Promise<unknown> {
  next = next.then(() => setTimeout(pauseMs));
  return next;
}

/** Maps items in their order; rejects with the first error of `map`. Small lists finish in one turn. */
export async function mapInTurns<Item, Result>(items: readonly Item[], map: (item: Item) => Result): Promise<Result[]> {
  const results: Result[] = [];
  let endsMs = 0;
  for (const item of items) {
    if (performance.now() >= endsMs) {
      await nextTurn();
      endsMs = performance.now() + turnMs;
    }
    results.push(map(item));
  }
  return results;
}
