/** Problem responses: RFC 9457 application/problem+json, the same body for every error of every API. */
import type { FastifyReply } from 'fastify';
import { errorCode } from '../error-code.ts';
import { errors, Problem, type ErrorCode } from '../../schema/errors.ts';

const problemType = 'application/problem+json; charset=utf-8';

/** The page of the problem types on this server, with a heading per code (RFC 9457, 3.1.1: a relative reference with its full path). */
const problemTypeBase = '/docs/problems#';
const registeredTypes: Partial<Record<ErrorCode, string>> = {
  // https://www.iana.org/assignments/http-problem-types
  quota_exceeded: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
};

/** The body of a problem, to which the problem's extensions (`errors`, `existingId` …) are added. */
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

/** The body of a problem. `instance` is the request path without the query string, which may contain personal data. */
export function problemBody(problem: Problem, request: { readonly instance: string; readonly requestId: string }): ProblemBody {
  const { status, title } = errors[problem.code];
  // a header of the response
  const { retryAfterSeconds: _, ...extensions } = problem.extensions;
  const type = registeredTypes[problem.code] ?? `${problemTypeBase}${problem.code}`;
  // standard members last, so that no extension overwrites them
  return {
    ...extensions,
    type,
    title,
    status,
    detail: problem.message,
    instance: request.instance,
    code: problem.code,
    requestId: request.requestId,
  };
}

/** Headers by status: 401 requires WWW-Authenticate (RFC 9110, 11.6.1), 503 may have Retry-After (15.6.4). */
const statusHeaders: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'www-authenticate': 'Bearer' },
  503: { 'retry-after': '1' },
};

/** The headers of a problem response. */
export function problemHeaders(problem: Problem): Record<string, string> {
  const headers = { 'content-type': problemType, 'cache-control': 'no-store' };
  return { ...headers, ...statusHeaders[errors[problem.code].status] };
}

/** Adds the headers that the status of a problem has in every format. A Retry-After that is already set, or that the problem names, is more specific. */
export function addStatusHeaders(reply: FastifyReply, problem: Problem): FastifyReply {
  const { retryAfterSeconds } = problem.extensions;
  const { scope } = reply.request;
  if (scope !== undefined) scope.facts.code = problem.code;
  const specific = reply.getHeader('retry-after') ?? (typeof retryAfterSeconds === 'number' ? retryAfterSeconds : undefined);
  reply.headers({ 'cache-control': 'no-store', ...statusHeaders[errors[problem.code].status] });
  return specific === undefined ? reply : reply.header('retry-after', specific);
}

/** Sends a problem as the response. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  const { request } = reply;
  const body = problemBody(problem, { instance: uriOf(pathOf(request.url)), requestId: request.id });
  return addStatusHeaders(reply, problem)
    .code(body.status)
    .headers({ 'content-type': problemType, 'x-request-id': request.id })
    .serializer(String)
    .send(JSON.stringify(body));
}

/** A path as a URI reference: a `%` that starts no escape is escaped itself (RFC 3986 section 2.4). */
const uriOf = (path: string): string => path.replaceAll(/%(?![0-9A-Fa-f]{2})/g, '%25');

/** A URL without its query string. */
export function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

/**
 * An error as a problem: problems unchanged, known server errors by code, all others as `internal` without details.
 * @param bodyLimit maximum size of the request's body in bytes, for the text of its error
 */
export function toProblem(error: unknown, bodyLimit?: number): Problem {
  if (error instanceof Problem) return error;
  const code = errorCode(error) ?? '';
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' && bodyLimit !== undefined) return bodyTooLarge(bodyLimit);
  const known = Object.hasOwn(serverErrors, code) ? serverErrors[code] : undefined;
  return known === undefined
    ? new Problem('internal', 'An internal error occurred. Include the request ID when you report it.')
    : new Problem(...known);
}

/** The problem of a body above the limit of its route. */
export const bodyTooLarge = (maxBytes: number): Problem =>
  new Problem('payload_too_large', `The body exceeds ${Math.floor(maxBytes / 1024)} KiB, the maximum of this route.`, {
    maxBytes,
  });

const malformed = ['malformed_json', 'The body is not valid JSON.'] as const;
const tooLarge = ['payload_too_large', 'The body exceeds the maximum size.'] as const;
const mediaType = ['unsupported_media_type', 'Send the body as application/json.'] as const;
export const unknownPathDetail = 'There is no resource at this path.';
const unknownPath = ['not_found', unknownPathDetail] as const;

/** Errors of Fastify and its plugins that the client caused. */
const serverErrors: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: malformed,
  FST_ERR_CTP_EMPTY_JSON_BODY: malformed,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ['malformed_json', 'The length of the body does not match its Content-Length.'],
  FST_ERR_CTP_BODY_TOO_LARGE: tooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: mediaType,
  FST_ERR_CTP_EMPTY_TYPE: mediaType,
  FST_ERR_BAD_URL: unknownPath,
  FST_ERR_MAX_PARAM_LENGTH: unknownPath,
  FST_ERR_NOT_FOUND: unknownPath,
};
