/** SIGINT and SIGTERM: the first one stops the process, a second one exits immediately. */

export const stopSignals = ['SIGINT', 'SIGTERM'] as const;
/** Under npm, Ctrl-C arrives twice: from the terminal and forwarded by npm. */
const echoMs = 1_000;

export interface StopSignalHandlers {
  readonly onFirst: (signal: NodeJS.Signals) => void;
  /** A second signal at least one second later: the process exits with 1 afterwards. */
  readonly onSecond: (signal: NodeJS.Signals) => void;
}

/** Returns a function that removes the handlers. */
export function handleStopSignals(signals: readonly NodeJS.Signals[], { onFirst, onSecond }: StopSignalHandlers): () => void {
  let first: number | null = null;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (first === null) {
      first = performance.now();
      onFirst(signal);
    } else if (performance.now() - first > echoMs) {
      onSecond(signal);
      process.exit(1);
    }
  };
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    for (const signal of signals) process.off(signal, onSignal);
  };
}
