/** The status of request errors by media type, as the GraphQL-over-HTTP specification recommends. */
import type { ApolloServerPlugin } from '@apollo/server';
import type { FastifyReply } from 'fastify';
import type { GraphQLFormattedError } from 'graphql';
import { reportedError, type ReportedError } from '../../schema/reported-error.ts';

/**
 * Codes of well-formed requests that are rejected because of their document or variables. Under `application/json` their status is 200,
 * so that a client can tell a GraphQL response from one of a proxy; under `application/graphql-response+json` it is 400
 * (https://graphql.github.io/graphql-over-http/draft/#sec-Status-Codes).
 */
const requestErrors: ReadonlySet<unknown> = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
  'document_not_found',
  'operation_unknown',
  'parameter_invalid',
  'query_too_complex',
  'query_too_deep',
  'token_limit',
]);

export const isRequestError = (code: unknown): boolean => requestErrors.has(code);

/** A context value with the reply that its response is sent with, and the function that records an invalid document. */
interface WithReply {
  readonly reply: FastifyReply;
  readonly recordInvalid: (hash: string, size: number, errors: readonly GraphQLFormattedError[]) => void;
}

const invalidCodes: ReadonlySet<unknown> = new Set(['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED']);

const rejected = new WeakSet<FastifyReply>();

const reported = new WeakMap<FastifyReply, ReportedError>();

/** Keeps the first of the errors of a response for the request log. Does nothing without errors. */
export function reportErrors(reply: FastifyReply, [first]: readonly Pick<GraphQLFormattedError, 'extensions'>[]): void {
  const error = reportedError(first);
  if (error === null) return;
  reported.set(reply, error);
  const { scope } = reply.request;
  if (scope !== undefined) scope.facts.code = error.code;
}

/** The first error of a response; null without one. */
export const reportedErrorOf = (reply: FastifyReply): ReportedError | null => reported.get(reply) ?? null;

/** Marks the replies whose operation was rejected by Apollo Server or by the executor, and records invalid documents. */
export function markRequestErrors<Context extends WithReply>(): ApolloServerPlugin<Context> {
  return {
    requestDidStart: () =>
      Promise.resolve({
        willSendResponse({ response: { http, body }, contextValue: { reply, recordInvalid }, queryHash, source }) {
          const all = body.kind === 'single' ? (body.singleResult.errors ?? []) : [];
          reportErrors(reply, all);
          const failed = http.status === 400 ? all : [];
          if (failed.some(({ extensions }) => isRequestError(extensions?.['code']))) rejected.add(reply);
          const isInvalid = failed.some(({ extensions }) => invalidCodes.has(extensions?.['code']));
          if (isInvalid) recordInvalid(queryHash, source.length, failed);
          return Promise.resolve();
        },
      }),
  };
}

/** Sets status 200 on a marked reply whose media type is `application/json`; called before the headers are sent. */
export function applyRequestErrorStatus(reply: FastifyReply): void {
  if (rejected.has(reply) && String(reply.getHeader('content-type')).startsWith('application/json')) reply.code(200);
}
