/** Sessions of administrators and portal users in the accounts area, queried as the platform: session tokens never reach another area. */
import type { MemberRole } from '../../schema/member-roles.ts';
import { isRecord } from '../../schema/records.ts';
import type { Role } from '../../schema/roles.ts';
import { queryAsPlatform, unavailableArea, type SubgraphClient } from '../../schema/subgraph-client.ts';
import type { LabelOf } from './network-labels.ts';
import { createPasskeyCalls, type PasskeyCalls } from './passkeys.ts';

interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly hasSecondFactor: boolean;
}

export interface SessionTimes {
  readonly id: string;
  readonly signedInBy: 'PASSWORD' | 'OIDC' | 'PASSKEY';
  readonly idleExpiresAt: string;
  readonly expiresAt: string;
  readonly touchDue: boolean;
}

/** The session of an administrator. */
export interface OpenSession extends SessionTimes {
  readonly administrator: Person & { readonly role: Role };
}

/** The session of a portal user, with the accounts of the user. */
export interface UserSession extends SessionTimes {
  readonly user: Person;
  readonly memberships: readonly {
    readonly role: MemberRole;
    readonly account: { readonly id: string; readonly name: string; readonly status: string };
  }[];
}

export interface StartedSession<Session = OpenSession> {
  readonly token: string;
  readonly session: Session;
}

/** What a population selects of a session. */
export interface SessionPopulation {
  readonly name: 'ADMINISTRATORS' | 'USERS';
  readonly person: string;
}

export const administrators: SessionPopulation = {
  name: 'ADMINISTRATORS',
  person: 'administrator { id name email role hasSecondFactor }',
};

export const users: SessionPopulation = {
  name: 'USERS',
  person: 'user { id name email hasSecondFactor } memberships { role account { id name status } }',
};

export interface SetupLink {
  readonly purpose: 'FIRST_OWNER' | 'INVITATION' | 'RESET';
  readonly email: string | null;
  readonly name: string | null;
  /** Role of an administrator; null for a portal user. */
  readonly role: Role | null;
  readonly memberRole: MemberRole | null;
  readonly accountName: string | null;
  readonly requiresCode: boolean;
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
  /** Whether a portal user without an invitation of the operator gets an own account. */
  readonly registers: boolean;
  /** Whether a portal user is admitted with invitations of members only. Default: yes. */
  readonly admitsInvited?: boolean;
}

/** Each method throws a Problem when the area rejects the call or is unavailable. */
export interface Sessions<Session = OpenSession> extends PasskeyCalls<Session> {
  /** The label of an address, as the audit log stores it. */
  readonly labelOf: LabelOf;
  /** Null when the session has ended. */
  open(token: string): Promise<Session | null>;
  /** Records a use; null when the session has ended. */
  touch(token: string): Promise<Session | null>;
  end(token: string, everywhere: boolean, address: string): Promise<void>;
  /** False when the session has ended. */
  changePassword(change: { token: string; current: string; next: string; address: string }): Promise<boolean>;
  signIn(input: { email: string; password: string; code: string | null }, client: SignInClient): Promise<StartedSession<Session>>;
  signInByIdentity(input: Identity, client: SignInClient): Promise<StartedSession<Session>>;
  lookUpSetup(token: string): Promise<SetupLink>;
  completeSetup(
    input: { token: string; name: string | null; email: string | null; password: string; code: string | null },
    client: SignInClient,
  ): Promise<StartedSession<Session>>;
  /** A secret for an authenticator app; null when the session has ended. */
  prepareSecondFactor(proof: { token: string; current: string; address: string }): Promise<PreparedSecondFactor | null>;
  /** Recovery codes; null when the session has ended. */
  confirmSecondFactor(proof: { token: string; code: string; address: string }): Promise<readonly string[] | null>;
  /** Null when the session has ended. */
  removeSecondFactor(proof: { token: string; current: string; code: string; address: string }): Promise<boolean | null>;
  /** The setup link for the first owner; null when an owner exists. */
  createSetupLink(): Promise<CreatedSetupLink | null>;
  hasAdministrators(): Promise<boolean>;
}

/** The variables with labels in place of addresses, which do not leave the router. */
function withoutAddresses(variables: Readonly<Record<string, unknown>>, labelOf: LabelOf): Readonly<Record<string, unknown>> {
  const { address, client } = variables;
  return {
    ...variables,
    ...(typeof address === 'string' && { address: labelOf(address) }),
    ...(isRecord(client) && { client: { ...client, address: labelOf(String(client['address'])) } }),
  };
}

