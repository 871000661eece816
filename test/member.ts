/** A member of an account as an HTTP client of the portal, with a session created like a sign-in with an OpenID provider. */
import type { MemberRole } from '../schema/member-roles.ts';
import { cookieOf, postSameOrigin, sameOrigin, type Administer } from './administrator.ts';
import type { ApiResponse } from './client.ts';

export interface MemberClient {
  readonly userId: string;
  readonly accountId: string;
  readonly email: string;
  /** The session cookie, as a browser sends it. */
  readonly cookie: string;
  /** Executes a document of the portal's schema in the account. */
  graphql(document: string, variables?: Record<string, unknown>, headers?: Record<string, string>): Promise<ApiResponse>;
  /** The data of a document. Throws Error for errors. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads what it expects
  run(document: string, variables?: Record<string, unknown>): Promise<any>;
  /** The code of the first error of a document; null without errors. */
  codeOf(document: string, variables?: Record<string, unknown>): Promise<string | null>;
  /** Sends any request with the cookie. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

interface Platform {
  readonly graphqlUrl: string;
  readonly administer: Administer;
}

let created = 0;

/** The client of a session in an account. */
export function withPortalCookie(
  url: string,
  cookie: string,
  accountId: string,
): Pick<MemberClient, 'graphql' | 'run' | 'codeOf' | 'fetch'> {
  const send = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${url}${path}`, { redirect: 'manual', ...init, headers: { cookie, ...(init.headers as Record<string, string>) } });
  const graphql: MemberClient['graphql'] = async (query, variables = {}, headers = {}) => {
    const all = { ...sameOrigin, 'x-account-id': accountId, ...headers };
    const body = JSON.stringify({ query, variables });
    const response = await send('/portal/graphql', { method: 'POST', headers: all, body });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return {
    fetch: send,
    graphql,
    async run(document, variables) {
      const { body } = await graphql(document, variables);
      if (body.errors) throw new Error(JSON.stringify(body.errors));
      return body.data;
    },
    async codeOf(document, variables) {
      const { body } = await graphql(document, variables);
      return body.errors?.[0]?.extensions?.code ?? body.code ?? null;
    },
  };
}

export async function createAccount(administer: Administer, name: string): Promise<string> {
  const data = await administer('mutation ($input: CreateAccountInput!) { createAccount(input: $input) { id } }', {
    input: { name },
  });
  return (data['createAccount'] as { id: string }).id;
}

/** Invites a person as the operator. Returns the token of the link. */
export async function inviteUser(administer: Administer, accountId: string, email: string, role: MemberRole): Promise<string> {
  const data = await administer(
    `mutation ($accountId: ID!, $email: String!, $role: MemberRole!) {
      invitePortalUser(accountId: $accountId, email: $email, role: $role) { setupPath }
    }`,
    { accountId, email, role },
  );
  return (data['invitePortalUser'] as { setupPath: string }).setupPath.split('#')[1] ?? '';
}

/** Creates a member of an account; by default of a new account. */
export async function createMember(
  { graphqlUrl, administer }: Platform,
  { role = 'OWNER', accountId }: { readonly role?: MemberRole; readonly accountId?: string } = {},
): Promise<MemberClient> {
  created += 1;
  const email = `member-${created}@example.com`;
  const account = accountId ?? (await createAccount(administer, `Account ${created}`));
  await inviteUser(administer, account, email, role);
  const input = { issuer: 'https://id.partners.example', subject: email, email, name: `Member ${created}` };
  const { signInByIdentity } = await administer(
    `mutation ($input: IdentityInput!) { signInByIdentity(input: $input, client: { address: "127.0.0.1" }, population: USERS) {
      token session { user { id } }
    } }`,
    { input },
  );
  const { token, session } = signInByIdentity as { token: string; session: { user: { id: string } } };
  const cookie = `__Host-portal-session=${token}`;
  return { userId: session.user.id, accountId: account, email, cookie, ...withPortalCookie(graphqlUrl, cookie, account) };
}

export interface MemberWithPassword extends MemberClient {
  readonly password: string;
}

/** Creates a member with a password, by accepting an invitation over HTTP from an own network. */
export async function createMemberWithPassword(
  { graphqlUrl, administer }: Platform,
  { role = 'OWNER', accountId }: { readonly role?: MemberRole; readonly accountId?: string } = {},
): Promise<MemberWithPassword> {
  created += 1;
  const email = `member-${created}@example.com`;
  const password = `a long enough password ${created}`;
  const account = accountId ?? (await createAccount(administer, `Account ${created}`));
  const token = await inviteUser(administer, account, email, role);
  const headers = { ...sameOrigin, 'x-forwarded-for': `198.51.${created % 250}.1` };
  const body = JSON.stringify({ token, password, name: `Member ${created}` });
  const reply = await fetch(`${graphqlUrl}/portal/setup`, { method: 'POST', headers, body });
  if (!reply.ok) throw new Error(`no session: ${reply.status} ${await reply.text()}`);
  const { user } = (await reply.json()) as { user: { id: string } };
  const cookie = cookieOf(reply);
  return { userId: user.id, accountId: account, email, password, cookie, ...withPortalCookie(graphqlUrl, cookie, account) };
}

export { postSameOrigin };
