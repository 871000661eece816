/** The session of who sits before the page: asked of the platform, which alone knows it; the page holds no secret. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Role } from '../../schema/roles.ts';
import { roles } from '../../schema/roles.ts';
import type { Scope } from '../../schema/scopes.ts';
import { request } from '../graph/request.ts';

export interface SignedIn {
  readonly state: 'SIGNED_IN';
  readonly administrator: { readonly id: string; readonly name: string; readonly email: string; readonly role: Role };
  readonly signedInBy: 'PASSWORD' | 'OIDC';
  /** When it ends unless something is asked until then. */
  readonly idleExpiresAt: string;
  /** When it ends in any case. */
  readonly expiresAt: string;
}

export interface SignedOut {
  readonly state: 'SIGNED_OUT';
  /** False while no administrator exists. */
  readonly setUp: boolean;
  readonly providers: { readonly password: boolean; readonly oidc: { readonly name: string } | null };
}

export type Session = SignedIn | SignedOut;

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => (await request('/admin/session', { signal, background: true })) as Session,
  staleTime: 60_000,
});

/** Who is signed in. Only screens behind the sign-in ask. */
export function useSignedIn(): SignedIn | null {
  const { data } = useQuery(sessionQuery);
  return data?.state === 'SIGNED_IN' ? data : null;
}

/** Whether the role of who is signed in allows what needs a scope: what is not allowed is not offered. */
export function useMay(scope: Scope): boolean {
  const session = useSignedIn();
  const held: readonly Scope[] = session === null ? [] : roles[session.administrator.role].scopes;
  return held.includes(scope);
}

/** Takes the session that an answer told. */
export function useTakeSession(): (session: Session) => void {
  const client = useQueryClient();
  return (session) => void client.setQueryData(sessionQuery.queryKey, session);
}
