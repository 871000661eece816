/** Problems as the wire shows them: RFC 9457 application/problem+json, one shape for every fault of every door. */
import type { FastifyReply } from 'fastify';
import { errors, Problem, type ErrorCode } from '../../schema/errors.ts';

/** The page of the problem types on this very server, with a heading per code (RFC 9457, 3.1.1: a relative reference with its full path). */
const problemTypeBase = '/docs/problems#';
const registeredTypes: Partial<Record<ErrorCode, string>> = {
  // https://www.iana.org/assignments/http-problem-types
  quota_exceeded: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
};

/** What a problem's body holds; extensions of the problem (`errors`, `existingId` …) stand beside these. */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: ErrorCode;
  readonly requestId: string;
  readonly [member: string]: unknown;
}

/** The body of a problem. `instance` is the path of the request without its query: that may hold personal data. */
export function problemBody(problem: Problem, request: { readonly instance: string; readonly requestId: string }): ProblemBody {
  const { status, title } = errors[problem.code];
  const type = registeredTypes[problem.code] ?? `${problemTypeBase}${problem.code}`;
  // last, so that no extension takes the place of a member of the standard
  return {
    ...problem.extensions,
    type,
    title,
    status,
    detail: problem.message,
    instance: request.instance,
    code: problem.code,
    requestId: request.requestId,
  };
}

/** By status: 401 names the scheme to use (RFC 9110, 11.6.1), 503 says that it is soon over (15.6.4). */
const statusHeaders: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'www-authenticate': 'Bearer' },
  503: { 'retry-after': '1' },
};

/** The headers of every problem. */
export function problemHeaders(problem: Problem): Record<string, string> {
  const headers = { 'content-type': 'application/problem+json; charset=utf-8', 'cache-control': 'no-store' };
  return { ...headers, ...statusHeaders[errors[problem.code].status] };
}

/** Answers a request with a problem. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const { request } = reply;
  const body = problemBody(problem, { instance: pathOf(request.url), requestId: request.id });
  return reply
    .code(body.status)
    .headers({ ...problemHeaders(problem), 'x-request-id': request.id })
    .serializer(String)
    .send(JSON.stringify(body));
}

/** A URL without its query. */
export function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

/** What went wrong as a problem: ours as they are, the server's own by their code, all else `internal`, without a word of it. */
export function toProblem(fault: unknown): Problem {
  if (fault instanceof Problem) return fault;
  const code = typeof fault === 'object' && fault !== null && 'code' in fault ? String(fault.code) : '';
  const known = Object.hasOwn(serverErrors, code) ? serverErrors[code] : undefined;
  return known === undefined
    ? new Problem('internal', 'Something went wrong on our side. The request id names it.')
    : new Problem(...known);
}

const malformed = ['malformed_json', 'The body is not valid JSON.'] as const;
const tooLarge = ['payload_too_large', 'The body is larger than this server takes.'] as const;
const mediaType = ['unsupported_media_type', 'Send the body as application/json.'] as const;
const unknownPath = ['not_found', 'There is nothing at this path.'] as const;

/** Faults of the server and its plugins that are the client's, or passing. */
const serverErrors: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: malformed,
  FST_ERR_CTP_EMPTY_JSON_BODY: malformed,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformed_json', 'The body is shorter or longer than its Content-Length.'],
  FST_ERR_CTP_BODY_TOO_LARGE: tooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: mediaType,
  FST_ERR_CTP_EMPTY_TYPE: mediaType,
  FST_ERR_BAD_URL: unknownPath,
  FST_ERR_MAX_PARAM_LENGTH: unknownPath,
  FST_ERR_NOT_FOUND: unknownPath,
};
