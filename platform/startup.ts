/**
 * Signals while the process starts. Without a handler, Ctrl-C would end Node.js and leave the embedded PostgreSQL running, and the first process of
 * a container would ignore SIGTERM.
 */
import type { Logger } from 'pino';
import { handleStopSignals, stopSignals } from './stop-signals.ts';

type Close = () => Promise<void>;

export interface Startup {
  /** Whether a signal arrived. The process exits with 0 as soon as the database is closed. */
  isStopping(): boolean;
  /** A database starts: from now on a signal waits until it can be closed. */
  databaseStarts(log: Logger): void;
  /** A signal closes the database first. Does not resolve after a signal: the process exits. */
  databaseStarted(close: Close): Promise<void>;
  /** Removes the handlers. Does not resolve after a signal: the process exits. */
  end(): Promise<void>;
}

/**
 * Handles SIGINT and SIGTERM until `end`. The process exits at once unless a database starts or has started.
 * @param stopsOnHangup whether SIGHUP, which a terminal sends when it is closed, stops the process too
 */
export function createStartup(stopsOnHangup: boolean): Startup {
  let log: Pick<Logger, 'info' | 'error' | 'debug'> | null = null;
  let signal: NodeJS.Signals | null = null;
  let close: Close | null = () => Promise.resolve();

  async function stop(): Promise<void> {
    // otherwise `databaseStarted`, or the failure of the start, continues
    if (signal === null || close === null) return;
    await close().catch((err: unknown) => log?.error({ err }, 'close failed'));
    log?.info('stopped');
    process.exit(0);
  }

  /** Resolves unless the process stops. */
  const unlessStopping = (): Promise<void> => (signal === null ? Promise.resolve() : new Promise(() => undefined));

  const removeHandlers = handleStopSignals([...stopSignals, ...(stopsOnHangup ? (['SIGHUP'] as const) : [])], {
    onFirst(received) {
      signal = received;
      log?.info({ signal }, 'stopping');
      // the connections of the start end with the database
      process.on('uncaughtException', (err) => log?.debug({ err }, 'start failed'));
      void stop();
    },
    onSecond: (received) => log?.error({ signal: received }, 'second signal: exiting immediately'),
  });

  return {
    isStopping: () => signal !== null,
    databaseStarts(given) {
      log = given;
      close = null;
    },
    databaseStarted(given) {
      close = given;
      void stop();
      return unlessStopping();
    },
    end() {
      if (signal === null) removeHandlers();
      return unlessStopping();
    },
  };
}
