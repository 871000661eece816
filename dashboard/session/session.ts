/** The session of the signed-in administrator, or of the user of the portal. The session token is an HttpOnly cookie, which the page cannot read. */
import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { memberRoles, type MemberRole } from '../../schema/member-roles.ts';
import type { Role } from '../../schema/roles.ts';
import { roles } from '../../schema/roles.ts';
import type { Scope } from '../../schema/scopes.ts';
import type { RequestError } from '../graph/request-error.ts';
import { app, selectedAccount } from '../graph/app.ts';
import { createFlag } from '../graph/flag.ts';
import { requestJson } from '../graph/request.ts';

interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly hasSecondFactor: boolean;
}

interface SessionTimes {
  readonly state: 'SIGNED_IN';
  readonly signedInBy: 'PASSWORD' | 'OIDC' | 'PASSKEY';
  /** Expiry without activity. */
  readonly idleExpiresAt: string;
  /** Expiry in any case. */
  readonly expiresAt: string;
}

/** The session of an administrator. */
export interface SignedIn extends SessionTimes {
  readonly administrator: Person & { readonly role: Role };
}

export interface Membership {
  readonly role: MemberRole;
  readonly account: { readonly id: string; readonly name: string; readonly status: 'ACTIVE' | 'SUSPENDED' | 'CLOSED' };
}

/** The session of a user of the portal. */
export interface SignedInUser extends SessionTimes {
  readonly user: Person;
  readonly memberships: readonly Membership[];
}

export type OpenSession = SignedIn | SignedInUser;

export interface SignedOut {
  readonly state: 'SIGNED_OUT';
  /** False while no administrator exists. */
  readonly setUp?: boolean;
  /** Whether anyone can register in the portal. */
  readonly registration?: boolean;
  readonly providers: {
    readonly password: boolean;
    readonly oidc: { readonly name: string } | null;
    /** The origin at which passkeys work; null if there is none. */
    readonly passkey: { readonly origin: string | null };
  };
}

export type Session = OpenSession | SignedOut;

/** The person of a session. */
export const personOf = (session: OpenSession): Person => ('user' in session ? session.user : session.administrator);

/** Whether the session of this page has ended. The page keeps its data and forms until the person signs in again. */
export const sessionEnded = createFlag();

/**
 * The session to store for a response: an ended session stays until the sign-in dialog replaces it.
 * The session of another person reloads the page, which removes all data of the previous one.
 */
function nextSession(client: QueryClient, session: Session): Session {
  const previous = client.getQueryData(sessionQuery.queryKey);
  if (previous?.state !== 'SIGNED_IN') return session;
  sessionEnded.set(session.state === 'SIGNED_OUT');
  if (session.state === 'SIGNED_OUT') return previous;
  if (personOf(session).id !== personOf(previous).id) window.location.reload();
  return session;
}

export const sessionQuery = queryOptions<Session, RequestError>({
  queryKey: ['session'],
  queryFn: async ({ client, signal }) =>
    nextSession(client, await requestJson<Session>(`${app.base}/session`, { signal, background: true })),
  staleTime: 60_000,
});

/** The open session; null when signed out. */
export function useSession(): OpenSession | null {
  const { data } = useQuery(sessionQuery);
  return data?.state === 'SIGNED_IN' ? data : null;
}

/** The session of the administrator; null when signed out. */
export function useSignedIn(): SignedIn | null {
  const session = useSession();
  return session !== null && 'administrator' in session ? session : null;
}

/** The membership of a user in the account of the requests; null without one. */
export const currentMembership = ({ memberships }: SignedInUser): Membership | null =>
  memberships.find(({ account }) => account.id === selectedAccount.get()) ?? null;

/** The scopes of the role of an administrator, or of a user in the account of the requests. */
function scopesOf(session: OpenSession): readonly Scope[] {
  if ('administrator' in session) return roles[session.administrator.role].scopes;
  const membership = currentMembership(session);
  return membership === null ? [] : memberRoles[membership.role].scopes;
}

/** Whether the role of the person includes a scope. Screens omit the actions that the role does not allow. */
export function useHasScope(scope: Scope): boolean {
  const session = useSession();
  return session !== null && scopesOf(session).includes(scope);
}

/** Whether the role of the administrator reads the data of minors. */
export function useReadsMinors(): boolean {
  const session = useSession();
  return session !== null && 'administrator' in session && roles[session.administrator.role].readsMinors;
}

/** Returns a function that stores the session of a response in the query cache. */
export function useStoreSession(): (session: Session) => void {
  const client = useQueryClient();
  return (session) => void client.setQueryData(sessionQuery.queryKey, nextSession(client, session));
}
