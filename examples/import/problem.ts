/** What the API says when it refuses: problem documents (RFC 9457), read leniently and explained to a person. */
export interface ApiError {
  readonly pointer: string | null;
  readonly code: string;
  readonly detail: string;
}

export interface ApiProblem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors: readonly ApiError[];
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const textOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise);

/** The faults of a problem or of a batch item; what is not a fault is left out. */
export function parseErrors(value: unknown): ApiError[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map((fault) => ({
    pointer: typeof fault.pointer === 'string' ? fault.pointer : null,
    code: textOr(fault.code, 'unknown'),
    detail: textOr(fault.detail, ''),
  }));
}

/** Reads a problem body; a proxy's page of HTML becomes a problem without details. */
export function parseProblem(status: number, text: string): ApiProblem {
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    // Not ours: the status alone has to do.
  }
  const members = isRecord(body) ? body : {};
  return {
    status,
    code: textOr(members.code, `http_${status}`),
    detail: textOr(members.detail, textOr(members.title, 'The server gave no reason.')),
    errors: parseErrors(members.errors),
  };
}

const advice: Readonly<Record<number, string>> = {
  401: 'Give a valid API key with --key or in API_KEY.',
  403: 'The key needs a plan with writes and scopes such as organizations:write: the help of the command names them.',
  404: 'Is --url the address of the API?',
  429: 'The allowance of the key is used up: run the import again after the reset; what is written stays and is recognised.',
};

/** One fault in words. */
export function errorText(fault: ApiError): string {
  return fault.pointer === null ? fault.detail : `${fault.pointer}: ${fault.detail}`;
}

/** One line for a person: what was refused, why, and what to do. */
export function explain(problem: ApiProblem): string {
  const faults = problem.errors.slice(0, 5).map(errorText);
  const parts = [`${problem.status} ${problem.code}: ${problem.detail}`, ...faults, advice[problem.status] ?? ''];
  return parts.filter((part) => part !== '').join(' ');
}
