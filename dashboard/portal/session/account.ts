/** The account that the user works in: chosen per tab, and remembered for the next tab. */
import { useNavigate } from '@tanstack/react-router';
import { selectedAccount } from '../../graph/app.ts';
import { currentMembership, useSession, type Membership, type SignedInUser } from '../../session/session.ts';

const storageKey = 'portal-account';

/** The memberships in accounts that can be used. */
export const usableMemberships = ({ memberships }: SignedInUser): readonly Membership[] =>
  memberships.filter(({ account }) => account.status === 'ACTIVE');

/** Selects the account of this tab, the last one of another tab, or the first one that can be used. */
export function selectRememberedAccount(session: SignedInUser): void {
  const usable = usableMemberships(session).map(({ account }) => account.id);
  const remembered =
    selectedAccount.get() ?? window.sessionStorage.getItem(storageKey) ?? window.localStorage.getItem(storageKey);
  const [first = null] = usable;
  const selected = remembered !== null && usable.includes(remembered) ? remembered : first;
  // another tab does not change the account of this one
  if (selected !== null) window.sessionStorage.setItem(storageKey, selected);
  selectedAccount.set(selected);
}

/** Selects an account and remembers it. */
export function rememberAccount(id: string): void {
  window.sessionStorage.setItem(storageKey, id);
  window.localStorage.setItem(storageKey, id);
  selectedAccount.set(id);
}

/** The session of the user; null when signed out. */
export function useUser(): SignedInUser | null {
  const session = useSession();
  return session !== null && 'user' in session ? session : null;
}

/** The membership in the chosen account; null without one. */
export function useMembership(): Membership | null {
  const session = useUser();
  selectedAccount.use();
  return session === null ? null : currentMembership(session);
}

/** Returns a function that switches to another account and opens its overview. */
export function useSwitchAccount(): (id: string) => void {
  const navigate = useNavigate();
  return (id) => {
    rememberAccount(id);
    void navigate({ to: '/' });
  };
}
