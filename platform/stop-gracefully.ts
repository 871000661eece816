/** Graceful shutdown: after a signal or an uncaught error the process drains, then closes its parts in stages within one time limit. */
import { setTimeout as sleep } from 'node:timers/promises';
import closeWithGrace from 'close-with-grace';
import type { Logger } from 'pino';
import { handleStopSignals, stopSignals } from './stop-signals.ts';

export interface Closeable {
  readonly name: string;
  close(): Promise<void>;
}

/** Parts of a process that close at the same time. */
export type Stage = readonly Closeable[];

export interface StopOptions {
  /** Time limit of the whole shutdown, including `drainMs`. Default: 45 s. */
  readonly totalMs?: number;
  /** Time that a stage leaves to each later one, so that an embedded database always stops in order. Default: 4 s. */
  readonly reserveMs?: number;
  /** How long the process continues to serve after a signal, so that balancers notice that it is not ready. Default: 0. */
  readonly drainMs?: number;
  /** Called once at the start of the shutdown. */
  readonly onDrain?: () => void;
  /** Whether the process handles SIGHUP itself (reload-on-signal.ts); otherwise SIGHUP stops it. */
  readonly handlesHangup?: boolean;
}

/** The process exits by force this long after the time limit. */
const exitMarginMs = 1_000;

/**
 * Stages are closed in order: public servers first, the embedded PostgreSQL last. Exits with 0 after a signal and 1 after an error. A second
 * signal at least one second later exits immediately.
 * @returns `close` stops normally, `fail` stops because of an error, `uninstall` removes the handlers
 */
export function stopGracefully(
  stages: readonly Stage[],
  log: Logger,
  options: StopOptions = {},
): { close(): void; fail: (error: unknown) => void; uninstall(): void } {
  const { totalMs = 45_000, reserveMs = 4_000, drainMs = 0, onDrain } = options;
  const grace = closeWithGrace(
    {
      delay: totalMs + exitMarginMs,
      logger: { error: (message: unknown) => log.error({ err: message }, 'shutdown failed') },
      skip: [...stopSignals, ...(options.handlesHangup === true ? (['SIGHUP'] as const) : [])],
    },
    async ({ err }) => {
      const endsMs = performance.now() + totalMs;
      if (err !== undefined) log.fatal({ err }, `stopping: ${err.message}`);
      onDrain?.();
      // after an error the state of the process is unknown: it serves nothing else
      if (err === undefined && drainMs > 0) await sleep(drainMs);
      for (const [index, stage] of stages.entries()) {
        const untilMs = endsMs - reserveMs * (stages.length - 1 - index);
        await Promise.all(stage.map((closeable) => closeOne(closeable, Math.max(0, untilMs - performance.now()), log)));
      }
      log.info({ stopMs: Math.round(performance.now() - endsMs + totalMs) }, 'stopped');
    },
  );
  const removeHandlers = handleStopSignals(stopSignals, {
    onFirst(signal) {
      log.info({ signal, drainMs }, 'stopping');
      grace.close();
    },
    onSecond: (signal) => log.error({ signal }, 'second signal: exiting immediately'),
  });
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
      removeHandlers();
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
      log.error({ closeable: closeable.name, timeoutMs: Math.round(timeoutMs) }, 'close timed out');
  } catch (error) {
    // the others must still be closed
    log.error({ err: error, closeable: closeable.name }, 'close failed');
  } finally {
    clearTimeout(timer);
  }
}
