/** The error of a request to the platform: a problem response, a GraphQL error, or a network failure. */
import type { ErrorCode, Violation } from '../../schema/errors.ts';

interface RequestErrorDetails {
  readonly code: ErrorCode | 'unreachable';
  /** Identifies the request in the log; null without a response. */
  readonly requestId?: string | null;
  readonly violations?: readonly Violation[];
  /** Seconds to wait before the next attempt; null when the response names none. */
  readonly retryAfter?: number | null;
}

/** A request that the platform rejected, or that did not reach it (`unreachable`). */
export class RequestError extends Error implements Required<RequestErrorDetails> {
  readonly code: ErrorCode | 'unreachable';
  readonly requestId: string | null;
  readonly violations: readonly Violation[];
  readonly retryAfter: number | null;

  constructor(message: string, { code, requestId = null, violations = [], retryAfter = null }: RequestErrorDetails) {
    super(message);
    this.code = code;
    this.requestId = requestId;
    this.violations = violations;
    this.retryAfter = retryAfter;
  }
}

/** The members that a problem body and a GraphQL error with its extensions have in common. */
export interface ErrorBody {
  readonly message?: string;
  readonly detail?: string;
  readonly code?: ErrorCode;
  readonly requestId?: string;
  readonly errors?: readonly Violation[];
}

/** The error that a response describes. */
export function requestErrorOf({ detail, message, code, requestId, errors }: ErrorBody, response: Response): RequestError {
  const retryAfter = Number(response.headers.get('retry-after') ?? NaN);
  return new RequestError(detail ?? message ?? 'The platform rejected the request.', {
    code: code ?? 'internal',
    requestId: requestId ?? response.headers.get('x-request-id'),
    violations: errors ?? [],
    retryAfter: Number.isNaN(retryAfter) ? null : retryAfter,
  });
}

/** The error of a request without a response. */
export const unreachableError = (): RequestError =>
  new RequestError('The platform did not respond. Check that it is running, then try again.', { code: 'unreachable' });

/** The path of a violation below the input: `limits, perDay` of `/input/limits/perDay` or `createPlan.input.limits.perDay`. */
function pathOf({ pointer, parameter }: Violation): readonly string[] {
  const steps = (pointer ?? parameter ?? '').split(/[/.]/).filter((step) => step !== '');
  return steps.slice(steps.indexOf('input') + 1);
}

/** Messages by field name. A violation of `/input/limits/perDay` is listed under `limits` and under `perDay`. */
export function violationsByField(error: RequestError): Readonly<Record<string, string>> {
  return Object.fromEntries(error.violations.flatMap((violation) => pathOf(violation).map((step) => [step, violation.detail])));
}

/** Messages about the items of a list field, by index: `/input/allowedCidrs/0` has index 0. */
export function violationsByIndex(error: RequestError, field: string): ReadonlyMap<number, string> {
  return new Map(
    error.violations.flatMap((violation) => {
      const [name, index] = pathOf(violation);
      return name === field && index !== undefined ? [[Number(index), violation.detail] as const] : [];
    }),
  );
}
