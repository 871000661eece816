/** What the platform answers when it refuses: the same problem from both of its doors, with the code that tells what to do. */
import type { ErrorCode, Violation } from '../../schema/errors.ts';

/** A request that was refused, or that reached nobody (`unreachable`). */
export class Failure extends Error {
  readonly code: ErrorCode | 'unreachable';
  /** What to say to who keeps the log; null when nobody answered. */
  readonly requestId: string | null;
  readonly violations: readonly Violation[];
  /** Seconds after which it may be tried again; null: not said. */
  readonly retryAfter: number | null;

  constructor(detail: string, { code, requestId, violations, retryAfter }: Omit<Failure, keyof Error>) {
    super(detail);
    this.code = code;
    this.requestId = requestId;
    this.violations = violations;
    this.retryAfter = retryAfter;
  }
}

interface Told {
  readonly message?: string;
  readonly detail?: string;
  readonly code?: ErrorCode;
  readonly requestId?: string;
  readonly errors?: readonly Violation[];
}

/** Of a problem's body, or of an error of GraphQL with its extensions. */
export function failureOf(told: Told, response: Response): Failure {
  const retryAfter = Number(response.headers.get('retry-after') ?? NaN);
  return new Failure(told.detail ?? told.message ?? 'The platform refused.', {
    code: told.code ?? 'internal',
    requestId: told.requestId ?? response.headers.get('x-request-id'),
    violations: told.errors ?? [],
    retryAfter: Number.isNaN(retryAfter) ? null : retryAfter,
  });
}

/** Nobody answered: the network, or a platform that is not there. */
export const unreachable = (): Failure =>
  new Failure('The platform does not answer. Look whether it runs, and try again.', {
    code: 'unreachable',
    requestId: null,
    violations: [],
    retryAfter: null,
  });

/** The steps to what a fault is about, from the input on: of `/input/limits/perDay`, and of `createPlan.input.limits.perDay`. */
function stepsOf({ pointer, parameter }: Violation): readonly string[] {
  const steps = (pointer ?? parameter ?? '').split(/[/.]/).filter((step) => step !== '');
  return steps.slice(steps.indexOf('input') + 1);
}

/** The fields of a form that a refusal names, by name: `/input/limits/perDay` is `perDay`, and `limits`. */
export function violationsByField(failure: Failure): Readonly<Record<string, string>> {
  return Object.fromEntries(
    failure.violations.flatMap((violation) => stepsOf(violation).map((step) => [step, violation.detail])),
  );
}

/** What a refusal says of the members of a list, by their place: `/input/allowedCidrs/0` is 0. */
export function violationsByPlace(failure: Failure, field: string): ReadonlyMap<number, string> {
  return new Map(
    failure.violations.flatMap((violation) => {
      const [name, place] = stepsOf(violation);
      return name === field && place !== undefined ? [[Number(place), violation.detail] as const] : [];
    }),
  );
}
