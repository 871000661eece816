/** Converts the errors of an execution into one problem, in REST terms. */
import type { GraphError } from '../../schema/entry-point.ts';
import { errors, isErrorCode, Problem } from '../../schema/errors.ts';
import type { Violation } from '../../schema/errors.ts';
import type { Operation } from '../operations/operation.ts';

/** Internal extensions that are not sent to clients. */
const internalExtensions = new Set(['stacktrace', 'exception', 'serviceName', 'http', 'notes']);

/** Details of platform failures: the text of an area is never sent. */
const failureDetails: Partial<Record<keyof typeof errors, string>> = {
  internal: 'An internal error occurred. Retry later. If it persists, report it with the request id.',
  upstream_unavailable: 'A part of the platform is temporarily unavailable. Retry later.',
  upstream_timeout: 'A part of the platform did not respond in time. Retry later.',
};

/**
 * The problem for an execution's errors. A platform failure takes precedence over a rejection, which may be its consequence.
 * An unknown code of a read means that an area is unavailable: a REST response is complete or an error.
 */
export function problemOf(failures: readonly GraphError[], operation: Operation | null): Problem {
  const problems = failures.map((error) => toProblem(error, operation));
  const failure = problems.find((problem) => errors[problem.code].status >= 500);
  return failure ?? problems[0] ?? new Problem('internal', failureDetails.internal ?? '');
}

function toProblem(error: GraphError, operation: Operation | null): Problem {
  const { code, errors: details, ...rest } = error.extensions;
  const extensions = Object.fromEntries(Object.entries(rest).filter(([name]) => !internalExtensions.has(name)));
  const known = isErrorCode(code) ? code : operation?.method === 'GET' ? 'upstream_unavailable' : 'internal';
  const detail = failureDetails[known] ?? error.message;
  return new Problem(known, detail, {
    ...extensions,
    ...(details ? { errors: details.map((each) => inRestTerms(each, operation)) } : {}),
  });
}

/** Uses the REST names of arguments: `after` is the `cursor` parameter, `/input/name` is `/name` in the body. */
function inRestTerms(violation: Violation, operation: Operation | null): Violation {
  if (violation.parameter !== undefined) {
    const variable = operation?.variables.find(({ target, name }) => (target?.name ?? name) === violation.parameter);
    return variable ? { ...violation, parameter: variable.wireName } : violation;
  }
  return violation.pointer === undefined || operation?.body !== 'input'
    ? violation
    : { ...violation, pointer: violation.pointer.replace(/^\/input(?=\/|$)/, '') };
}
