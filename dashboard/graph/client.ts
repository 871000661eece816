/** What was asked and answered, kept while it is fresh; a session that ended is noticed here, whatever asked. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { sessionQuery } from '../session/session.ts';
import { Failure } from './failure.ts';

/** Refusals stay what they are; only a platform that cannot answer is asked again. */
const passing = new Set<string>(['unreachable', 'overloaded', 'upstream_unavailable', 'upstream_timeout']);

/** `onSignedOut` is called when the platform says that there is no session any more. */
export function createClient(onSignedOut: () => void): QueryClient {
  const notice = (fault: Error): void => {
    if (!(fault instanceof Failure) || fault.code !== 'sign_in_required') return;
    client.removeQueries({ queryKey: sessionQuery.queryKey });
    onSignedOut();
  };
  const client: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: notice }),
    mutationCache: new MutationCache({ onError: notice }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (count, fault) => count < 2 && fault instanceof Failure && passing.has(fault.code),
        networkMode: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
