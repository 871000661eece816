/** Reports query parameters that an operation does not have. */
import type { Violation } from '../../schema/errors.ts';
import { truncated, violationsMax, suggestionFor } from '../../schema/violations.ts';
import type { Operation } from '../operations/operation.ts';
import type { Query } from './query-parameters.ts';

export function unknownParameters(operation: Operation): (query: Query, violations: Violation[]) => void {
  const { method, path, members, variables } = operation;
  const known = [
    ...variables.filter(({ place }) => place === 'query').map(({ wireName }) => wireName),
    ...(members.length > 0 ? ['fields'] : []),
    ...(members.some(({ optional }) => optional) ? ['include'] : []),
  ];
  return (query, violations) => {
    for (const name of [...query.keys()].filter((name) => !known.includes(name)).slice(0, violationsMax)) {
      violations.push({
        parameter: truncated(name),
        code: 'unknown_parameter',
        detail: `is not a parameter of ${method} ${path}${suggestionFor(name, known)}`,
      });
    }
  };
}
