/** Logs the causes of failed statements: callers only learn that the database is unavailable. */
import type { Logger } from 'pino';
import { isDataError, isInvalidId, isWrongPassword } from './database-error.ts';

/** Least time between two lines about an unavailable database: an outage fails every request. */
const intervalMs = 1_000;

const wrongPassword =
  'database rejected the password of the role: this process and the database have different secrets. ' +
  'Run `npm run secrets` with the SECRET of the last `npm run migrate`, and restart the process with the new KEYS.';

/**
 * `onFailure` of a database. Logs an unavailable database at most once a second, with the number of failures since the last line, and
 * every value that PostgreSQL rejects although it passed validation: there the validation is incomplete. An invalid ID is an error of the
 * caller and is logged for debugging only.
 */
export function logFailures(
  log: Logger,
  nowMs: () => number = () => performance.now(),
): (error: unknown, statement: string) => void {
  let nextMs = -Infinity;
  let failures = 0;
  return (err, statement) => {
    if (isInvalidId(err)) {
      log.debug({ err, statement }, 'invalid ID');
      return;
    }
    if (isDataError(err)) {
      log.error({ err, statement }, 'database rejected a value that passed validation');
      return;
    }
    failures += 1;
    if (nowMs() < nextMs) return;
    log.error({ err, statement, failures }, isWrongPassword(err) ? wrongPassword : 'database unavailable');
    nextMs = nowMs() + intervalMs;
    failures = 0;
  };
}
