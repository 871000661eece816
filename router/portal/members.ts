/** Calls of the accounts area that only the portal makes: memberships of a request, invitations and registration. */
import type { MemberRole } from '../../schema/member-roles.ts';
import type { SubgraphClient } from '../../schema/subgraph-client.ts';
import type { LabelOf } from '../administration/network-labels.ts';
import {
  createSignInQuery,
  createSessions,
  users,
  type Sessions,
  type SignInClient,
  type StartedSession,
  type UserSession,
} from '../administration/sessions.ts';

/** The session of a request, with the membership in its account; null: no membership in an active account. */
export interface MemberSession {
  readonly id: string;
  readonly touchDue: boolean;
  readonly user: { readonly id: string };
  readonly membership: {
    readonly role: MemberRole;
    readonly plan: string;
    readonly writes: boolean;
  } | null;
}

export interface Registration {
  readonly email: string;
  readonly name: string;
  readonly accountName: string;
  readonly password: string;
}

export interface PortalSessions extends Sessions<UserSession> {
  /** Null when the session has ended. */
  openInAccount(token: string, accountId: string, includesSuspended: boolean): Promise<MemberSession | null>;
  /** Null when the session has ended. */
  acceptInvitation(proof: { sessionToken: string; token: string; address: string }): Promise<UserSession | null>;
  /** The last 100 months with a statement of an account, newest first. The caller checks the membership. */
  statementMonths(accountId: string): Promise<{ readonly month: string }[]>;
  /** The page for print of the statement of an account for a month; null without one. The caller checks the membership. */
  statementPage(accountId: string, month: string): Promise<string | null>;
  register(input: Registration, client: SignInClient): Promise<StartedSession<UserSession>>;
}

const session = `{ id ${users.person} signedInBy idleExpiresAt expiresAt touchDue }`;

export function createPortalSessions(accounts: SubgraphClient, labelOf: LabelOf): PortalSessions {
  const query = createSignInQuery(accounts, labelOf);
  return {
    ...createSessions<UserSession>(accounts, labelOf, users),
    openInAccount: (token, accountId, includesSuspended) =>
      query(
        'openSession',
        `query ($token: String!, $accountId: ID!, $includesSuspended: Boolean!) { openSession(token: $token, population: USERS) {
          id touchDue user { id } membership(accountId: $accountId, includesSuspended: $includesSuspended) { role plan writes }
        } }`,
        { token, accountId, includesSuspended },
      ),
    acceptInvitation: (proof) =>
      query(
        'acceptInvitation',
        `mutation ($sessionToken: String!, $token: String!, $address: String!) {
          acceptInvitation(sessionToken: $sessionToken, token: $token, address: $address) ${session}
        }`,
        proof,
      ),
    async statementMonths(accountId) {
      const account = await query<{
        readonly statements: { readonly nodes: readonly { readonly month: string }[] } | null;
      } | null>('account', 'query ($accountId: ID!) { account(id: $accountId) { statements(first: 100) { nodes { month } } } }', {
        accountId,
      });
      return (account?.statements?.nodes ?? []).map(({ month }) => ({ month }));
    },
    async statementPage(accountId, month) {
      const account = await query<{ readonly statement: { readonly document: string } | null } | null>(
        'account',
        `query ($accountId: ID!, $month: String!) {
          account(id: $accountId) { statement(month: $month) { document(format: HTML) } }
        }`,
        { accountId, month },
      );
      return account?.statement?.document ?? null;
    },
    register: (input, client) =>
      query(
        'registerUser',
        `mutation ($input: RegisterUserInput!, $client: SignInClient!) {
          registerUser(input: $input, client: $client) { token session ${session} }
        }`,
        { input, client },
      ),
  };
}
