/** What was asked and answered, kept while it is fresh; a session that ended is noticed here, whatever asked. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { sessionQuery } from '../session/session.ts';
import { Failure } from './failure.ts';

/** Refusals stay what they are; only a platform that cannot answer is asked again. */
const passing = new Set<string>(['unreachable', 'overloaded', 'upstream_unavailable', 'upstream_timeout']);

/** `onSignedOut` is called when the platform says that there is no session any more. */
export function createClient(onSignedOut: () => void): QueryClient {
  const notice = (violation: Error): void => {
    if (!(violation instanceof Failure) || violation.code !== 'sign_in_required') return;
    client.removeQueries({ queryKey: sessionQuery.queryKey });
    onSignedOut();
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: notice }),
    mutationCache: new MutationCache({ onError: notice }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, violation) => count < 2 && violation instanceof Failure && passing.has(violation.code),
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
