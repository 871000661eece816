/** Error responses of the GraphQL API outside Apollo Server: rejections before parsing, and the messages of its errors. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLFormattedError } from 'graphql';
import type { Logger } from 'pino';
import { errors, isErrorCode, Problem } from '../../schema/errors.ts';
import { addStatusHeaders, bodyTooLarge } from '../../platform/http/problem.ts';
import { bodyLimits } from './body.ts';
import { isRequestError, reportErrors } from './request-errors.ts';

/** Codes of Apollo Server that clients depend on. */
const apolloCodes = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'BAD_REQUEST',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
]);

/** Errors for the client: known codes keep their message, all others become `internal` without theirs. */
export function createFormatError(log: Logger): (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError {
  return (formatted, error) => {
    const code = formatted.extensions?.['code'];
    if (typeof code === 'string' && (isErrorCode(code) || apolloCodes.has(code))) {
      return formatted;
    }
    log.error({ err: error }, 'GraphQL request failed');
    return { message: 'Internal error.', extensions: { code: 'internal' } };
  };
}

const fastifyProblems: Readonly<Record<number, Problem>> = {
  400: new Problem('malformed_json', 'The body is not valid JSON.'),
  413: bodyTooLarge(bodyLimits.bytes),
  415: new Problem('unsupported_media_type', 'Send the operation as application/json.'),
};

/** The problem for an error of the HTTP layer. */
export function problemOf(error: unknown, log: Logger): Problem {
  if (error instanceof Problem) return error;
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined;
  const known = typeof status === 'number' ? fastifyProblems[status] : undefined;
  if (known !== undefined) return known;
  log.error({ err: error }, 'GraphQL request failed');
  return new Problem('internal', 'Internal error.');
}

const responseType = 'application/graphql-response+json';

/** The media type of an error response by the Accept header, and the status of a request error under it (request-errors.ts). */
export function responseTypeOf(accept: string | undefined): { readonly type: string; readonly requestErrorStatus: number } {
  const isCurrent = accept?.includes(responseType) === true;
  return { type: `${isCurrent ? responseType : 'application/json'}; charset=utf-8`, requestErrorStatus: isCurrent ? 400 : 200 };
}

/** A rejection in the format of GraphQL over HTTP: one error, no data, and the status of the problem. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  const { type, requestErrorStatus } = responseTypeOf(request.headers.accept);
  reportErrors(reply, [problem]);
  return addStatusHeaders(reply, problem)
    .code(isRequestError(problem.code) ? requestErrorStatus : errors[problem.code].status)
    .type(type)
    .send(JSON.stringify({ errors: [{ message: problem.message, extensions: problem.extensions }] }));
}

/** The errors of an invalid document, as Apollo Server sent them for the first time. */
export function sendRequestErrors(
  request: FastifyRequest,
  reply: FastifyReply,
  failed: readonly GraphQLFormattedError[],
): FastifyReply {
  const { type, requestErrorStatus } = responseTypeOf(request.headers.accept);
  reportErrors(reply, failed);
  return reply
    .code(requestErrorStatus)
    .header('cache-control', 'no-store')
    .type(type)
    .send(`${JSON.stringify({ errors: failed })}\n`);
}
