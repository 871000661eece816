/** Administrator sessions in the accounts area, queried as the platform: session tokens never reach another area. */
import type { Role } from '../../schema/roles.ts';
import { queryAsPlatform, unavailableArea, type SubgraphClient } from '../../schema/subgraph-client.ts';

export interface OpenSession {
  readonly id: string;
  readonly administrator: { readonly id: string; readonly name: string; readonly email: string; readonly role: Role };
  readonly signedInBy: 'PASSWORD' | 'OIDC';
  readonly idleExpiresAt: string;
  readonly expiresAt: string;
  readonly touchDue: boolean;
}

export interface StartedSession {
  readonly token: string;
  readonly session: OpenSession;
}

export interface SetupLink {
  readonly purpose: 'FIRST_OWNER' | 'INVITATION' | 'RESET';
  readonly email: string | null;
  readonly name: string | null;
  readonly role: Role;
  readonly expiresAt: string;
}

export interface CreatedSetupLink {
  /** Path relative to the address of the dashboard. */
  readonly setupPath: string;
  readonly expiresAt: string;
}

/** The client of a sign-in; `replaces` is the token of the previous session in this browser, which ends. */
export interface SignInClient {
  readonly address: string;
  readonly userAgent: string | null;
  readonly replaces: string | null;
}

export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** Null unless the provider has verified it. */
  readonly email: string | null;
  readonly name: string | null;
  readonly newcomerRole: Role | null;
}

/** Each method throws a Problem when the area rejects the call or is unavailable. */
export interface Sessions {
  /** Null when the session has ended. */
  open(token: string): Promise<OpenSession | null>;
  /** Records a use; null when the session has ended. */
  touch(token: string): Promise<OpenSession | null>;
  end(token: string, everywhere: boolean, address: string): Promise<void>;
  /** False when the session has ended. */
  changePassword(change: { token: string; current: string; next: string; address: string }): Promise<boolean>;
  signIn(input: { email: string; password: string }, client: SignInClient): Promise<StartedSession>;
  signInByIdentity(input: Identity, client: SignInClient): Promise<StartedSession>;
  lookUpSetup(token: string): Promise<SetupLink>;
  completeSetup(
    input: { token: string; name: string | null; email: string | null; password: string },
    client: SignInClient,
  ): Promise<StartedSession>;
  /** The setup link for the first owner; null when an owner exists. */
  createSetupLink(): Promise<CreatedSetupLink | null>;
  hasAdministrators(): Promise<boolean>;
}

const session = '{ id administrator { id name email role } signedInBy idleExpiresAt expiresAt touchDue }';
const started = `{ token session ${session} }`;

export function createSessions(accounts: SubgraphClient): Sessions {
  async function query<Value>(
    field: string,
    document: string,
    variables: Readonly<Record<string, unknown>> = {},
  ): Promise<Value> {
    const data = await queryAsPlatform(accounts, 'administration', document, variables);
    if (data[field] === undefined) throw unavailableArea('accounts');
    // Cast: each caller below selects the members of its type.
    return data[field] as Value;
  }

  return {
    open: (token) => query('openSession', `query ($token: String!) { openSession(token: $token) ${session} }`, { token }),
    touch: (token) => query('touchSession', `mutation ($token: String!) { touchSession(token: $token) ${session} }`, { token }),
    end: (token, everywhere, address) =>
      query(
        'endSession',
        'mutation ($token: String!, $everywhere: Boolean!, $address: String!) { endSession(token: $token, everywhere: $everywhere, address: $address) }',
        { token, everywhere, address },
      ),
    async changePassword(change) {
      const changed = await query<boolean | null>(
        'changePassword',
        `mutation ($token: String!, $current: String!, $next: String!, $address: String!) {
          changePassword(token: $token, current: $current, next: $next, address: $address)
        }`,
        change,
      );
      return changed === true;
    },
    signIn: (input, client) =>
      query(
        'signIn',
        `mutation ($input: SignInInput!, $client: SignInClient!) { signIn(input: $input, client: $client) ${started} }`,
        { input, client },
      ),
    signInByIdentity: (input, client) =>
      query(
        'signInByIdentity',
        `mutation ($input: IdentityInput!, $client: SignInClient!) { signInByIdentity(input: $input, client: $client) ${started} }`,
        { input, client },
      ),
    lookUpSetup: (token) =>
      query('setupLink', 'query ($token: String!) { setupLink(token: $token) { purpose email name role expiresAt } }', { token }),
    completeSetup: (input, client) =>
      query(
        'completeSetup',
        `mutation ($input: CompleteSetupInput!, $client: SignInClient!) { completeSetup(input: $input, client: $client) ${started} }`,
        { input, client },
      ),
    createSetupLink: () => query('createSetupLink', 'mutation { createSetupLink { setupPath expiresAt } }'),
    hasAdministrators: () => query('hasAdministrators', '{ hasAdministrators }'),
  };
}
