/** Creates the query cache of the page, and detects in any response that the session has ended. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { sessionQuery } from '../session/session.ts';
import { RequestError } from './request-error.ts';

/** Only errors of an unavailable platform are retried. */
const retryableCodes = new Set<string>(['unreachable', 'overloaded', 'upstream_unavailable', 'upstream_timeout']);

/** `onSignedOut` is called when a response reports that the session has ended. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: Error): void => {
    if (!(error instanceof RequestError) || error.code !== 'sign_in_required') return;
    client.removeQueries({ queryKey: sessionQuery.queryKey });
    onSignedOut();
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, error) => count < 2 && error instanceof RequestError && retryableCodes.has(error.code),
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
