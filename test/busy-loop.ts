/** Keeps the event loop of the test busy without a pause, as requests do that need the processor. */
export function keepLoopBusy(): Disposable {
  let immediate = setImmediate(turn);
  function turn(): void {
    const until = performance.now() + 15;
    while (performance.now() < until);
    immediate = setImmediate(turn);
  }
  return { [Symbol.dispose]: () => clearImmediate(immediate) };
}
