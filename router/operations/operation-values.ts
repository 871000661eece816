/** The values of an operation's variables, and its points for them. */
import { Problem } from '../../schema/errors.ts';
import type { GraphOperation, GraphRun } from '../graph.ts';
import type { Variables } from './conditions.ts';
import { limits } from './limits.ts';
import type { PreparedOperation } from './prepared-operation.ts';

/** Throws query_too_complex above the limit, before the cost is charged. */
export function pointsOf(prepared: PreparedOperation, values: Variables): number {
  const points = prepared.estimate(values);
  if (points <= limits.points) return points;
  throw new Problem(
    'query_too_complex',
    `The operation costs up to ${points} points; the limit is ${limits.points}. Each entity counts 1 point, each batch item 10. Request smaller pages.`,
  );
}

/** Coerced and checked values; the bridge has already done both for a registered operation. */
export function valuesOf(operation: GraphOperation, prepared: PreparedOperation, variables: Variables): Variables {
  if ('id' in operation) return variables;
  const values = prepared.coerce(variables);
  if (operation.audience !== 'internal') prepared.check(values);
  pointsOf(prepared, values);
  return values;
}

/**
 * Whether the response is delivered in parts. Each use of @defer or @stream can have a part for each point, and their number is limited:
 * above it, and with fields that the router answers itself, the directives have no effect.
 */
export const isInParts = (
  { incremental, estimate, answerRouterFields }: PreparedOperation,
  values: Variables,
  run: Pick<GraphRun, 'isIncremental'>,
): boolean =>
  run.isIncremental === true &&
  incremental !== null &&
  answerRouterFields === null &&
  incremental.count * estimate(values) <= limits.points;
