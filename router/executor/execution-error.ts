/** Errors of an execution for the client: a platform code and a client path, nothing internal. */
import type { Logger } from 'pino';
import type { GraphError } from '../../schema/entry-point.ts';
import { isErrorCode } from '../../schema/errors.ts';

/** An error as an area or the executor reports it. */
export interface ExecutionError {
  readonly message: string;
  readonly path?: readonly (string | number)[] | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** Cuts a path before the first "@", the planner's notation for all items of a list. */
function clientPath(path: readonly (string | number)[] | undefined): readonly (string | number)[] {
  if (path === undefined) return [];
  const everyItem = path.indexOf('@');
  return everyItem === -1 ? path : path.slice(0, everyItem);
}

/** The error for the client. An error without a platform code is logged and becomes `internal` without its message. */
export function publicError(error: ExecutionError, log: Logger, requestId: string): GraphError {
  const path = clientPath(error.path);
  const where = path.length > 0 ? { path } : {};
  const { serviceName, ...extensions } = error.extensions ?? {};
  const code = extensions['code'];
  if (isErrorCode(code) && code !== 'internal') return { message: error.message, ...where, extensions: { ...extensions, code } };
  log.error({ requestId, area: serviceName, path, message: error.message, code }, 'area failed');
  return { message: 'Internal error.', ...where, extensions: { code: 'internal' } };
}
