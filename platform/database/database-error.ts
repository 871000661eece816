/** Translates errors of PostgreSQL and of its connections to problems. */
import { Problem } from '../../schema/errors.ts';
import { errorCode } from '../error-code.ts';

/** SQLSTATE classes of an unavailable server, in contrast to an invalid statement. */
const unavailable = /^(08|28|57P|53|25006)/;
const connectionErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

const messageOf = (error: object): string => ('message' in error ? String(error.message) : '');

/** True if the error means that the database is unavailable, not that the statement is wrong. */
export function isUnavailable(error: unknown): boolean {
  // socket errors may come from another realm, so `instanceof` is not reliable
  if (typeof error !== 'object' || error === null) return false;
  const code = errorCode(error) ?? '';
  const message = messageOf(error);
  return (
    unavailable.test(code) ||
    connectionErrors.has(code) ||
    (code === '55000' && message.includes('not currently accepting connections')) ||
    // a migration changed the columns of a prepared statement: a new connection prepares it again
    (code === '0A000' && message.startsWith('cached plan must not change result type')) ||
    (code === '' &&
      /terminat|timeout exceeded when trying to connect|Connection ended|not queryable|Query read timeout/i.test(message))
  );
}

const readTimeoutMessage = 'Query read timeout';

/** The error of a statement whose response did not arrive in time. */
export const readTimeout = (): Error => new Error(readTimeoutMessage);

/** True if the response of a statement did not arrive in time. */
export const isReadTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && messageOf(error) === readTimeoutMessage;

/** True if PostgreSQL rejected the password of the role. */
export const isWrongPassword = (error: unknown): boolean => errorCode(error) === '28P01';

/** SQLSTATE of a text that does not match its type: only IDs reach SQL unchecked. */
const invalidText = '22P02';

/** True if a caller sent a text that is not an ID, such as `abc`: an error of the caller, unlike other values that PostgreSQL rejects. */
export const isInvalidId = (error: unknown): boolean =>
  errorCode(error) === invalidText && typeof error === 'object' && error !== null && messageOf(error).includes('type uuid');

/** SQLSTATE class 22: a value that PostgreSQL cannot store or compute with, such as a date in the year 0. */
export const isDataError = (error: unknown): boolean => /^22[0-9A-Z]{3}$/.test(errorCode(error) ?? '');

/** SQLSTATE of a canceled statement: by statement_timeout or by an administrator. */
const canceled = '57014';

/** The Problem that a caller receives; a programming error unchanged. */
export function translate(error: unknown): unknown {
  if (errorCode(error) === invalidText) return new Problem('parameter_invalid', 'Invalid ID: IDs are UUIDs.');
  if (isDataError(error))
    return new Problem('validation_failed', 'A date, time, number or text is outside the range that can be stored.');
  if (errorCode(error) === canceled)
    return new Problem('upstream_timeout', 'The database query timed out. Request less data, or try again.');
  return isUnavailable(error) ? new Problem('upstream_unavailable', 'The database is unavailable. Try again shortly.') : error;
}

/** The Problem of a failed commit. Without a response from PostgreSQL the transaction may have been committed. */
export function translateCommit(error: unknown): unknown {
  if (!isUnavailable(error)) return translate(error);
  return new Problem(
    'upstream_timeout',
    'The database did not confirm the write, which may have been stored. Repeat it with the same Idempotency-Key, or read the resource.',
  );
}

/** The Problem of a statement whose request ended: its client disconnected, or its deadline passed. */
export const requestEnded = (): Problem =>
  new Problem('upstream_timeout', 'The request ended before its database query. Nothing was written by this query.');
