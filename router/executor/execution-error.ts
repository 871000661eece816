/** Errors of areas as callers see them: a code of ours, a path in the client's terms, nothing else. */
import type { Logger } from 'pino';
import type { GraphError } from '../../schema/entry-point.ts';
import { isErrorCode } from '../../schema/errors.ts';

/** An error as an area or the executor has it. */
export interface ExecutionError {
  readonly message: string;
  readonly path?: readonly (string | number)[] | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** A path ends before the first "@": the planner's sign for "every item of this list". */
function clientPath(path: readonly (string | number)[] | undefined): readonly (string | number)[] {
  if (path === undefined) return [];
  const everyItem = path.indexOf('@');
  return everyItem === -1 ? path : path.slice(0, everyItem);
}

/** The fault told to the caller; what has no code of ours is logged and told as `internal` without its text. */
export function publicError(error: ExecutionError, log: Logger, requestId: string): GraphError {
  const path = clientPath(error.path);
  const where = path.length > 0 ? { path } : {};
  const { serviceName, ...extensions } = error.extensions ?? {};
  const code = extensions['code'];
  if (isErrorCode(code) && code !== 'internal') return { message: error.message, ...where, extensions: { ...extensions, code } };
  log.error({ requestId, area: serviceName, path, fault: error.message, code }, 'an area failed');
  return { message: 'Internal error.', ...where, extensions: { code: 'internal' } };
}
