/** Error responses of the GraphQL API outside Apollo Server: rejections before parsing, and the messages of its errors. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLFormattedError } from 'graphql';
import type { Logger } from 'pino';
import { errors, isErrorCode, Problem } from '../../schema/errors.ts';

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
  413: new Problem('payload_too_large', 'The body exceeds the size limit.'),
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

/** A rejection in the format of GraphQL over HTTP: the status of the problem, one error, no data. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, problem: Problem): FastifyReply {
  const type = request.headers.accept?.includes(responseType) === true ? responseType : 'application/json';
  return reply
    .code(errors[problem.code].status)
    .header('cache-control', 'no-store')
    .type(`${type}; charset=utf-8`)
    .send(JSON.stringify({ errors: [{ message: problem.message, extensions: problem.extensions }] }));
}
