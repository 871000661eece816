/** Graceful shutdown: closes resources in order after a signal or an uncaught error, with a time limit for each. */
import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';

export interface Closeable {
  readonly name: string;
  close(): Promise<void>;
}

export interface StopOptions {
  /** Time limit per closeable, after which the next one is closed. */
  readonly eachTimeoutMs?: number;
  /** Whether the process handles SIGHUP itself (reload-on-signal.ts); otherwise SIGHUP stops it. */
  readonly handlesHangup?: boolean;
}

const signals = ['SIGINT', 'SIGTERM'] as const;
/** Under npm, Ctrl-C arrives twice: from the terminal and forwarded by npm. */
const echoMs = 1_000;

/**
 * Closes in the given order (public servers first, the embedded PostgreSQL last) after a signal or an uncaught error, then exits with 0 after a
 * signal and 1 after an error. A second signal at least one second later exits immediately.
 * @returns `close` stops normally, `fail` stops because of an error, `uninstall` removes the handlers
 */
export function stopGracefully(
  closeables: readonly Closeable[],
  log: Logger,
  options: StopOptions = {},
): { close(): void; fail: (error: unknown) => void; uninstall(): void } {
  const eachTimeoutMs = options.eachTimeoutMs ?? 10_000;
  const grace = closeWithGrace(
    {
      delay: eachTimeoutMs * (closeables.length + 1),
      logger: { error: (message: unknown) => log.error({ err: message }, 'shutdown failed') },
      skip: [...signals, ...(options.handlesHangup === true ? (['SIGHUP'] as const) : [])],
    },
    async ({ err }) => {
      if (err !== undefined) log.fatal({ err }, `stopping: ${err.message}`);
      for (const closeable of closeables) await closeOne(closeable, eachTimeoutMs, log);
      log.info('stopped');
    },
  );
  let first: number | null = null;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (first === null) {
      first = performance.now();
      log.info({ signal }, 'stopping');
      grace.close();
    } else if (performance.now() - first > echoMs) {
      log.error({ signal }, 'second signal: exiting immediately');
      process.exit(1);
    }
  };
  for (const signal of signals) process.on(signal, onSignal);
  return {
    close: () => grace.close(),
    fail: (error) => {
      // an uncaught error triggers the shutdown
      queueMicrotask(() => {
        throw error;
      });
    },
    uninstall: () => {
      grace.uninstall();
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}

async function closeOne(closeable: Closeable, timeoutMs: number, log: Logger): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'timeout'>((done) => {
    timer = setTimeout(() => done('timeout'), timeoutMs);
  });
  try {
    if ((await Promise.race([closeable.close(), timeout])) === 'timeout')
      log.error({ closeable: closeable.name, timeoutMs }, 'close timed out');
  } catch (error) {
    // the remaining closeables must still be closed
    log.error({ err: error, closeable: closeable.name }, 'close failed');
  } finally {
    clearTimeout(timer);
  }
}
