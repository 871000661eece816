/** Opens the overview with a new session. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { sessionQuery, type SignedInUser } from '../../session/session.ts';
import { rememberAccount } from './account.ts';

/** Returns a function that stores a session and opens the overview; `accountId` is the account to work in. */
export function useOpenPortal(): (session: SignedInUser, accountId?: string) => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  return (session, accountId) => {
    client.clear();
    client.setQueryData(sessionQuery.queryKey, session);
    if (accountId !== undefined) rememberAccount(accountId);
    void navigate({ to: '/', replace: true });
  };
}
