/** Calls of the accounts area for passkeys. */
import type { RelyingParty } from './relying-party.ts';
import type { SignInClient, StartedSession } from './sessions.ts';

export interface Passkey {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

export interface PasskeyAssertion {
  readonly id: string;
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
  readonly userHandle: string;
}

export interface PasskeyRegistration {
  readonly name: string;
  readonly clientDataJSON: string;
  readonly attestationObject: string;
}

/** A member of the WebAuthn API that the page passes to the browser. */
type BrowserOptions = Readonly<Record<string, unknown>>;

/** Each method throws a Problem when the area rejects the call or is unavailable. */
export interface PasskeyCalls<Session> {
  /** Null when the session has ended. */
  passkeys(token: string): Promise<readonly Passkey[] | null>;
  /** Null when the session has ended. */
  preparePasskey(proof: {
    token: string;
    current: string;
    code: string | null;
    address: string;
    relyingParty: RelyingParty;
  }): Promise<BrowserOptions | null>;
  /** Null when the session has ended. */
  confirmPasskey(proof: {
    token: string;
    input: PasskeyRegistration;
    address: string;
    relyingParty: RelyingParty;
  }): Promise<Passkey | null>;
  /** Null when the session has ended. */
  removePasskey(proof: { token: string; id: string; address: string }): Promise<boolean | null>;
  createPasskeyChallenge(relyingParty: RelyingParty): Promise<{ readonly token: string; readonly options: BrowserOptions }>;
  signInByPasskey(proof: {
    input: PasskeyAssertion;
    challenge: string;
    relyingParty: RelyingParty;
    client: SignInClient;
  }): Promise<StartedSession<Session>>;
}

type Query = <Value>(field: string, document: string, variables?: Readonly<Record<string, unknown>>) => Promise<Value>;

const passkey = '{ id name createdAt lastUsedAt }';

/**
 * @param of the argument of the population
 * @param started the selection of a started session
 */
export const createPasskeyCalls = <Session>(query: Query, of: string, started: string): PasskeyCalls<Session> => ({
  passkeys: (token) => query('passkeys', `query ($token: String!) { passkeys(token: $token, ${of}) ${passkey} }`, { token }),
  preparePasskey: (proof) =>
    query(
      'preparePasskey',
      `mutation ($token: String!, $current: String!, $code: String, $address: String!, $relyingParty: RelyingParty!) {
        preparePasskey(token: $token, current: $current, code: $code, address: $address, relyingParty: $relyingParty, ${of})
      }`,
      proof,
    ),
  confirmPasskey: (proof) =>
    query(
      'confirmPasskey',
      `mutation ($token: String!, $input: PasskeyRegistration!, $address: String!, $relyingParty: RelyingParty!) {
        confirmPasskey(token: $token, input: $input, address: $address, relyingParty: $relyingParty, ${of}) ${passkey}
      }`,
      proof,
    ),
  removePasskey: (proof) =>
    query(
      'removePasskey',
      `mutation ($token: String!, $id: ID!, $address: String!) { removePasskey(token: $token, id: $id, address: $address, ${of}) }`,
      proof,
    ),
  createPasskeyChallenge: (relyingParty) =>
    query(
      'createPasskeyChallenge',
      `mutation ($relyingParty: RelyingParty!) { createPasskeyChallenge(relyingParty: $relyingParty, ${of}) { token options } }`,
      { relyingParty },
    ),
  signInByPasskey: (proof) =>
    query(
      'signInByPasskey',
      `mutation ($input: PasskeyAssertion!, $challenge: String!, $relyingParty: RelyingParty!, $client: SignInClient!) {
        signInByPasskey(input: $input, challenge: $challenge, relyingParty: $relyingParty, client: $client, ${of}) ${started}
      }`,
      proof,
    ),
});