/** Runs a query of the sign-in in the accounts area, as the platform. Each caller selects the members of its type. */
export const createSignInQuery =
  (accounts: SubgraphClient, labelOf: LabelOf) =>
  async <Value>(field: string, document: string, variables: Readonly<Record<string, unknown>> = {}): Promise<Value> => {
    const data = await queryAsPlatform(accounts, 'administration', document, withoutAddresses(variables, labelOf));
    if (data[field] === undefined) throw unavailableArea('accounts');
    // Cast: each caller selects the members of its type.
    return data[field] as Value;
  };

export interface PreparedSecondFactor {
  /** Base32. */
  readonly secret: string;
  /** Key URI for a QR code. */
  readonly uri: string;
}

/** The sessions of a population. `Session` is what `person` selects, in addition to the times. */
export function createSessions<Session = OpenSession>(
  accounts: SubgraphClient,
  labelOf: LabelOf,
  { name: population, person }: SessionPopulation = administrators,
): Sessions<Session> {
  const session = `{ id ${person} signedInBy idleExpiresAt expiresAt touchDue }`;
  const started = `{ token session ${session} }`;
  const of = `population: ${population}`;

  const query = createSignInQuery(accounts, labelOf);

  return {
    labelOf,
    ...createPasskeyCalls<Session>(query, of, started),
    open: (token) => query('openSession', `query ($token: String!) { openSession(token: $token, ${of}) ${session} }`, { token }),
    touch: (token) =>
      query('touchSession', `mutation ($token: String!) { touchSession(token: $token, ${of}) ${session} }`, { token }),
    end: (token, everywhere, address) =>
      query(
        'endSession',
        `mutation ($token: String!, $everywhere: Boolean!, $address: String!) {
          endSession(token: $token, everywhere: $everywhere, address: $address, ${of})
        }`,
        { token, everywhere, address },
      ),
    async changePassword(change) {
      const changed = await query<boolean | null>(
        'changePassword',
        `mutation ($token: String!, $current: String!, $next: String!, $address: String!) {
          changePassword(token: $token, current: $current, next: $next, address: $address, ${of})
        }`,
        change,
      );
      return changed === true;
    },
    signIn: (input, client) =>
      query(
        'signIn',
        `mutation ($input: SignInInput!, $client: SignInClient!) { signIn(input: $input, client: $client, ${of}) ${started} }`,
        { input, client },
      ),
    signInByIdentity: (input, client) =>
      query(
        'signInByIdentity',
        `mutation ($input: IdentityInput!, $client: SignInClient!) { signInByIdentity(input: $input, client: $client, ${of}) ${started} }`,
        { input, client },
      ),
    lookUpSetup: (token) =>
      query(
        'setupLink',
        `query ($token: String!) { setupLink(token: $token, ${of}) {
          purpose email name role memberRole accountName requiresCode expiresAt
        } }`,
        { token },
      ),
    completeSetup: (input, client) =>
      query(
        'completeSetup',
        `mutation ($input: CompleteSetupInput!, $client: SignInClient!) { completeSetup(input: $input, client: $client, ${of}) ${started} }`,
        { input, client },
      ),
    prepareSecondFactor: (proof) =>
      query(
        'prepareSecondFactor',
        `mutation ($token: String!, $current: String!, $address: String!) {
          prepareSecondFactor(token: $token, current: $current, address: $address, ${of}) { secret uri }
        }`,
        proof,
      ),
    confirmSecondFactor: (proof) =>
      query(
        'confirmSecondFactor',
        `mutation ($token: String!, $code: String!, $address: String!) {
          confirmSecondFactor(token: $token, code: $code, address: $address, ${of})
        }`,
        proof,
      ),
    removeSecondFactor: (proof) =>
      query(
        'removeSecondFactor',
        `mutation ($token: String!, $current: String!, $code: String!, $address: String!) {
          removeSecondFactor(token: $token, current: $current, code: $code, address: $address, ${of})
        }`,
        proof,
      ),
    createSetupLink: () => query('createSetupLink', 'mutation { createSetupLink { setupPath expiresAt } }'),
    hasAdministrators: () => query('hasAdministrators', '{ hasAdministrators }'),
  };
}
