/** Errors of resolvers as an area reports them to the router. */
import type { GraphQLError } from 'graphql';
import type { Logger } from 'pino';
import type { SubgraphError } from '../../schema/subgraph-client.ts';

/** An error of graphql-js, or of graphql-jit, which omits empty extensions. */
type ResolverError = Pick<GraphQLError, 'message' | 'path' | 'originalError'> & {
  readonly extensions?: GraphQLError['extensions'] | undefined;
};

/** The error as reported to the router. Errors without a code are logged here and reported as `internal` without details. */
export function errorOf(error: ResolverError, log: Logger, requestId: string): SubgraphError {
  const { message, path, extensions } = error;
  if (typeof extensions?.['code'] === 'string') return { message, path, extensions };
  log.error({ err: error.originalError ?? error, path: error.path, requestId }, 'resolver failed');
  return { message: 'Internal error.', path: error.path, extensions: { code: 'internal' } };
}
