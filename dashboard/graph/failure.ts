/** What the platform answers when it refuses: the same problem from both of its doors, with the code that tells what to do. */
import type { ErrorCode, Violation } from '../../schema/errors.ts';

/** A request that was refused, or that reached nobody (`unreachable`). */
export class Failure extends Error {
  readonly code: ErrorCode | 'unreachable';
  /** What to say to who keeps the log; null when nobody answered. */
  readonly requestId: string | null;
  readonly faults: readonly Violation[];
  /** Seconds after which it may be tried again; null: not said. */
  readonly retryAfter: number | null;

  constructor(detail: string, { code, requestId, faults, retryAfter }: Omit<Failure, keyof Error>) {
    super(detail);
    this.code = code;
    this.requestId = requestId;
    this.faults = faults;
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
    faults: told.errors ?? [],
    retryAfter: Number.isNaN(retryAfter) ? null : retryAfter,
  });
}

/** Nobody answered: the network, or a platform that is not there. */
export const unreachable = (): Failure =>
  new Failure('The platform does not answer. Look whether it runs, and try again.', {
    code: 'unreachable',
    requestId: null,
    faults: [],
    retryAfter: null,
  });

/** The steps to what a fault is about, from the input on: of `/input/limits/perDay`, and of `createPlan.input.limits.perDay`. */
function stepsOf({ pointer, parameter }: Violation): readonly string[] {
  const steps = (pointer ?? parameter ?? '').split(/[/.]/).filter((step) => step !== '');
  return steps.slice(steps.indexOf('input') + 1);
}

/** The fields of a form that a refusal names, by name: `/input/limits/perDay` is `perDay`, and `limits`. */
export function faultsByField(failure: Failure): Readonly<Record<string, string>> {
  return Object.fromEntries(failure.faults.flatMap((fault) => stepsOf(fault).map((step) => [step, fault.detail])));
}

/** What a refusal says of the members of a list, by their place: `/input/allowedCidrs/0` is 0. */
export function faultsByPlace(failure: Failure, field: string): ReadonlyMap<number, string> {
  return new Map(
    failure.faults.flatMap((fault) => {
      const [name, place] = stepsOf(fault);
      return name === field && place !== undefined ? [[Number(place), fault.detail] as const] : [];
    }),
  );
}
