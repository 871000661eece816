/** Ends the session here, or all of one's sessions everywhere, and leads to the sign-in. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { tell } from '../graph/ask.ts';
import type { Failure } from '../graph/failure.ts';
import { request } from '../graph/request.ts';

const paths = { here: '/admin/session', everywhere: '/admin/sessions' } as const;

export function useSignOut() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation<unknown, Failure, keyof typeof paths>({
    mutationFn: (where) => request(paths[where], { method: 'DELETE' }),
    onSuccess: () => {
      // nothing of what was seen stays in the page
      client.clear();
      void navigate({ to: '/sign-in', search: {} });
    },
    onError: tell,
  });
}
