/** Signs out of the current session or of all sessions, and navigates to the sign-in page. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { notifyError } from '../graph/operations.ts';
import type { RequestError } from '../graph/request-error.ts';
import { requestJson } from '../graph/request.ts';

const paths = { current: '/admin/session', everywhere: '/admin/sessions' } as const;

export function useSignOut() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation<unknown, RequestError, keyof typeof paths>({
    mutationFn: (sessions) => requestJson(paths[sessions], { method: 'DELETE' }),
    onSuccess: () => {
      // removes all cached data of the session from memory
      client.clear();
      void navigate({ to: '/sign-in', search: {} });
    },
    onError: notifyError,
  });
}
