/** Error responses of the API: parses problem documents (RFC 9457) leniently and formats them as text. */
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

/** The errors of a problem or of a batch item; unknown members are ignored. */
export function parseErrors(value: unknown): ApiError[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map((error) => ({
    pointer: typeof error.pointer === 'string' ? error.pointer : null,
    code: textOr(error.code, 'unknown'),
    detail: textOr(error.detail, ''),
  }));
}

/** Reads a problem body; an HTML page from a proxy becomes a problem without details. */
export function parseProblem(status: number, text: string): ApiProblem {
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    // Not a response of the API: only the status is known.
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
  403: 'The key needs a plan with write access and scopes such as organizations:write. Run the command with --help to list them.',
  404: 'Check that --url is the address of the API.',
  429: 'The quota of the key is exhausted. Run the import again after the reset; written rows are recognized.',
};

/** One error as text. */
export function errorText(error: ApiError): string {
  return error.pointer === null ? error.detail : `${error.pointer}: ${error.detail}`;
}

/** One line with the rejected request, the reason, and what to do. */
export function explain(problem: ApiProblem): string {
  const errors = problem.errors.slice(0, 5).map(errorText);
  const parts = [`${problem.status} ${problem.code}: ${problem.detail}`, ...errors, advice[problem.status] ?? ''];
  return parts.filter((part) => part !== '').join(' ');
}

/** The file can be read, but its content cannot be imported. Nothing has been sent. */
export class RejectedFile extends Error {}
