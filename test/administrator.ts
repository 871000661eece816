/** An administrator as an HTTP client, with a session created directly or with a password. A password costs 0.2 s. */
import { createNetworkLabels, networkLabelPurpose } from '../router/administration/network-labels.ts';
import type { Role } from '../schema/roles.ts';
import type { ApiResponse } from './client.ts';
import type { ClonedDatabase } from './database.ts';

export interface AdministratorClient {
  readonly id: string;
  readonly email: string;
  /** The session cookie, as a browser sends it: `__Host-session=…`. */
  readonly cookie: string;
  /** Executes a document of the admin schema. */
  graphql(document: string, variables?: Record<string, unknown>, headers?: Record<string, string>): Promise<ApiResponse>;
  /** Executes a document of the admin schema and returns its data. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads what it expects
  run(document: string, variables?: Record<string, unknown>): Promise<{ readonly data: any; readonly errors: readonly any[] }>;
  /** Sends any request to the admin server with the cookie. `path` starts with /admin. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

export interface AdministratorWithPassword extends AdministratorClient {
  readonly password: string;
}

export type Administer = (document: string, variables?: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** The headers that a browser sends with a same-origin request. */
export const sameOrigin = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' } as const;

/** The cookie that a response sets, as a browser sends it back. */
export const cookieOf = ({ headers }: Pick<Response, 'headers'>): string => headers.getSetCookie()[0]?.split(';', 1)[0] ?? '';

/** The label that the audit log has for an address. */
export const labelOf = ({ secrets }: ClonedDatabase, address = '127.0.0.1'): string =>
  createNetworkLabels(secrets.derive(networkLabelPurpose))(address);

let invited = 0;

/** Creates an invitation as the platform. Returns the token of its link. */
export async function invite(administer: Administer, role: Role, email: string, name = 'Ada Example') {
  const data = await administer(
    `mutation ($input: InviteAdministratorInput!) { inviteAdministrator(input: $input) { setupPath administrator { id } } }`,
    { input: { email, name, role } },
  );
  const { setupPath, administrator } = data['inviteAdministrator'] as { setupPath: string; administrator: { id: string } };
  return { id: administrator.id, token: setupPath.split('#')[1] ?? '' };
}

/** A client with a session. */
export function withCookie(url: string, cookie: string): Pick<AdministratorClient, 'graphql' | 'run' | 'fetch'> {
  const send = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${url}${path}`, { redirect: 'manual', ...init, headers: { cookie, ...(init.headers as Record<string, string>) } });
  const graphql: AdministratorClient['graphql'] = async (query, variables = {}, headers = {}) => {
    const body = JSON.stringify({ query, variables });
    const response = await send('/admin/graphql', { method: 'POST', headers: { ...sameOrigin, ...headers }, body });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return {
    fetch: send,
    graphql,
    async run(document, variables) {
      const { data, errors = [] } = (await graphql(document, variables)).body;
      return { data, errors };
    },
  };
}

const nextEmail = (role: Role): string => {
  invited += 1;
  return `${role.toLowerCase()}-${invited}@example.com`;
};

/** Creates a session of a new administrator, like a sign-in with an OpenID provider. */
export async function createSession(url: string, administer: Administer, role: Role): Promise<AdministratorClient> {
  const email = nextEmail(role);
  const input = { issuer: 'https://id.example.com', subject: email, email, name: 'Ada Example', newcomerRole: role };
  const { signInByIdentity } = await administer(
    `mutation ($input: IdentityInput!) { signInByIdentity(input: $input, client: { address: "127.0.0.1" }) {
      token session { administrator { id } }
    } }`,
    { input },
  );
  const { token, session } = signInByIdentity as { token: string; session: { administrator: { id: string } } };
  const cookie = `__Host-session=${token}`;
  return { id: session.administrator.id, email, cookie, ...withCookie(url, cookie) };
}

/** Creates an invitation and accepts it. */
export async function signInAs(url: string, administer: Administer, role: Role): Promise<AdministratorWithPassword> {
  const email = nextEmail(role);
  const password = `a long enough password ${invited}`;
  const { id, token } = await invite(administer, role, email);
  const body = JSON.stringify({ token, password });
  const headers = { ...sameOrigin, 'x-forwarded-for': `198.18.${invited % 250}.1` };
  const reply = await fetch(`${url}/admin/setup`, { method: 'POST', headers, body });
  if (!reply.ok) throw new Error(`no session: ${reply.status} ${await reply.text()}`);
  const cookie = cookieOf(reply);
  return { id, email, password, cookie, ...withCookie(url, cookie) };
}

/** A same-origin POST without a session. */
export async function postSameOrigin(
  url: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { ...sameOrigin, ...headers },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}
