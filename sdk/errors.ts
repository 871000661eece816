/** Errors of the client: every response that is no success is thrown. */
import type { components } from './generated/api.ts';

type ProblemResponses = components['responses'];

/** The body of an error response (RFC 9457). Its members depend on `code`. */
export type Problem = ProblemResponses[keyof ProblemResponses]['content']['application/problem+json'];
export type ProblemCode = Problem['code'];

/** A response that is no success, and no problem of the API: for example from a proxy. */
export class HttpError extends Error {
  override readonly name: string = 'HttpError';
  readonly status: number;
  readonly response: Response;

  constructor(message: string, response: Response) {
    super(message);
    this.status = response.status;
    this.response = response;
  }
}

/** A problem of the API. `hasCode` narrows it to the members of one code. */
export class ProblemError<Body extends Problem = Problem> extends HttpError {
  override readonly name = 'ProblemError';
  readonly problem: Body;

  constructor(problem: Body, response: Response) {
    super(problem.detail, response);
    this.problem = problem;
  }

  get code(): Body['code'] {
    return this.problem.code;
  }

  /** Include it when you report a problem. */
  get requestId(): string {
    return this.problem.requestId;
  }
}

/** Whether an error is the problem with a code. */
export function hasCode<Code extends ProblemCode>(
  error: unknown,
  code: Code,
): error is ProblemError<Extract<Problem, { code: Code }>> {
  return error instanceof ProblemError && error.code === code;
}

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'code' in body && typeof body.code === 'string' && 'requestId' in body;

/** The value of a JSON text; null if it is invalid. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The error of a response that is no success. Reads the body. */
export async function errorOf(response: Response): Promise<HttpError> {
  const text = await response.text();
  const isJson = (response.headers.get('content-type') ?? '').startsWith('application/problem+json');
  const body = isJson ? parsed(text) : null;
  if (isProblem(body)) return new ProblemError(body, response);
  return new HttpError(`${response.status} ${response.statusText}: ${text.slice(0, 200)}`, response);
}
