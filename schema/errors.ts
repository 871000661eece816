/** Every error code of the platform with its HTTP status and title. The codes are stable; docs/errors.md explains each. */
export const errors = {
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  unknown_parameter: { status: 400, title: 'Unknown query parameter' },
  parameter_invalid: { status: 400, title: 'Invalid parameter' },
  cursor_invalid: { status: 400, title: 'Invalid cursor' },
  ambiguous_credentials: { status: 400, title: 'More than one API key' },
  operation_unknown: { status: 400, title: 'Unknown operation' },
  document_not_found: { status: 400, title: 'Document not found' },
  query_too_complex: { status: 400, title: 'Query too complex' },
  query_too_deep: { status: 400, title: 'Query too deep' },
  token_limit: { status: 400, title: 'Document too long' },
  csrf_refused: { status: 400, title: 'Possible cross-site request forgery' },
  api_key_missing: { status: 401, title: 'API key required' },
  api_key_invalid: { status: 401, title: 'Invalid API key' },
  api_key_revoked: { status: 401, title: 'API key revoked' },
  api_key_expired: { status: 401, title: 'API key expired' },
  api_key_disabled: { status: 401, title: 'API key disabled' },
  sign_in_required: { status: 401, title: 'Sign-in required' },
  sign_in_failed: { status: 401, title: 'Sign-in failed' },
  second_factor_required: { status: 401, title: 'Second factor required' },
  insufficient_scope: { status: 403, title: 'Insufficient scope' },
  ip_not_allowed: { status: 403, title: 'Address not allowed' },
  origin_not_allowed: { status: 403, title: 'Origin not allowed' },
  account_unavailable: { status: 403, title: 'Account not available' },
  not_owner: { status: 403, title: 'Not the owner' },
  document_not_registered: { status: 403, title: 'Document not registered' },
  write_not_in_plan: { status: 403, title: 'Plan without write access' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  not_acceptable: { status: 406, title: 'No acceptable format' },
  request_timeout: { status: 408, title: 'Request too slow' },
  conflict: { status: 409, title: 'Conflict' },
  invalid_transition: { status: 409, title: 'Transition not allowed' },
  in_use: { status: 409, title: 'In use' },
  consent_required: { status: 409, title: 'Consent required' },
  openings_exhausted: { status: 409, title: 'No openings left' },
  idempotency_in_progress: { status: 409, title: 'Request in progress' },
  gone: { status: 410, title: 'Gone' },
  precondition_failed: { status: 412, title: 'Precondition failed' },
  payload_too_large: { status: 413, title: 'Body too large' },
  uri_too_long: { status: 414, title: 'URL too long' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  validation_failed: { status: 422, title: 'Validation failed' },
  idempotency_key_reused: { status: 422, title: 'Idempotency key reused' },
  precondition_required: { status: 428, title: 'Precondition required' },
  headers_too_large: { status: 431, title: 'Headers too large' },
  quota_exceeded: { status: 429, title: 'Quota exceeded' },
  rate_limited: { status: 429, title: 'Too many requests' },
  stream_limit_exceeded: { status: 429, title: 'Too many event streams' },
  internal: { status: 500, title: 'Internal error' },
  upstream_unavailable: { status: 503, title: 'Temporarily unavailable' },
  overloaded: { status: 503, title: 'Overloaded' },
  upstream_timeout: { status: 504, title: 'Timed out' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errors;

const outageCodes: ReadonlySet<string> = new Set<ErrorCode>(['upstream_unavailable', 'upstream_timeout']);

/** Codes of requests that can succeed when they are repeated unchanged. */
export const temporaryCodes: ReadonlySet<string> = new Set([...outageCodes, 'overloaded' satisfies ErrorCode]);

/** One violation of a request: its place (a JSON pointer into the body, or the name of a parameter), its code, and what to change. */
export interface Violation {
  readonly pointer?: string;
  readonly parameter?: string;
  readonly code: string;
  readonly detail: string;
}

/** Further members of a problem. The caller receives all of them. */
export interface ProblemExtensions {
  readonly errors?: readonly Violation[];
  /** Id of the caller's resource that conflicts with the request. */
  readonly existingId?: string;
  readonly [member: string]: unknown;
}

/**
 * An error that is returned to the caller. Areas, the router and the REST bridge throw it.
 * graphql-js copies `extensions` onto the GraphQLError, so the code survives every edge.
 */
export class Problem extends Error {
  readonly code: ErrorCode;
  readonly extensions: ProblemExtensions & { readonly code: ErrorCode };

  constructor(code: ErrorCode, detail: string, extensions: ProblemExtensions = {}) {
    super(detail);
    this.name = 'Problem';
    this.code = code;
    this.extensions = { ...extensions, code };
  }
}

/** Whether a part of the platform did not respond, or not in time. */
export function isOutage(error: unknown): boolean {
  return error instanceof Problem && outageCodes.has(error.code);
}

/** Whether a value is one of the error codes. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errors, value);
}

type Violations = readonly (Violation | false | null | undefined)[];

/** The Problem validation_failed (422) for a list that contains at least one violation. */
export function validationProblem(violations: Violations): Problem {
  const errors = violations.filter((violation) => !!violation);
  const [first] = errors;
  const detail = first && errors.length === 1 ? first.detail : `The request has ${errors.length} violations; see \`errors\`.`;
  return new Problem('validation_failed', detail, { errors });
}

/** Throws Problem validation_failed (422) with every violation of a body. Does nothing when the list contains none. */
export function rejectInvalid(violations: Violations): void {
  if (violations.some((violation) => !!violation)) throw validationProblem(violations);
}
