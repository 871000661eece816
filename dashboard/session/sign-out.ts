/** Signs out of the current session or of all sessions, and navigates to the sign-in page. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { app } from '../graph/app.ts';
import { notifyError } from '../graph/operations.ts';
import type { RequestError } from '../graph/request-error.ts';
import { requestJson } from '../graph/request.ts';
import { sessionEnded } from './session.ts';

const paths = { current: `${app.base}/session`, everywhere: `${app.base}/sessions` } as const;

/** Returns a function that navigates to the sign-in page, and removes all cached data of the session from memory. */
export function useSignInPage(): () => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  return () => {
    client.clear();
    sessionEnded.set(false);
    void navigate({ to: '/sign-in', search: {} });
  };
}

export function useSignOut() {
  const openSignInPage = useSignInPage();
  return useMutation<unknown, RequestError, keyof typeof paths>({
    mutationFn: (sessions) => requestJson(paths[sessions], { method: 'DELETE' }),
    onSuccess: openSignInPage,
    onError: notifyError,
  });
}
