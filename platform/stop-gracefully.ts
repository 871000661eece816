/** The end of a process: what it opened is closed in order, on a signal or a fault, and nothing waits for ever. */
import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';

export interface Closeable {
  readonly name: string;
  close(): Promise<void>;
}

export interface StopOptions {
  /** What one closeable may take before the next has its turn. */
  readonly eachTimeoutMs?: number;
}

const signals = ['SIGINT', 'SIGTERM'] as const;
/** Ctrl-C under npm arrives twice: from the terminal and forwarded. */
const echoMs = 1_000;

/**
 * Closes in the order given (doors first, the embedded PostgreSQL last) when the process is told to stop or a fault escapes, then exits:
 * 0 after a signal, 1 after a fault. A second signal, a second or more later, exits at once.
 * @returns `close` to stop by oneself, `fail` to stop because of a fault, `uninstall` to take the handlers off.
 */
export function stopGracefully(
  closeables: readonly Closeable[],
  log: Logger,
  options: StopOptions = {},
): { close(): void; fail: (fault: unknown) => void; uninstall(): void } {
  const eachTimeoutMs = options.eachTimeoutMs ?? 10_000;
  const grace = closeWithGrace(
    {
      delay: eachTimeoutMs * (closeables.length + 1),
      logger: { error: (message) => log.error({ err: message as unknown }, 'stop') },
      skip: [...signals],
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
      log.error({ signal }, 'told twice to stop: leaving at once');
      process.exit(1);
    }
  };
  for (const signal of signals) process.on(signal, onSignal);
  return {
    close: () => grace.close(),
    fail: (fault) => {
      // as a fault that escaped: so it ends, too
      queueMicrotask(() => {
        throw fault;
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
  const late = new Promise<'late'>((done) => {
    timer = setTimeout(() => done('late'), timeoutMs);
  });
  try {
    if ((await Promise.race([closeable.close(), late])) === 'late')
      log.error({ closeable: closeable.name, timeoutMs }, 'did not close in time');
  } catch (fault) {
    // the next ones must be closed all the same
    log.error({ err: fault, closeable: closeable.name }, 'did not close');
  } finally {
    clearTimeout(timer);
  }
}
