/** Which problem the errors of an execution come to, in the words of REST. */
import type { GraphError } from '../schema/entry-point.ts';
import { errors, isErrorCode, Problem } from '../schema/errors.ts';
import type { Violation } from '../schema/errors.ts';
import type { Operation } from './operation.ts';

/** What an edge may have left in an error's extensions, and no caller is to see. */
const unshown = new Set(['stacktrace', 'exception', 'serviceName', 'http', 'notes']);

/** Words for failures of ours: never an upstream's text. */
const ourFault: Partial<Record<keyof typeof errors, string>> = {
  internal: 'Something went wrong on our side. Repeat the request later; quote the request id when you report it.',
  upstream_unavailable: 'A part of the platform does not answer at the moment. Repeat the request later.',
  upstream_timeout: 'A part of the platform did not answer in time. Repeat the request later.',
};

/**
 * The one problem that an execution's errors come to. A failure of the platform outweighs a refusal: the refusal may only follow from it.
 * A code nobody knows, on a read, is an area that did not answer: a REST answer is whole or an error.
 */
export function problemOf(faults: readonly GraphError[], operation: Operation | null): Problem {
  const problems = faults.map((fault) => toProblem(fault, operation));
  const failure = problems.find((problem) => errors[problem.code].status >= 500);
  return failure ?? problems[0] ?? new Problem('internal', ourFault.internal ?? '');
}

function toProblem(fault: GraphError, operation: Operation | null): Problem {
  const { code, errors: details, ...rest } = fault.extensions;
  const extensions = Object.fromEntries(Object.entries(rest).filter(([name]) => !unshown.has(name)));
  const known = isErrorCode(code) ? code : operation?.method === 'GET' ? 'upstream_unavailable' : 'internal';
  const detail = ourFault[known] ?? fault.message;
  return new Problem(known, detail, {
    ...extensions,
    ...(details ? { errors: details.map((each) => inRestTerms(each, operation)) } : {}),
  });
}

/** Arguments by the names REST gives them: `after` is the `cursor` of a request, `/input/name` the `/name` of its body. */
function inRestTerms(fault: Violation, operation: Operation | null): Violation {
  if (fault.parameter !== undefined) {
    const variable = operation?.variables.find(({ feed, name }) => (feed?.name ?? name) === fault.parameter);
    return variable ? { ...fault, parameter: variable.wireName } : fault;
  }
  return fault.pointer === undefined || operation?.body !== 'input'
    ? fault
    : { ...fault, pointer: fault.pointer.replace(/^\/input(?=\/|$)/, '') };
}
