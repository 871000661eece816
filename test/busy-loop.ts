/** A busy event loop for tests of overload. */
const busyMaxMs = 60_000;

/** Keeps the event loop of the test busy without a pause, as requests do that need the processor. A test that hangs ends it after a minute. */
export function keepLoopBusy(): Disposable {
  const end = performance.now() + busyMaxMs;
  let immediate = setImmediate(turn);
  function turn(): void {
    const until = performance.now() + 15;
    while (performance.now() < until);
    if (until < end) immediate = setImmediate(turn);
  }
  return { [Symbol.dispose]: () => clearImmediate(immediate) };
}
