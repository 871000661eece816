/** Creates the query cache of the page, and detects in any response that the session has ended or that the platform is down. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { temporaryCodes } from '../../schema/errors.ts';
import { sessionEnded, sessionQuery } from '../session/session.ts';
import { outage } from './outage.ts';
import { RequestError } from './request-error.ts';

/** Only errors of an unavailable platform are retried. */
const retryableCodes = new Set(['unreachable', ...temporaryCodes]);

/** `onSignedOut` is called when a response reports that there is no session, and the page has had none. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: Error): void => {
    if (!(error instanceof RequestError)) return;
    if (error.code === 'unreachable') outage.set(true);
    if (error.code !== 'sign_in_required') return;
    // the screen stays below a sign-in dialog, so that its forms keep their values
    if (client.getQueryData(sessionQuery.queryKey)?.state === 'SIGNED_IN') return sessionEnded.set(true);
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
