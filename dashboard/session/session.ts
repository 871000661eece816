/** The session of the signed-in administrator. The session token is an HttpOnly cookie, which the page cannot read. */
import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import type { Role } from '../../schema/roles.ts';
import { roles } from '../../schema/roles.ts';
import type { Scope } from '../../schema/scopes.ts';
import type { RequestError } from '../graph/request-error.ts';
import { createFlag } from '../graph/flag.ts';
import { requestJson } from '../graph/request.ts';

export interface SignedIn {
  readonly state: 'SIGNED_IN';
  readonly administrator: { readonly id: string; readonly name: string; readonly email: string; readonly role: Role };
  readonly signedInBy: 'PASSWORD' | 'OIDC';
  /** Expiry without activity. */
  readonly idleExpiresAt: string;
  /** Expiry in any case. */
  readonly expiresAt: string;
}

export interface SignedOut {
  readonly state: 'SIGNED_OUT';
  /** False while no administrator exists. */
  readonly setUp: boolean;
  readonly providers: { readonly password: boolean; readonly oidc: { readonly name: string } | null };
}

export type Session = SignedIn | SignedOut;

/** Whether the session of this page has ended. The page keeps its data and forms until the administrator signs in again. */
export const sessionEnded = createFlag();

/**
 * The session to store for a response: an ended session stays until the sign-in dialog replaces it.
 * The session of another administrator reloads the page, which removes all data of the previous one.
 */
function nextSession(client: QueryClient, session: Session): Session {
  const previous = client.getQueryData(sessionQuery.queryKey);
  if (previous?.state !== 'SIGNED_IN') return session;
  sessionEnded.set(session.state === 'SIGNED_OUT');
  if (session.state === 'SIGNED_OUT') return previous;
  if (session.administrator.id !== previous.administrator.id) window.location.reload();
  return session;
}

export const sessionQuery = queryOptions<Session, RequestError>({
  queryKey: ['session'],
  queryFn: async ({ client, signal }) =>
    nextSession(client, await requestJson<Session>('/admin/session', { signal, background: true })),
  staleTime: 60_000,
});

/** The session of the administrator; null when signed out. */
export function useSignedIn(): SignedIn | null {
  const { data } = useQuery(sessionQuery);
  return data?.state === 'SIGNED_IN' ? data : null;
}

/** Whether the role of the administrator includes a scope. Screens omit the actions that the role does not allow. */
export function useHasScope(scope: Scope): boolean {
  const session = useSignedIn();
  const granted: readonly Scope[] = session === null ? [] : roles[session.administrator.role].scopes;
  return granted.includes(scope);
}

/** Returns a function that stores the session of a response in the query cache. */
export function useStoreSession(): (session: Session) => void {
  const client = useQueryClient();
  return (session) => void client.setQueryData(sessionQuery.queryKey, nextSession(client, session));
}
