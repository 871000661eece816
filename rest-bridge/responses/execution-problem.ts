/** Which problem the errors of an execution come to, in the words of REST. */
import type { GraphError } from '../../schema/entry-point.ts';
import { errors, isErrorCode, Problem } from '../../schema/errors.ts';
import type { Violation } from '../../schema/errors.ts';
import type { Operation } from '../operations/operation.ts';

/** What an edge may have left in an error's extensions, and no caller is to see. */
const unshown = new Set(['stacktrace', 'exception', 'serviceName', 'http', 'notes']);

/** Words for failures of ours: never an upstream's text. */
const internalError: Partial<Record<keyof typeof errors, string>> = {
  internal: 'Something went wrong on our side. Repeat the request later; quote the request id when you report it.',
  upstream_unavailable: 'A part of the platform does not answer at the moment. Repeat the request later.',
  upstream_timeout: 'A part of the platform did not answer in time. Repeat the request later.',
};

/**
 * The one problem that an execution's errors come to. A failure of the platform outweighs a refusal: the refusal may only follow from it.
 * A code nobody knows, on a read, is an area that did not answer: a REST answer is whole or an error.
 */
export function problemOf(violations: readonly GraphError[], operation: Operation | null): Problem {
  const problems = violations.map((violation) => toProblem(violation, operation));
  const failure = problems.find((problem) => errors[problem.code].status >= 500);
  return failure ?? problems[0] ?? new Problem('internal', internalError.internal ?? '');
}

function toProblem(violation: GraphError, operation: Operation | null): Problem {
  const { code, errors: details, ...rest } = violation.extensions;
  const extensions = Object.fromEntries(Object.entries(rest).filter(([name]) => !unshown.has(name)));
  const known = isErrorCode(code) ? code : operation?.method === 'GET' ? 'upstream_unavailable' : 'internal';
  const detail = internalError[known] ?? violation.message;
  return new Problem(known, detail, {
    ...extensions,
    ...(details ? { errors: details.map((each) => inRestTerms(each, operation)) } : {}),
  });
}

/** Arguments by the names REST gives them: `after` is the `cursor` of a request, `/input/name` the `/name` of its body. */
function inRestTerms(violation: Violation, operation: Operation | null): Violation {
  if (violation.parameter !== undefined) {
    const variable = operation?.variables.find(({ target, name }) => (target?.name ?? name) === violation.parameter);
    return variable ? { ...violation, parameter: variable.wireName } : violation;
  }
  return violation.pointer === undefined || operation?.body !== 'input'
    ? violation
    : { ...violation, pointer: violation.pointer.replace(/^\/input(?=\/|$)/, '') };
}
