/** Reloads a process on SIGHUP, as nginx and PostgreSQL do. */
import type { Logger } from 'pino';

/**
 * Calls `reload` for each SIGHUP; an error is logged and the process continues as before. Without a function, the signal is logged only:
 * otherwise it would stop the process. Not for a process in a terminal, which SIGHUP tells that the terminal was closed.
 */
export function reloadOnSignal(reload: (() => Promise<void>) | undefined, log: Pick<Logger, 'info' | 'error'>): void {
  process.on('SIGHUP', () => {
    if (reload === undefined) return log.info('SIGHUP ignored: this role has nothing to reload');
    log.info('reloading the supergraph');
    reload().then(
      () => log.info('supergraph reloaded'),
      (err: unknown) => log.error({ err }, 'supergraph not reloaded: the previous one stays in use'),
    );
  });
}
